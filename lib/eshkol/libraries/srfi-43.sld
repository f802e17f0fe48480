;; As SRFI 133, but procedures get the index first, and vector-binary-search compares the other way.
(define-library (srfi 43)
  (import (rename (srfi 133) (vector-fold fold-values) (vector-fold-right fold-values-right)))
  (export make-vector vector vector-unfold vector-unfold-right vector-copy vector-reverse-copy vector-append
          vector-concatenate vector? vector-empty? vector= vector-ref vector-length
          (rename indexed-fold vector-fold) (rename indexed-fold-right vector-fold-right)
          (rename indexed-map vector-map) (rename indexed-map! vector-map!)
          (rename indexed-for-each vector-for-each) (rename indexed-count vector-count)
          vector-index vector-index-right vector-skip vector-skip-right vector-binary-search vector-any vector-every
          vector-set! vector-swap! vector-fill! vector-reverse! vector-copy! vector-reverse-copy! vector->list
          reverse-vector->list list->vector reverse-list->vector)
  (begin

(define (shortest vectors) (apply min (map vector-length vectors)))
(define (at vectors i) (map (lambda (v) (vector-ref v i)) vectors))

(define (indexed-fold f seed v . more)
  (let* ((all (cons v more)) (n (shortest all)))
    (let loop ((i 0) (seed seed)) (if (< i n) (loop (+ i 1) (apply f i seed (at all i))) seed))))
(define (indexed-fold-right f seed v . more)
  (let* ((all (cons v more)) (n (shortest all)))
    (let loop ((i (- n 1)) (seed seed)) (if (>= i 0) (loop (- i 1) (apply f i seed (at all i))) seed))))
(define (indexed-map f v . more)
  (let* ((all (cons v more)) (n (shortest all)) (made (make-vector n)))
    (let loop ((i 0))
      (if (< i n)
          (begin
            (vector-set! made i (apply f i (at all i)))
            (loop (+ i 1)))
          made))))
(define (indexed-map! f v . more) (vector-copy! v 0 (apply indexed-map f v more)))
(define (indexed-for-each f v . more)
  (let* ((all (cons v more)) (n (shortest all)))
    (let loop ((i 0))
      (if (< i n)
          (begin
            (apply f i (at all i))
            (loop (+ i 1)))))))
(define (indexed-count f v . more)
  (let* ((all (cons v more)) (n (shortest all)))
    (let loop ((i 0) (count 0)) (if (< i n) (loop (+ i 1) (if (apply f i (at all i)) (+ count 1) count)) count))))

))
