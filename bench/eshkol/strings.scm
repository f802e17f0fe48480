(define (rev s) (list->string (reverse (string->list s))))
(define (count-char c s) (let loop ((i 0) (n 0)) (if (= i (string-length s)) n (loop (+ i 1) (if (char=? c (string-ref s i)) (+ n 1) n)))))
(define (loop i s n) (if (= i 0) n (loop (- i 1) (rev s) (+ n (count-char #\o s)))))
(display (loop 1500000 "the quick brown fox jumps over the lazy dog" 0)) (newline)
