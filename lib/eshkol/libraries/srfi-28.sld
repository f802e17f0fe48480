(define-library (srfi 28)
  (export format))
