(define (ctak x y z) (call/cc (lambda (k) (ctak-aux k x y z))))
(define (ctak-aux k x y z)
  (if (not (< y x)) (k z)
      (call/cc (lambda (k) (ctak-aux k
         (call/cc (lambda (k) (ctak-aux k (- x 1) y z)))
         (call/cc (lambda (k) (ctak-aux k (- y 1) z x)))
         (call/cc (lambda (k) (ctak-aux k (- z 1) x y))))))))
(define (loop i r) (if (= i 0) r (loop (- i 1) (ctak 18 12 6))))
(display (loop 600 0)) (newline)
