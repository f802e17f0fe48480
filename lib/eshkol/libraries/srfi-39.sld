(define-library (srfi 39)
  (export make-parameter parameterize))
