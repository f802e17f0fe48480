(define-library (srfi 128)
  (export comparator? comparator-ordered? comparator-hashable? make-comparator make-pair-comparator
          make-list-comparator make-vector-comparator make-eq-comparator make-eqv-comparator make-equal-comparator
          boolean-hash char-hash char-ci-hash string-hash string-ci-hash symbol-hash number-hash
          make-default-comparator default-hash comparator-register-default!
          comparator-type-test-predicate comparator-equality-predicate comparator-ordering-predicate
          comparator-hash-function comparator-test-type comparator-check-type comparator-hash
          hash-bound hash-salt =? <? >? <=? >=? comparator-if<=>)
  (begin

(define-record-type <comparator> (new-comparator type same less hash ordered? hashable?) comparator?
  (type comparator-type-test-predicate)
  (same comparator-equality-predicate)
  (less comparator-ordering-predicate)
  (hash comparator-hash-function)
  (ordered? comparator-ordered?)
  (hashable? comparator-hashable?))

(define (make-comparator type same less hash)
  (new-comparator
   (if (eq? type #t) (lambda (x) #t) type)
   (if (eq? same #t) (lambda (a b) (not (or (less a b) (less b a)))) same)
   (or less (lambda (a b) (error "the comparator has no order")))
   (or hash (lambda (x . rest) (error "the comparator has no hash function")))
   (and less #t)
   (and hash #t)))

(define-syntax hash-bound (syntax-rules () ((_) 33554432)))
(define-syntax hash-salt (syntax-rules () ((_) 16064047)))

(define (boolean-hash x . rest) (if x 2 1))
(define (char-hash x . rest) (char->integer x))
(define (char-ci-hash x . rest) (char->integer (char-foldcase x)))
(define (symbol-hash x . rest) (hash x))
(define (number-hash x . rest) (hash x))
(define (default-hash x . rest) (comparator-hash (make-default-comparator) x))

(define (make-eq-comparator) (make-comparator #t eq? #f default-hash))
(define (make-eqv-comparator) (make-comparator #t eqv? #f default-hash))
(define (make-equal-comparator) (make-comparator #t equal? #f default-hash))

(define (comparator-test-type c x) ((comparator-type-test-predicate c) x))
(define (comparator-check-type c x)
  (if (comparator-test-type c x) #t (error "the comparator does not take this object:" x)))
(define (comparator-hash c x) ((comparator-hash-function c) x))

(define (make-pair-comparator a b)
  (make-comparator
   (lambda (x) (and (pair? x) (comparator-test-type a (car x)) (comparator-test-type b (cdr x))))
   (lambda (x y) (and (=? a (car x) (car y)) (=? b (cdr x) (cdr y))))
   (and (comparator-ordered? a)
        (comparator-ordered? b)
        (lambda (x y) (if (=? a (car x) (car y)) (<? b (cdr x) (cdr y)) (<? a (car x) (car y)))))
   (and (comparator-hashable? a)
        (comparator-hashable? b)
        (lambda (x . rest) (modulo (+ (* 31 (comparator-hash a (car x))) (comparator-hash b (cdr x))) (hash-bound))))))

(define (make-list-comparator c . options)
  (let* ((type (if (pair? options) (car options) list?))
         (empty? (if (pair? options) (cadr options) null?))
         (first (if (pair? options) (caddr options) car))
         (rest (if (pair? options) (cadddr options) cdr)))
    (make-comparator
     (lambda (x)
       (and (type x) (let loop ((x x)) (or (empty? x) (and (comparator-test-type c (first x)) (loop (rest x)))))))
     (lambda (x y)
       (let loop ((x x) (y y))
         (cond ((and (empty? x) (empty? y)) #t)
               ((or (empty? x) (empty? y)) #f)
               (else (and (=? c (first x) (first y)) (loop (rest x) (rest y)))))))
     (and (comparator-ordered? c)
          (lambda (x y)
            (let loop ((x x) (y y))
              (cond ((empty? y) #f)
                    ((empty? x) #t)
                    ((=? c (first x) (first y)) (loop (rest x) (rest y)))
                    (else (<? c (first x) (first y)))))))
     (and (comparator-hashable? c)
          (lambda (x . more)
            (let loop ((x x) (sum 17))
              (if (empty? x)
                  sum
                  (loop (rest x) (modulo (+ (* 31 sum) (comparator-hash c (first x))) (hash-bound))))))))))

(define (make-vector-comparator c . options)
  (let* ((type (if (pair? options) (car options) vector?))
         (size (if (pair? options) (cadr options) vector-length))
         (ref (if (pair? options) (caddr options) vector-ref)))
    (make-comparator
     (lambda (x)
       (and (type x)
            (let ((n (size x))) (let loop ((i 0)) (or (= i n) (and (comparator-test-type c (ref x i)) (loop (+ i 1))))))))
     (lambda (x y)
       (let ((n (size x)))
         (and (= n (size y)) (let loop ((i 0)) (or (= i n) (and (=? c (ref x i) (ref y i)) (loop (+ i 1))))))))
     (and (comparator-ordered? c)
          (lambda (x y)
            (let ((n (size x)) (m (size y)))
              (cond ((< n m) #t)
                    ((> n m) #f)
                    (else
                     (let loop ((i 0))
                       (cond ((= i n) #f)
                             ((=? c (ref x i) (ref y i)) (loop (+ i 1)))
                             (else (<? c (ref x i) (ref y i))))))))))
     (and (comparator-hashable? c)
          (lambda (x . more)
            (let ((n (size x)))
              (let loop ((i 0) (sum n))
                (if (= i n) sum (loop (+ i 1) (modulo (+ (* 31 sum) (comparator-hash c (ref x i))) (hash-bound)))))))))))

;; The order of kinds: empty list, pairs, booleans, characters, strings, symbols, numbers, vectors, bytevectors, others.
(define (kind x)
  (cond ((null? x) 0)
        ((pair? x) 1)
        ((boolean? x) 2)
        ((char? x) 3)
        ((string? x) 4)
        ((symbol? x) 5)
        ((number? x) 6)
        ((vector? x) 7)
        ((bytevector? x) 8)
        (else (let loop ((known registered) (at 9)) (cond ((null? known) at) ((comparator-test-type (car known) x) at) (else (loop (cdr known) (+ at 1))))))))
(define registered '())
(define (comparator-register-default! c) (set! registered (append registered (list c))))
(define (registered-at k) (list-ref registered (- k 9)))
(define (known? k) (< k (+ 9 (length registered))))

(define (default<? a b)
  (let ((x (kind a)) (y (kind b)))
    (cond ((< x y) #t)
          ((> x y) #f)
          (else
           (case x
             ((0) #f)
             ((1) (if (default=? (car a) (car b)) (default<? (cdr a) (cdr b)) (default<? (car a) (car b))))
             ((2) (and (not a) b))
             ((3) (char<? a b))
             ((4) (string<? a b))
             ((5) (string<? (symbol->string a) (symbol->string b)))
             ((6) (< a b))
             ((7) (<? (make-vector-comparator (make-default-comparator)) a b))
             ((8) (<? (make-vector-comparator (make-default-comparator) bytevector? bytevector-length bytevector-u8-ref) a b))
             (else (and (known? x) (<? (registered-at x) a b))))))))
(define (default=? a b)
  (let ((x (kind a)) (y (kind b)))
    (and (= x y)
         (case x
           ((1) (and (default=? (car a) (car b)) (default=? (cdr a) (cdr b))))
           ((6) (= a b))
           ((7) (=? (make-vector-comparator (make-default-comparator)) a b))
           (else (if (and (>= x 9) (known? x)) (=? (registered-at x) a b) (equal? a b)))))))
(define (make-default-comparator)
  (make-comparator
   #t
   default=?
   default<?
   (lambda (x . rest)
     (let ((k (kind x))) (if (and (>= k 9) (known? k)) (comparator-hash (registered-at k) x) (hash x))))))

(define (chain test) (lambda (c a b . more)
  (let loop ((a a) (b b) (more more))
    (and (test c a b) (or (null? more) (loop b (car more) (cdr more)))))))
(define =? (chain (lambda (c a b) ((comparator-equality-predicate c) a b))))
(define <? (chain (lambda (c a b) ((comparator-ordering-predicate c) a b))))
(define >? (chain (lambda (c a b) ((comparator-ordering-predicate c) b a))))
(define <=? (chain (lambda (c a b) (not ((comparator-ordering-predicate c) b a)))))
(define >=? (chain (lambda (c a b) (not ((comparator-ordering-predicate c) a b)))))

(define-syntax comparator-if<=>
  (syntax-rules ()
    ((_ a b less equal greater) (comparator-if<=> (make-default-comparator) a b less equal greater))
    ((_ c a b less equal greater)
     (let ((k c) (x a) (y b)) (cond ((=? k x y) equal) ((<? k x y) less) (else greater))))))

))
