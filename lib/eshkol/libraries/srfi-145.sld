(define-library (srfi 145)
  (export assume)
  (begin

(define-syntax assume
  (syntax-rules ()
    ((_ test message ...) (or test (error "invalid assumption" 'test message ...)))
    ((_) (syntax-error "assume needs an expression"))))

))
