(define-library (srfi 26)
  (export cut cute <> <...>)
  (begin

(define-syntax <> (syntax-rules ()))
(define-syntax <...> (syntax-rules ()))

(define-syntax cut
  (syntax-rules ()
    ((_ slot ...) (cut-slots () () slot ...))))

;; The parameters so far, the combination so far, what is left.
(define-syntax cut-slots
  (syntax-rules (<> <...>)
    ((_ (param ...) (f arg ...)) (lambda (param ...) ((begin f) arg ...)))
    ((_ (param ...) (f arg ...) <...>) (lambda (param ... . rest) (apply f arg ... rest)))
    ((_ (param ...) (part ...) <> . more) (cut-slots (param ... x) (part ... x) . more))
    ((_ params (part ...) e . more) (cut-slots params (part ... e) . more))))

(define-syntax cute
  (syntax-rules ()
    ((_ slot ...) (cute-slots () () () slot ...))))

(define-syntax cute-slots
  (syntax-rules (<> <...>)
    ((_ bindings (param ...) (f arg ...)) (let bindings (lambda (param ...) (f arg ...))))
    ((_ bindings (param ...) (f arg ...) <...>)
     (let bindings (lambda (param ... . rest) (apply f arg ... rest))))
    ((_ bindings (param ...) (part ...) <> . more) (cute-slots bindings (param ... x) (part ... x) . more))
    ((_ (binding ...) params (part ...) e . more)
     (cute-slots (binding ... (t e)) params (part ... t) . more))))

))
