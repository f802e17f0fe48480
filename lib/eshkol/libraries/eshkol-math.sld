;; Eshkol's modules `math`, `math.constants` and `math.statistics`.
(define-library (eshkol math)
  (export pi e tau euler-gamma golden-ratio mat-ref det inv solve cross normalize mat-vec-mul power-iteration integrate
          newton variance std covariance mean median mode standard-deviation correlation)
  (begin

(define pi 3.141592653589793)
(define e 2.718281828459045)
(define tau 6.283185307179586)
(define euler-gamma 0.5772156649015329)
(define golden-ratio 1.618033988749895)

;; The size of matrices may be given, and is not needed.
(define (matrix m size)
  (if (and (= (tensor-rank m) 1) (pair? size)) (reshape m (list (car size) (car size))) m))
(define (mat-ref m . indices)
  (if (= (length indices) 3)
      (tensor-ref m (+ (* (car indices) (caddr indices)) (cadr indices)))
      (apply tensor-ref m indices)))
(define (det m . size) (tensor-det (matrix m size)))
(define (inv m . size) (tensor-inverse (matrix m size)))
(define (solve m b . size) (tensor-solve (matrix m size) b))
(define (mat-vec-mul m v . size) (matmul (if (= (length size) 2) (reshape m size) (matrix m size)) v))
(define (cross a b)
  (let ((x (lambda (v i) (tensor-ref v i))))
    (vector (- (* (x a 1) (x b 2)) (* (x a 2) (x b 1)))
            (- (* (x a 2) (x b 0)) (* (x a 0) (x b 2)))
            (- (* (x a 0) (x b 1)) (* (x a 1) (x b 0))))))
(define (normalize v) (tensor-scale v (/ 1.0 (norm v))))

;; The eigenvalue of greatest magnitude.
(define (power-iteration m n most tolerance)
  (let ((m (matrix m (list n))))
    (let loop ((v (tensor-scale (ones n) (/ 1.0 (sqrt (abs n))))) (last 0.0) (i 0))
      (let* ((w (matmul m v)) (value (tensor-dot v w)))
        (if (or (>= i most) (< (abs (- value last)) tolerance))
            value
            (loop (normalize w) value (+ i 1)))))))

;; Simpson's rule with an even number of parts.
(define (integrate f a b n)
  (let* ((n (if (even? n) n (+ n 1))) (h (/ (- b a) (exact->inexact n))))
    (let loop ((i 1) (sum (+ (f a) (f b))))
      (if (= i n)
          (* sum (/ h 3.0))
          (loop (+ i 1) (+ sum (* (if (odd? i) 4.0 2.0) (f (+ a (* i h))))))))))

(define (newton f slope x tolerance most)
  (let loop ((x x) (i 0))
    (let ((y (f x)))
      (if (or (>= i most) (< (abs y) tolerance)) x (loop (- x (/ y (slope x))) (+ i 1))))))

;; Of lists, vectors and tensors; squares are divided by the size.
(define (mean v) (tensor-mean v))
(define (variance v) (tensor-var v))
(define (std v) (tensor-std v))
(define (standard-deviation v) (tensor-std v))
(define (covariance a b) (tensor-mean (tensor-mul (tensor-sub a (tensor-mean a)) (tensor-sub b (tensor-mean b)))))
(define (correlation a b) (/ (covariance a b) (* (std a) (std b))))
(define (median v)
  (let* ((sorted (sort (vector->list (tensor->vector v)) <)) (n (length sorted)) (half (quotient n 2)))
    (if (even? n)
        (/ (+ (list-ref sorted (- half 1)) (list-ref sorted half)) 2)
        (list-ref sorted half))))
(define (mode v)
  (let ((counts (make-hash-table)))
    (let loop ((items (vector->list (tensor->vector v))) (best #f) (most 0))
      (if (null? items)
          best
          (let ((n (+ 1 (hash-table-ref/default counts (car items) 0))))
            (hash-table-set! counts (car items) n)
            (if (> n most) (loop (cdr items) (car items) n) (loop (cdr items) best most)))))))
))
