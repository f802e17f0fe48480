(define-library (srfi 98)
  (export get-environment-variable get-environment-variables))
