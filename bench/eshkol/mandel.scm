(define (mandel cr ci)
  (let loop ((zr 0.0) (zi 0.0) (n 0))
    (if (or (= n 200) (> (+ (* zr zr) (* zi zi)) 4.0)) n
        (loop (+ (- (* zr zr) (* zi zi)) cr) (+ (* 2.0 zr zi) ci) (+ n 1)))))
(define (run size)
  (let yloop ((y 0) (total 0))
    (if (= y size) total
      (yloop (+ y 1)
        (let xloop ((x 0) (total total))
          (if (= x size) total
            (xloop (+ x 1) (+ total (mandel (- (/ (* 3.0 (exact->inexact x)) (exact->inexact size)) 2.0) (- (/ (* 2.0 (exact->inexact y)) (exact->inexact size)) 1.0))))))))))
(display (run 1000)) (newline)
