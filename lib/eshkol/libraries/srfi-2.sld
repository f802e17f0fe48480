(define-library (srfi 2)
  (export and-let*)
  (begin

(define-syntax and-let*
  (syntax-rules ()
    ((_ ()) #t)
    ((_ () body1 body2 ...) (let () body1 body2 ...))
    ((_ ((var expr))) (let ((var expr)) var))
    ((_ ((expr))) expr)
    ((_ (var)) var)
    ((_ ((var expr) . rest) . body) (let ((var expr)) (if var (and-let* rest . body) #f)))
    ((_ ((expr) . rest) . body) (if expr (and-let* rest . body) #f))
    ((_ (var . rest) . body) (if var (and-let* rest . body) #f))))

))
