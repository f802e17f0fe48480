;; The syntax of what `eval` takes: names, scopes, macros.
;;
;; A name in syntax is a symbol or an alias, which a macro has inserted and which means what its name meant where the
;; macro was defined. What names mean (denotations): a cell of an environment, a place in a frame, syntax, a macro.

(define-library (oxbow syntax)
  (export %bad %bad-form %bind! %cell-get %cell-name %cell-put %cell-value %cell? %core %deeper! %depth %derived
          %environment-changes? %environment-parents
          %environment-table %environment? %expanded %frame-size %identifier? %keyword? %local-checked? %local-frame
          %local-index %local? %lookup %macro? %make-alias %make-cell %make-environment %make-frame %make-rules
          %make-scope %make-syntax %new-local! %own-cell %scope-frame %scope-names %scope-parent %scope?
          %set-cell-value! %strip %syntax-of %syntax? %unset %where)
  (begin

;; Denotations and scopes

(define-record-type <environment> (%make-environment table aliases parents changes?) %environment?
  (table %environment-table)
  (aliases %environment-aliases %set-environment-aliases!)
  (parents %environment-parents)
  (changes? %environment-changes?))

;; A variable of an environment. One of the program has procedures that get and set it.
(define-record-type <cell> (%make-cell name value get put) %cell?
  (name %cell-name)
  (value %cell-value %set-cell-value!)
  (get %cell-get)
  (put %cell-put))

(define-record-type <syntax> (%make-syntax name) %syntax? (name %syntax-name))
(define-record-type <macro> (%make-macro literals rules ellipsis scope) %macro?
  (literals %macro-literals)
  (rules %macro-rules)
  (ellipsis %macro-ellipsis)
  (scope %macro-scope))
;; What a variable before an ellipsis stands for.
(define-record-type <many> (%make-many items) %many? (items %many-items))
(define-record-type <alias> (%make-alias of scope) %alias? (of %alias-of) (scope %alias-scope))

;; Scopes with one frame share its variables. The outermost scope is an environment.
(define-record-type <scope> (%make-scope names frame parent) %scope?
  (names %scope-names %set-scope-names!)
  (frame %scope-frame)
  (parent %scope-parent))
(define-record-type <frame> (%make-frame size) %frame? (size %frame-size %set-frame-size!))
;; A place in a frame. One that a definition fills is checked when it is read.
(define-record-type <local> (%make-local frame index checked?) %local?
  (frame %local-frame)
  (index %local-index)
  (checked? %local-checked?))

;; The environment of the syntax, which macros of the library refer to.
(define %core (%make-environment (make-equal-hash-table) '() '() #f))

(define %unset (list 'unset))
(define %where "")
(define %depth 0)

(define (%bad message . irritants) (apply %error %where (string-append "eval: " message) (map %strip irritants)))
(define (%bad-form form) (%bad "bad syntax:" form))

(define (%identifier? x) (or (symbol? x) (%alias? x)))

(define (%strip x)
  (cond ((%alias? x) (%strip (%alias-of x)))
        ((pair? x) (if (%has-alias? x 100000) (cons (%strip (car x)) (%strip (cdr x))) x))
        ((vector? x) (if (%has-alias? x 100000) (vector-map %strip x) x))
        (else x)))
(define (%has-alias? x budget)
  (let ((left budget))
    (define (look x)
      (set! left (- left 1))
      (cond ((< left 0) #f)
            ((pair? x) (or (look (car x)) (look (cdr x))))
            ((vector? x)
             (let loop ((i 0))
               (and (< i (vector-length x)) (or (look (vector-ref x i)) (loop (+ i 1))))))
            (else (%alias? x))))
    (look x)))

(define (%own-cell environment name)
  (if (symbol? name)
      (hash-table-ref/default (%environment-table environment) name #f)
      (let ((entry (assq name (%environment-aliases environment)))) (and entry (cdr entry)))))

(define (%in-parents parents name)
  (and (pair? parents)
       (or (hash-table-ref/default (car parents) name #f) (%in-parents (cdr parents) name))))

;; What a name means, or #f.
(define (%lookup name scope)
  (if (%scope? scope)
      (let ((entry (assq name (%scope-names scope))))
        (if entry (cdr entry) (%lookup name (%scope-parent scope))))
      (or (%own-cell scope name)
          (if (symbol? name)
              (%in-parents (%environment-parents scope) name)
              (%lookup (%alias-of name) (%alias-scope name))))))

(define (%same-meaning? a in-a b in-b)
  (let ((x (%lookup a in-a)) (y (%lookup b in-b)))
    (if (or x y) (eq? x y) (eq? (%strip a) (%strip b)))))

(define (%bind! scope name denotation)
  (cond ((%scope? scope)
         (%set-scope-names! scope (cons (cons name denotation) (%scope-names scope))))
        ((symbol? name) (hash-table-set! (%environment-table scope) name denotation))
        (else
         (%set-environment-aliases! scope (cons (cons name denotation) (%environment-aliases scope))))))

(define (%new-local! scope name checked?)
  (let* ((frame (%scope-frame scope)) (index (%frame-size frame)) (local (%make-local frame index checked?)))
    (%set-frame-size! frame (+ index 1))
    (%bind! scope name local)
    local))

;; The syntax that a name stands for, if it does.
(define (%syntax-of x scope)
  (and (%identifier? x)
       (let ((meaning (%lookup x scope))) (and (%syntax? meaning) (%syntax-name meaning)))))
(define (%keyword? x name scope) (eq? (%syntax-of x scope) name))

;; Macros

(define (%make-rules form scope)
  (if (not (and (pair? form) (%keyword? (car form) 'syntax-rules scope) (list? form) (pair? (cdr form))))
      (%bad "expected syntax-rules, but got" form)
      (let* ((named (%identifier? (cadr form)))
             (rest (if named (cddr form) (cdr form))))
        (if (not (and (pair? rest)
                      (list? (car rest))
                      (every %identifier? (car rest))
                      (every (lambda (rule) (and (list? rule) (= (length rule) 2) (pair? (car rule)))) (cdr rest))))
            (%bad-form form)
            (%make-macro (car rest) (cdr rest) (if named (cadr form) #f) scope)))))

(define (%ellipsis? x macro)
  (and (%identifier? x)
       (if (%macro-ellipsis macro)
           (eq? x (%macro-ellipsis macro))
           (and (not (memq x (%macro-literals macro))) (%keyword? x '... (%macro-scope macro))))))

(define (%expand-macro macro form scope)
  (let loop ((rules (%macro-rules macro)))
    (if (null? rules)
        (%bad "no rule of the macro fits" form)
        (let ((bound (%match (cdr (car (car rules))) (cdr form) macro scope '())))
          (if bound
              (let ((template (cadr (car rules))) (aliases '()))
                (define (alias name)
                  (let ((entry (assq name aliases)))
                    (if entry
                        (cdr entry)
                        (let ((made (%make-alias name (%macro-scope macro))))
                          (set! aliases (cons (cons name made) aliases))
                          made))))
                (%fill template bound macro alias))
              (loop (cdr rules)))))))

;; The variables with what they stand for before others, or #f.
(define (%match pattern form macro scope bound)
  (cond ((%identifier? pattern)
         (cond ((memq pattern (%macro-literals macro))
                (and (%identifier? form) (%same-meaning? form scope pattern (%macro-scope macro)) bound))
               ((%keyword? pattern '_ (%macro-scope macro)) bound)
               (else (cons (cons pattern form) bound))))
        ((pair? pattern)
         (if (and (pair? (cdr pattern)) (%ellipsis? (cadr pattern) macro))
             (let* ((after (cddr pattern))
                    (needed (%pairs-in after))
                    (count (- (%pairs-in form) needed)))
               (and (>= count 0) (%match-many (car pattern) after form count macro scope bound)))
             (and (pair? form)
                  (let ((bound (%match (car pattern) (car form) macro scope bound)))
                    (and bound (%match (cdr pattern) (cdr form) macro scope bound))))))
        ((null? pattern) (and (null? form) bound))
        ((vector? pattern)
         (and (vector? form) (%match (vector->list pattern) (vector->list form) macro scope bound)))
        (else (and (equal? pattern form) bound))))

(define (%pairs-in x) (let loop ((x x) (n 0)) (if (and (pair? x) (< n 1000000)) (loop (cdr x) (+ n 1)) n)))

(define (%match-many pattern after form count macro scope bound)
  (let loop ((form form) (count count) (found '()))
    (if (> count 0)
        (let ((one (%match pattern (car form) macro scope '())))
          (and one (loop (cdr form) (- count 1) (cons one found))))
        (let ((names (%pattern-names pattern macro '())) (found (reverse found)))
          (%match after form macro scope
                  (append
                   (map (lambda (name) (cons name (%make-many (map (lambda (one) (cdr (assq name one))) found))))
                        names)
                   bound))))))

(define (%pattern-names pattern macro names)
  (cond ((%identifier? pattern)
         (if (or (memq pattern (%macro-literals macro))
                 (%ellipsis? pattern macro)
                 (%keyword? pattern '_ (%macro-scope macro)))
             names
             (cons pattern names)))
        ((pair? pattern) (%pattern-names (car pattern) macro (%pattern-names (cdr pattern) macro names)))
        ((vector? pattern) (%pattern-names (vector->list pattern) macro names))
        (else names)))

(define (%fill template bound macro alias)
  (cond ((%identifier? template)
         (let ((entry (assq template bound)))
           (cond ((not entry) (alias template))
                 ((%many? (cdr entry)) (%bad "a variable needs an ellipsis:" template))
                 (else (cdr entry)))))
        ((pair? template)
         (cond ((and (%ellipsis? (car template) macro) (pair? (cdr template)))
                ;; (... template) has no ellipses.
                (%fill (cadr template) bound (%make-macro '() '() (list '...) (%macro-scope macro)) alias))
               ((and (pair? (cdr template)) (%ellipsis? (cadr template) macro))
                (let loop ((rest (cddr template)) (depth 1))
                  (if (and (pair? rest) (%ellipsis? (car rest) macro))
                      (loop (cdr rest) (+ depth 1))
                      (append (%fill-many (car template) depth bound macro alias)
                              (%fill rest bound macro alias)))))
               (else
                (cons (%fill (car template) bound macro alias) (%fill (cdr template) bound macro alias)))))
        ((vector? template) (list->vector (%fill (vector->list template) bound macro alias)))
        (else template)))

;; What the variables of a template that repeat stand for, one after the other.
(define (%fill-many template depth bound macro alias)
  (let ((several (filter (lambda (entry) (%many? (cdr entry)))
                         (filter-map (lambda (name) (assq name bound)) (%pattern-names template macro '())))))
    (if (null? several) (%bad "an ellipsis follows what does not repeat:" template))
    (let ((count (length (%many-items (cdr (car several))))))
      (if (any (lambda (entry) (not (= (length (%many-items (cdr entry))) count))) several)
          (%bad "what repeats together must have the same length:" template))
      (let loop ((names (map car several))
                 (items (map (lambda (entry) (%many-items (cdr entry))) several))
                 (count count)
                 (made '()))
        (if (= count 0)
            (apply append (reverse made))
            (let ((one (append (map (lambda (name items) (cons name (car items))) names items) bound)))
              (loop names
                    (map cdr items)
                    (- count 1)
                    (cons (if (> depth 1)
                              (%fill-many template (- depth 1) one macro alias)
                              (list (%fill template one macro alias)))
                          made))))))))

;; A form whose head is no macro.
(define (%expanded form scope)
  (if (and (pair? form) (%identifier? (car form)))
      (let ((meaning (%lookup (car form) scope)))
        (if (%macro? meaning)
            (if (list? form)
                (begin
                  (%deeper!)
                  (%expanded (%expand-macro meaning form scope) scope))
                (%bad-form form))
            form))
      form))

(define (%deeper!)
  (set! %depth (+ %depth 1))
  (if (> %depth 100000) (%bad "the expression is nested too deeply, or refers to itself")))

;; Derived forms, after the report

(define %derived
  '((cond
     (syntax-rules (else =>)
       ((_ (else e1 e2 ...)) (begin e1 e2 ...))
       ((_ (test => f)) (let ((t test)) (if t (f t))))
       ((_ (test => f) c1 c2 ...) (let ((t test)) (if t (f t) (cond c1 c2 ...))))
       ((_ (test)) test)
       ((_ (test) c1 c2 ...) (let ((t test)) (if t t (cond c1 c2 ...))))
       ((_ (test e1 e2 ...)) (if test (begin e1 e2 ...)))
       ((_ (test e1 e2 ...) c1 c2 ...) (if test (begin e1 e2 ...) (cond c1 c2 ...)))))
    (case
     (syntax-rules (else =>)
       ((_ (key ...) clauses ...) (let ((k (key ...))) (case k clauses ...)))
       ((_ key (else => f)) (f key))
       ((_ key (else e1 e2 ...)) (begin e1 e2 ...))
       ((_ key ((atoms ...) => f)) (if (memv key '(atoms ...)) (f key)))
       ((_ key ((atoms ...) e1 e2 ...)) (if (memv key '(atoms ...)) (begin e1 e2 ...)))
       ((_ key ((atoms ...) => f) clause clauses ...)
        (if (memv key '(atoms ...)) (f key) (case key clause clauses ...)))
       ((_ key ((atoms ...) e1 e2 ...) clause clauses ...)
        (if (memv key '(atoms ...)) (begin e1 e2 ...) (case key clause clauses ...)))))
    (when (syntax-rules () ((_ test e1 e2 ...) (if test (begin e1 e2 ...)))))
    (unless (syntax-rules () ((_ test e1 e2 ...) (if test (if #f #f) (begin e1 e2 ...)))))
    (let*
     (syntax-rules ()
       ((_ () b1 b2 ...) (let () b1 b2 ...))
       ((_ ((n1 e1) (n2 e2) ...) b1 b2 ...) (let ((n1 e1)) (let* ((n2 e2) ...) b1 b2 ...)))))
    (do
     (syntax-rules ()
       ((_ ((var init step ...) ...) (test e ...) command ...)
        (let loop ((var init) ...)
          (if test (begin (if #f #f) e ...) (begin command ... (loop (do "step" var step ...) ...)))))
       ((_ "step" x) x)
       ((_ "step" x y) y)))
    (delay (syntax-rules () ((_ e) (%make-delay (lambda () e)))))
    (delay-force (syntax-rules () ((_ e) (%make-delay-force (lambda () e)))))
    (cons-stream (syntax-rules () ((_ a b) (cons a (%make-delay (lambda () b))))))
    (assert (syntax-rules () ((_ e) (if e (if #f #f) (%failed-assertion 'e)))))
    (let/cc (syntax-rules () ((_ k b1 b2 ...) (call/cc (lambda (k) b1 b2 ...)))))
    (receive (syntax-rules () ((_ formals e b1 b2 ...) (call-with-values (lambda () e) (lambda formals b1 b2 ...)))))
    (parameterize
     (syntax-rules ()
       ((_ ((param value) ...) b1 b2 ...)
        (%parameterize (list param ...) (list value ...) (lambda () b1 b2 ...)))))
    (fluid-let
     (syntax-rules ()
       ((_ ((x e) ...) b1 b2 ...) (fluid-let "new" () ((x e) ...) b1 b2 ...))
       ((_ "new" ((x t e) ...) () b1 b2 ...)
        (let ((t e) ...)
          (define (swap!) (let ((s x)) (set! x t) (set! t s)) ...)
          (dynamic-wind swap! (lambda () b1 b2 ...) swap!)))
       ((_ "new" (done ...) ((x e) more ...) b1 b2 ...)
        (fluid-let "new" (done ... (x t e)) (more ...) b1 b2 ...))))
    (let-values
     (syntax-rules ()
       ((_ (binding ...) b1 b2 ...) (let-values "bind" (binding ...) () (let () b1 b2 ...)))
       ((_ "bind" () temps body) (let temps body))
       ((_ "bind" ((formals e) more ...) temps body)
        (let-values "formals" formals e () (more ...) temps body))
       ((_ "formals" () e args more temps body)
        (call-with-values (lambda () e) (lambda args (let-values "bind" more temps body))))
       ((_ "formals" (a . b) e (arg ...) more (temp ...) body)
        (let-values "formals" b e (arg ... x) more (temp ... (a x)) body))
       ((_ "formals" a e (arg ...) more (temp ...) body)
        (call-with-values (lambda () e)
          (lambda (arg ... . x) (let-values "bind" more (temp ... (a x)) body))))))
    (let*-values
     (syntax-rules ()
       ((_ () b1 b2 ...) (let () b1 b2 ...))
       ((_ (first more ...) b1 b2 ...) (let-values (first) (let*-values (more ...) b1 b2 ...)))))
    (guard
     (syntax-rules ()
       ((_ (var clause ...) e1 e2 ...)
        ((call/cc
          (lambda (guard-k)
            (with-exception-handler
             (lambda (condition)
               ((call/cc
                 (lambda (handler-k)
                   (guard-k
                    (lambda ()
                      (let ((var condition))
                        (%guard-clauses (handler-k (lambda () (raise-continuable condition))) clause ...))))))))
             (lambda ()
               (call-with-values (lambda () e1 e2 ...)
                 (lambda args (guard-k (lambda () (apply values args)))))))))))))
    (%guard-clauses
     (syntax-rules (else =>)
       ((_ reraise (else e1 e2 ...)) (begin e1 e2 ...))
       ((_ reraise (test => f)) (let ((t test)) (if t (f t) reraise)))
       ((_ reraise (test => f) c1 c2 ...) (let ((t test)) (if t (f t) (%guard-clauses reraise c1 c2 ...))))
       ((_ reraise (test)) (or test reraise))
       ((_ reraise (test) c1 c2 ...) (or test (%guard-clauses reraise c1 c2 ...)))
       ((_ reraise (test e1 e2 ...)) (if test (begin e1 e2 ...) reraise))
       ((_ reraise (test e1 e2 ...) c1 c2 ...)
        (if test (begin e1 e2 ...) (%guard-clauses reraise c1 c2 ...)))))))

))
