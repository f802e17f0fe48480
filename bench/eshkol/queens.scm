(define (queens board-size)
  (define (attacks? q1 q2) (or (= (car q1) (car q2)) (= (cdr q1) (cdr q2)) (= (abs (- (car q1) (car q2))) (abs (- (cdr q1) (cdr q2))))))
  (define (ok? q qs) (or (null? qs) (and (not (attacks? q (car qs))) (ok? q (cdr qs)))))
  (define (place k qs)
    (if (= k 0) 1
      (let loop ((col 1) (n 0))
        (if (> col board-size) n
            (let ((q (cons k col)))
              (loop (+ col 1) (if (ok? q qs) (+ n (place (- k 1) (cons q qs))) n)))))))
  (place board-size '()))
(display (queens 12)) (newline)
