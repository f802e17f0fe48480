(define (tak x y z) (if (not (< y x)) z (tak (tak (- x 1) y z) (tak (- y 1) z x) (tak (- z 1) x y))))
(define (loop i r) (if (= i 0) r (loop (- i 1) (tak 18 12 6))))
(display (loop 4000 0)) (newline)
