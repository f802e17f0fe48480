(define (make-counter) (let ((n 0)) (lambda (d) (set! n (+ n d)) n)))
(define cs (list (make-counter) (make-counter) (make-counter)))
(define (loop i r) (if (= i 0) r (loop (- i 1) (let inner ((l cs) (r r)) (if (null? l) r (inner (cdr l) ((car l) i)))))))
(display (loop 50000000 0)) (newline)
