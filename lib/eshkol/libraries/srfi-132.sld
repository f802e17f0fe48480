(define-library (srfi 132)
  (export list-sorted? vector-sorted? list-sort list-stable-sort list-sort! list-stable-sort! vector-sort
          vector-stable-sort vector-sort! vector-stable-sort! list-merge list-merge! vector-merge vector-merge!
          list-delete-neighbor-dups list-delete-neighbor-dups! vector-delete-neighbor-dups
          vector-delete-neighbor-dups! vector-find-median vector-find-median! vector-select! vector-separate!)
  (begin

(define base-sort sort)
(define (bounds v range)
  (let* ((start (if (pair? range) (car range) 0))
         (end (if (and (pair? range) (pair? (cdr range))) (cadr range) (vector-length v))))
    (if (not (<= 0 start end (vector-length v))) (error "the range is not within the vector:" start end))
    (values start end)))

(define (list-sorted? less? items)
  (or (null? items)
      (let loop ((items items))
        (or (null? (cdr items)) (and (not (less? (cadr items) (car items))) (loop (cdr items)))))))
(define (vector-sorted? less? v . range)
  (call-with-values
   (lambda () (bounds v range))
   (lambda (start end)
     (let loop ((i (+ start 1)))
       (or (>= i end) (and (not (less? (vector-ref v i) (vector-ref v (- i 1)))) (loop (+ i 1))))))))

(define (list-sort less? items) (base-sort items less?))
(define (list-stable-sort less? items) (base-sort items less?))
(define (list-sort! less? items) (base-sort items less?))
(define (list-stable-sort! less? items) (base-sort items less?))

(define (vector-sort less? v . range)
  (call-with-values
   (lambda () (bounds v range))
   (lambda (start end) (base-sort (vector-copy v start end) less?))))
(define (vector-stable-sort less? v . range) (apply vector-sort less? v range))
(define (vector-sort! less? v . range)
  (call-with-values
   (lambda () (bounds v range))
   (lambda (start end) (vector-copy! v start (base-sort (vector-copy v start end) less?)))))
(define (vector-stable-sort! less? v . range) (apply vector-sort! less? v range))

(define (list-merge less? a b) (merge a b less?))
(define (list-merge! less? a b) (merge a b less?))
(define (vector-merge less? a b . range)
  (let* ((ranges (append range '()))
         (part (lambda (v range) (apply vector-copy v range)))
         (first (if (pair? ranges) (if (pair? (cdr ranges)) (list (car ranges) (cadr ranges)) (list (car ranges))) '()))
         (second (if (and (pair? ranges) (pair? (cdr ranges))) (cddr ranges) '())))
    (list->vector (merge (vector->list (part a first)) (vector->list (part b second)) less?))))
(define (vector-merge! less? to a b . range)
  (let ((start (if (pair? range) (car range) 0)))
    (vector-copy! to start (apply vector-merge less? a b (if (pair? range) (cdr range) '())))))

(define (list-delete-neighbor-dups same? items)
  (if (null? items)
      '()
      (let loop ((items (cdr items)) (made (list (car items))))
        (cond ((null? items) (reverse made))
              ((same? (car made) (car items)) (loop (cdr items) made))
              (else (loop (cdr items) (cons (car items) made)))))))
(define (list-delete-neighbor-dups! same? items) (list-delete-neighbor-dups same? items))
(define (vector-delete-neighbor-dups same? v . range)
  (list->vector (list-delete-neighbor-dups same? (apply vector->list v range))))
(define (vector-delete-neighbor-dups! same? v . range)
  (call-with-values
   (lambda () (bounds v range))
   (lambda (start end)
     (let ((kept (vector-delete-neighbor-dups same? v start end)))
       (vector-copy! v start kept)
       (+ start (vector-length kept))))))

(define (median sorted knil mean)
  (let ((n (vector-length sorted)))
    (cond ((= n 0) knil)
          ((odd? n) (vector-ref sorted (quotient n 2)))
          (else (mean (vector-ref sorted (- (quotient n 2) 1)) (vector-ref sorted (quotient n 2)))))))
(define (mean-of options) (if (null? options) (lambda (a b) (/ (+ a b) 2)) (car options)))
(define (vector-find-median less? v knil . mean) (median (base-sort v less?) knil (mean-of mean)))
(define (vector-find-median! less? v knil . mean)
  (vector-sort! less? v)
  (median v knil (mean-of mean)))

(define (vector-select! less? v k . range)
  (call-with-values
   (lambda () (bounds v range))
   (lambda (start end)
     (if (not (< -1 k (- end start))) (error "vector-select!: there is no such element:" k))
     (vector-sort! less? v start end)
     (vector-ref v (+ start k)))))
(define (vector-separate! less? v k . range) (apply vector-sort! less? v range))

))
