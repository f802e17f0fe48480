(define-library (srfi 16)
  (export case-lambda))
