(define-library (srfi 60)
  (import (rename (srfi 151) (copy-bit set-bit) (bit-field-reverse reverse-field) (bits->list all-bits)))
  (export logand bitwise-and logior bitwise-ior logxor bitwise-xor lognot bitwise-not bitwise-if bitwise-merge
          logtest any-bits-set? logcount bit-count integer-length log2-binary-factors first-set-bit logbit? bit-set?
          copy-bit bit-field copy-bit-field ash arithmetic-shift rotate-bit-field reverse-bit-field integer->list
          list->integer booleans->integer)
  (begin

(define (logand . numbers) (apply bitwise-and numbers))
(define (logior . numbers) (apply bitwise-ior numbers))
(define (logxor . numbers) (apply bitwise-xor numbers))
(define (lognot n) (bitwise-not n))
(define (bitwise-merge mask a b) (bitwise-if mask a b))
(define (logtest a b) (any-bit-set? a b))
(define (any-bits-set? a b) (any-bit-set? a b))
(define (logcount n) (bit-count n))
(define (log2-binary-factors n) (first-set-bit n))
(define (logbit? i n) (bit-set? i n))
(define (copy-bit i n bit) (set-bit i n bit))
(define (copy-bit-field to from start end) (bit-field-replace to from start end))
(define (ash n count) (arithmetic-shift n count))
(define (rotate-bit-field n count start end) (bit-field-rotate n count start end))
(define (reverse-bit-field n start end) (reverse-field n start end))
;; The highest bit comes first.
(define (integer->list n . size) (reverse (apply all-bits n size)))
(define (list->integer items) (list->bits (reverse items)))
(define (booleans->integer . items) (list->integer items))

))
