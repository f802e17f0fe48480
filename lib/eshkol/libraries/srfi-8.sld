(define-library (srfi 8)
  (export receive))
