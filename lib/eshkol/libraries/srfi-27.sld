;; Random numbers: a linear congruential generator of 64 bits with mixed output for each source.
(define-library (srfi 27)
  (export random-integer random-real default-random-source make-random-source random-source? random-source-state-ref
          random-source-state-set! random-source-randomize! random-source-pseudo-randomize!
          random-source-make-integers random-source-make-reals)
  (begin

(define-record-type <random-source> (new-source state) random-source? (state source-state set-source-state!))

(define modulus (expt 2 48))
(define first-state 20170705)

(define (make-random-source) (new-source first-state))
(define default-random-source (make-random-source))

(define (source who x) (if (random-source? x) x (error (string-append who ": expected a random source, but got") x)))

;; 32 bits
(define (next-bits s)
  (let ((state (modulo (+ (* 25214903917 (source-state s)) 11) modulus)))
    (set-source-state! s state)
    (quotient state 65536)))

(define (random-source-state-ref s) (list 'random-state (source-state (source "random-source-state-ref" s))))
(define (random-source-state-set! s state)
  (source "random-source-state-set!" s)
  (if (and (list? state) (= (length state) 2) (eq? (car state) 'random-state) (exact-integer? (cadr state)))
      (set-source-state! s (modulo (cadr state) modulus))
      (error "random-source-state-set!: this is not a state:" state)))
(define (random-source-randomize! s)
  (set-source-state! (source "random-source-randomize!" s)
                     (modulo (exact (truncate (* (current-second) 1000003))) modulus)))
(define (random-source-pseudo-randomize! s i j)
  (set-source-state! (source "random-source-pseudo-randomize!" s)
                     (modulo (+ first-state (* 6364136223846793005 (+ i 1)) (* 1442695040888963407 (+ j 1))) modulus))
  (next-bits s)
  (next-bits s))

;; Less than n: as many bits as it has, again while they are too many.
(define (below s n)
  (let loop ((limit 1) (value 0))
    (if (< limit n)
        (loop (* limit 4294967296) (+ (* value 4294967296) (next-bits s)))
        (let ((rounds (quotient limit n)))
          (if (< value (* rounds n)) (modulo value n) (loop 1 0))))))

(define (random-source-make-integers s)
  (source "random-source-make-integers" s)
  (lambda (n)
    (if (and (exact-integer? n) (> n 0)) (below s n) (error "random-integer: expected a positive integer, but got" n))))

;; Neither 0 nor 1
(define (random-source-make-reals s . unit)
  (source "random-source-make-reals" s)
  (if (null? unit)
      (lambda () (/ (+ 0.5 (below s 4503599627370496)) 4503599627370496.0))
      (let* ((unit (car unit)) (steps (exact (floor (/ 1 unit)))))
        (lambda () (* unit (+ 1 (below s (max 1 (- steps 1)))))))))

(define random-integer (random-source-make-integers default-random-source))
(define random-real (random-source-make-reals default-random-source))

))
