(define-library (srfi 143)
  (import (srfi 151))
  (export fx-width fx-greatest fx-least fixnum? fx=? fx<? fx>? fx<=? fx>=? fxzero? fxpositive? fxnegative? fxodd?
          fxeven? fxmax fxmin fx+ fx- fx* fxneg fxquotient fxremainder fxabs fxsquare fxsqrt fx+/carry fx-/carry
          fx*/carry fxnot fxand fxior fxxor fxarithmetic-shift fxarithmetic-shift-left fxarithmetic-shift-right
          fxbit-count fxlength fxif fxbit-set? fxcopy-bit fxfirst-set-bit fxbit-field fxbit-field-rotate
          fxbit-field-reverse)
  (begin

(define fx-width 62)
(define fx-greatest 2305843009213693951)
(define fx-least -2305843009213693952)
(define (fixnum? x) (and (exact-integer? x) (<= fx-least x fx-greatest)))

;; A result that is no fixnum is an error.
(define (fits who x) (if (<= fx-least x fx-greatest) x (error (string-append who ": the result is not a fixnum:") x)))

(define (fx=? a b . more) (apply = a b more))
(define (fx<? a b . more) (apply < a b more))
(define (fx>? a b . more) (apply > a b more))
(define (fx<=? a b . more) (apply <= a b more))
(define (fx>=? a b . more) (apply >= a b more))
(define (fxzero? a) (zero? a))
(define (fxpositive? a) (positive? a))
(define (fxnegative? a) (negative? a))
(define (fxodd? a) (odd? a))
(define (fxeven? a) (even? a))
(define (fxmax a . more) (apply max a more))
(define (fxmin a . more) (apply min a more))
(define (fx+ a b) (fits "fx+" (+ a b)))
(define (fx- a b) (fits "fx-" (- a b)))
(define (fx* a b) (fits "fx*" (* a b)))
(define (fxneg a) (fits "fxneg" (- a)))
(define (fxquotient a b) (fits "fxquotient" (quotient a b)))
(define (fxremainder a b) (remainder a b))
(define (fxabs a) (fits "fxabs" (abs a)))
(define (fxsquare a) (fits "fxsquare" (* a a)))
(define (fxsqrt a) (exact-integer-sqrt a))

;; The balanced remainder and the quotient by 2^62
(define (carried x)
  (let* ((base (expt 2 fx-width))
         (q (floor-quotient (+ x (expt 2 (- fx-width 1))) base)))
    (values (- x (* q base)) q)))
(define (fx+/carry a b c) (carried (+ a b c)))
(define (fx-/carry a b c) (carried (- a b c)))
(define (fx*/carry a b c) (carried (+ (* a b) c)))

(define (fxnot a) (bitwise-not a))
(define (fxand . numbers) (apply bitwise-and numbers))
(define (fxior . numbers) (apply bitwise-ior numbers))
(define (fxxor . numbers) (apply bitwise-xor numbers))
(define (fxarithmetic-shift a n) (fits "fxarithmetic-shift" (arithmetic-shift a n)))
(define (fxarithmetic-shift-left a n) (fits "fxarithmetic-shift-left" (arithmetic-shift a n)))
(define (fxarithmetic-shift-right a n) (arithmetic-shift a (- n)))
(define (fxbit-count a) (bit-count a))
(define (fxlength a) (integer-length a))
(define (fxif mask a b) (bitwise-if mask a b))
(define (fxbit-set? i a) (bit-set? i a))
(define (fxcopy-bit i a bit) (fits "fxcopy-bit" (copy-bit i a bit)))
(define (fxfirst-set-bit a) (first-set-bit a))
(define (fxbit-field a start end) (bit-field a start end))
(define (fxbit-field-rotate a count start end) (fits "fxbit-field-rotate" (bit-field-rotate a count start end)))
(define (fxbit-field-reverse a start end) (fits "fxbit-field-reverse" (bit-field-reverse a start end)))

))
