(define-library (srfi 31)
  (export rec)
  (begin

(define-syntax rec
  (syntax-rules ()
    ((_ (name . params) body ...) (letrec ((name (lambda params body ...))) name))
    ((_ name value) (letrec ((name value)) name))))

))
