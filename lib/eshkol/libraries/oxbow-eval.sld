;; `eval`: an expression becomes a tree of closures, which then runs. A closure takes the frame of the variables around
;; it: a vector with the frame outside of it first.

(define-library (oxbow eval)
  (import (oxbow syntax) (oxbow match))
  (export eval environment load interaction-environment scheme-report-environment null-environment
          %define-names! %define-library! %define-program! environment-names)
  (begin

;; Analysis: from a form to a procedure of the frame

(define (%analyze form scope)
  (let ((before %depth))
    (%deeper!)
    (let* ((form (%expanded form scope))
           (made (cond ((%identifier? form) (%analyze-name form scope))
                       ((pair? form) (%analyze-pair form scope))
                       ((null? form) (%bad "() is not an expression"))
                       (else (let ((form (%strip form))) (lambda (frame) form))))))
      (set! %depth before)
      made)))

(define (%frames-between scope frame)
  (let loop ((scope scope) (here (%scope-frame scope)) (count 0))
    (let* ((next (%scope-frame scope)) (count (if (eq? next here) count (+ count 1))))
      (if (eq? next frame) count (loop (%scope-parent scope) next count)))))

(define (%analyze-name name scope)
  (let ((meaning (%lookup name scope)))
    (cond ((%local? meaning) (%analyze-local meaning name scope))
          ((%cell? meaning) (%analyze-cell meaning))
          ((not meaning) (%analyze-unbound (%strip name) name scope))
          (else (%bad "syntax is not an expression:" name)))))

(define (%analyze-local local name scope)
  (let* ((index (%local-index local))
         (depth (%frames-between scope (%local-frame local)))
         (read (case depth
                 ((0) (lambda (frame) (vector-ref frame index)))
                 ((1) (lambda (frame) (vector-ref (vector-ref frame 0) index)))
                 ((2) (lambda (frame) (vector-ref (vector-ref (vector-ref frame 0) 0) index)))
                 (else (lambda (frame) (vector-ref (%outer frame depth) index))))))
    (if (%local-checked? local)
        (let ((where %where) (name (%strip name)))
          (lambda (frame)
            (let ((value (read frame)))
              (if (eq? value %unset) (%error where "eval: variable used before its definition:" name) value))))
        read)))

(define (%outer frame depth) (if (= depth 0) frame (%outer (vector-ref frame 0) (- depth 1))))

(define (%cell-content cell) (let ((get (%cell-get cell))) (if get (get) (%cell-value cell))))

(define (%analyze-cell cell)
  (if (%cell-get cell)
      (%cell-get-analyzed cell)
      (let ((where %where))
        (lambda (frame)
          (let ((value (%cell-value cell)))
            (if (eq? value %unset) (%error where "eval: unbound variable:" (%cell-name cell)) value))))))
(define (%cell-get-analyzed cell) (let ((get (%cell-get cell))) (lambda (frame) (get))))

(define (%environment-of scope) (if (%scope? scope) (%environment-of (%scope-parent scope)) scope))

;; A variable that may be defined until it is used.
(define (%analyze-unbound name written scope)
  (let ((where %where) (environment (%environment-of scope)))
    (if (%environment-changes? environment)
        (lambda (frame)
          (let ((meaning (%lookup name environment)))
            (if (and (%cell? meaning) (not (eq? (%cell-content meaning) %unset)))
                (%cell-content meaning)
                (%error where "eval: unbound variable:" name))))
        (%bad "unbound variable:" name))))

(define (%analyze-pair form scope)
  (let ((syntax (%syntax-of (car form) scope)))
    (cond ((not (list? form)) (%bad-form form))
          (syntax
           (let ((analyze (hash-table-ref/default %syntaxes syntax #f)))
             (if analyze (analyze form scope) (%bad "this does not belong here:" form))))
          (else (%analyze-call (%analyze (car form) scope) (%analyze-all (cdr form) scope))))))

(define (%analyze-all forms scope)
  (if (null? forms) '() (let ((first (%analyze (car forms) scope))) (cons first (%analyze-all (cdr forms) scope)))))

(define (%analyze-call f args)
  (case (length args)
    ((0) (lambda (frame) ((f frame))))
    ((1) (let ((a (car args))) (lambda (frame) ((f frame) (a frame)))))
    ((2) (let ((a (car args)) (b (cadr args))) (lambda (frame) ((f frame) (a frame) (b frame)))))
    ((3)
     (let ((a (car args)) (b (cadr args)) (c (caddr args)))
       (lambda (frame) ((f frame) (a frame) (b frame) (c frame)))))
    (else
     (lambda (frame)
       (apply (f frame) (map (lambda (arg) (arg frame)) args))))))

(define (%sequence runs)
  (cond ((null? runs) (lambda (frame) (if #f #f)))
        ((null? (cdr runs)) (car runs))
        (else
         (let ((first (car runs)) (rest (%sequence (cdr runs))))
           (lambda (frame) (first frame) (rest frame))))))

;; Bodies: definitions are found first, so that they see each other.
(define (%analyze-body forms scope)
  (if (null? forms) (%bad "a body is empty"))
  (let* ((inner (%make-scope '() (%scope-frame scope) scope))
         (found (%scan-body forms inner '())))
    (if (not (any car found)) (%bad "a body needs an expression after its definitions:" (car forms)))
    (%sequence (map (lambda (it) ((cdr it))) (reverse found)))))

;; What was found, the last one first: whether it is an expression, and a thunk that analyzes it.
(define (%scan-body forms scope found)
  (if (null? forms)
      found
      (let* ((form (%expanded (car forms) scope))
             (syntax (and (pair? form) (%syntax-of (car form) scope))))
        (if (and syntax (not (list? form))) (%bad-form form))
        (%scan-body
         (cdr forms)
         scope
         (case syntax
           ((begin) (%scan-body (cdr form) scope found))
           ((define)
            (let* ((parts (%definition form)) (local (%define-local! scope (car parts))))
              (cons (cons #f (lambda () (%store-local local (%analyze-value parts scope) scope))) found)))
           ((define-values)
            (let* ((parts (%values-definition form))
                   (locals (map (lambda (name) (%define-local! scope name)) (append (car parts) (cadr parts)))))
              (cons (cons #f
                          (lambda ()
                            (%store-values locals (length (car parts)) (%analyze (caddr parts) scope) scope)))
                    found)))
           ((define-record-type)
            (let* ((made (%record-definition form))
                   (locals (map (lambda (entry) (%define-local! scope (car entry))) made)))
              (cons (cons #f
                          (lambda ()
                            (%sequence
                             (map (lambda (local entry)
                                    (let ((value (cdr entry))) (%store-local local (lambda (frame) value) scope)))
                                  locals
                                  made))))
                    found)))
           ((define-syntax)
            (%define-syntax! form scope)
            found)
           (else (cons (cons #t (lambda () (%analyze form scope))) found)))))))

(define (%define-local! scope name)
  (let ((entry (assq name (%scope-names scope))))
    (if entry (%bad "a name is defined twice in a body:" name))
    (%new-local! scope name #t)))

(define (%store-local local run scope)
  (let ((index (%local-index local)))
    (lambda (frame) (vector-set! frame index (run frame)))))

(define (%store-values locals count run scope)
  (let ((indices (map %local-index locals)))
    (lambda (frame)
      (call-with-values
       (lambda () (run frame))
       (lambda results
         (let loop ((indices indices) (results results) (left count))
           (cond ((> left 0)
                  (if (null? results) (error "define-values: too few values"))
                  (vector-set! frame (car indices) (car results))
                  (loop (cdr indices) (cdr results) (- left 1)))
                 ((pair? indices) (vector-set! frame (car indices) results))
                 ((pair? results) (error "define-values: too many values")))))))))

;; The name, and its value as a form or the parameters and the body of a procedure.
(define (%definition form)
  (let ((rest (cdr form)))
    (cond ((null? rest) (%bad-form form))
          ((pair? (car rest))
           (let ((head (car rest)))
             (if (null? (cdr rest)) (%bad-form form))
             (if (pair? (car head))
                 (%definition (list (car form) (car head) (cons %lambda-alias (cons (cdr head) (cdr rest)))))
                 (if (%identifier? (car head)) (cons (car head) (cons 'lambda rest)) (%bad-form form)))))
          ((not (%identifier? (car rest))) (%bad-form form))
          ((null? (cdr rest)) (list (car rest) 'nothing))
          ((null? (cddr rest)) (list (car rest) 'value (cadr rest)))
          (else (%bad-form form)))))

(define (%analyze-value parts scope)
  (case (cadr parts)
    ((lambda) (%analyze-lambda (cdr (caddr parts)) (cdddr parts) scope))
    ((value) (%analyze (caddr parts) scope))
    (else (lambda (frame) (if #f #f)))))

(define (%values-definition form)
  (if (not (and (list? form) (= (length form) 3))) (%bad-form form))
  (let loop ((formals (cadr form)) (names '()))
    (cond ((null? formals) (list (reverse names) '() (caddr form)))
          ((%identifier? formals) (list (reverse names) (list formals) (caddr form)))
          ((and (pair? formals) (%identifier? (car formals))) (loop (cdr formals) (cons (car formals) names)))
          (else (%bad-form form)))))

;; Procedures

(define (%analyze-lambda formals body scope)
  (let* ((frame (%make-frame 1)) (inner (%make-scope '() frame scope)))
    (let loop ((rest formals) (count 0))
      (cond ((pair? rest)
             (if (not (%identifier? (car rest))) (%bad "a parameter is a name:" (car rest)))
             (if (assq (car rest) (%scope-names inner)) (%bad "a parameter occurs twice:" (car rest)))
             (%new-local! inner (car rest) #f)
             (loop (cdr rest) (+ count 1)))
            ((null? rest) (%closure count #f (%analyze-body body inner) (%frame-size frame)))
            ((%identifier? rest)
             (if (assq rest (%scope-names inner)) (%bad "a parameter occurs twice:" rest))
             (%new-local! inner rest #f)
             (%closure count #t (%analyze-body body inner) (%frame-size frame)))
            (else (%bad "a parameter is a name:" rest))))))

(define (%new-frame size outer)
  (let ((frame (make-vector size %unset)))
    (vector-set! frame 0 outer)
    frame))

(define (%closure count rest? run size)
  (case (if rest? -1 count)
    ((0) (lambda (outer) (lambda () (run (%new-frame size outer)))))
    ((1)
     (lambda (outer)
       (lambda (a)
         (let ((frame (%new-frame size outer)))
           (vector-set! frame 1 a)
           (run frame)))))
    ((2)
     (lambda (outer)
       (lambda (a b)
         (let ((frame (%new-frame size outer)))
           (vector-set! frame 1 a)
           (vector-set! frame 2 b)
           (run frame)))))
    ((3)
     (lambda (outer)
       (lambda (a b c)
         (let ((frame (%new-frame size outer)))
           (vector-set! frame 1 a)
           (vector-set! frame 2 b)
           (vector-set! frame 3 c)
           (run frame)))))
    (else
     (let ((where %where))
       (lambda (outer)
         (lambda args
           (let ((frame (%new-frame size outer)))
             (let loop ((i 1) (left args))
               (cond ((<= i count)
                      (if (null? left) (%wrong-count where count rest? args))
                      (vector-set! frame i (car left))
                      (loop (+ i 1) (cdr left)))
                     (rest? (vector-set! frame i left))
                     ((pair? left) (%wrong-count where count rest? args))))
             (run frame))))))))

(define (%wrong-count where count rest? args)
  (%error where
          (string-append "eval: a procedure takes " (if rest? "at least " "") (number->string count)
                         " arguments, but got")
          (length args)))

;; How many arguments a procedure of `case-lambda` takes, and the procedure.
(define (%analyze-case-lambda form scope)
  (let ((clauses
         (map (lambda (clause)
                (if (not (and (list? clause) (pair? clause))) (%bad-form form))
                (let loop ((formals (car clause)) (count 0))
                  (if (pair? formals)
                      (loop (cdr formals) (+ count 1))
                      (vector count (not (null? formals)) (%analyze-lambda (car clause) (cdr clause) scope)))))
              (cdr form)))
        (where %where))
    (lambda (frame)
      (let ((clauses (map (lambda (it) (vector (vector-ref it 0) (vector-ref it 1) ((vector-ref it 2) frame))) clauses)))
        (lambda args
          (let ((count (length args)))
            (let loop ((clauses clauses))
              (if (null? clauses)
                  (%error where "eval: no clause of case-lambda takes so many arguments:" count)
                  (let ((clause (car clauses)))
                    (if (or (= count (vector-ref clause 0))
                            (and (vector-ref clause 1) (>= count (vector-ref clause 0))))
                        (apply (vector-ref clause 2) args)
                        (loop (cdr clauses))))))))))))

;; Syntax

(define %syntaxes (make-equal-hash-table))
(define (%define-analyzer! name analyze) (hash-table-set! %syntaxes name analyze))

(define (%counted form least most)
  (let ((count (- (length form) 1)))
    (if (or (< count least) (and most (> count most))) (%bad-form form))))

(define (%analyze-if form scope)
  (%counted form 2 3)
  (let ((test (%analyze (cadr form) scope)) (yes (%analyze (caddr form) scope)))
    (if (pair? (cdddr form))
        (let ((no (%analyze (cadddr form) scope))) (lambda (frame) (if (test frame) (yes frame) (no frame))))
        (lambda (frame) (if (test frame) (yes frame))))))

(define (%analyze-set form scope)
  (%counted form 2 2)
  (if (not (%identifier? (cadr form))) (%bad-form form))
  (let ((meaning (%lookup (cadr form) scope)) (run (%analyze (caddr form) scope)))
    (cond ((%local? meaning)
           (let ((index (%local-index meaning)) (depth (%frames-between scope (%local-frame meaning))))
             (lambda (frame) (vector-set! (%outer frame depth) index (run frame)))))
          ((or (%syntax? meaning) (%macro? meaning)) (%bad "syntax cannot be assigned:" (cadr form)))
          (else (%set-global (%strip (cadr form)) meaning run (%environment-of scope))))))

(define (%set-global name meaning run environment)
  (let ((where %where))
    (if (not (%environment-changes? environment)) (%bad "the environment cannot be changed:" name))
    (lambda (frame)
      (let ((value (run frame)) (cell (or (%own-cell environment name) meaning)))
        (cond ((not cell) (%error where "eval: unbound variable:" name))
              ((%cell-put cell) ((%cell-put cell) value))
              ((eq? cell (%own-cell environment name)) (%set-cell-value! cell value))
              ;; One of a library becomes one of the environment.
              (else (%bind! environment name (%make-cell name value #f #f))))))))

(define (%analyze-let form scope)
  (%counted form 2 #f)
  (if (%identifier? (cadr form))
      (%analyze-named-let form scope)
      (let* ((bindings (%bindings (cadr form) form))
             (closure (%analyze-lambda (map car bindings) (cddr form) scope))
             (values (%analyze-all (map cadr bindings) scope)))
        (%analyze-call closure values))))

(define (%bindings bindings form)
  (if (not (and (list? bindings)
                (every (lambda (it) (and (list? it) (= (length it) 2) (%identifier? (car it)))) bindings)))
      (%bad-form form)
      bindings))

(define (%analyze-named-let form scope)
  (%counted form 3 #f)
  (let* ((name (cadr form))
         (bindings (%bindings (caddr form) form))
         (frame (%make-frame 1))
         (inner (%make-scope '() frame scope))
         (local (%new-local! inner name #f))
         (closure (%analyze-lambda (map car bindings) (cdddr form) inner))
         (call (%analyze-call (lambda (frame) (vector-ref frame 1))
                              (map (lambda (run) (lambda (frame) (run (vector-ref frame 0))))
                                   (%analyze-all (map cadr bindings) scope)))))
    (lambda (outer)
      (let ((frame (%new-frame 2 outer)))
        (vector-set! frame 1 (closure frame))
        (call frame)))))

(define (%analyze-letrec form scope)
  (%counted form 2 #f)
  (let* ((bindings (%bindings (cadr form) form))
         (frame (%make-frame 1))
         (inner (%make-scope '() frame scope))
         (locals (map (lambda (it) (%define-local! inner (car it))) bindings))
         (stores (map (lambda (local it) (%store-local local (%analyze (cadr it) inner) inner)) locals bindings))
         (run (%sequence (append stores (list (%analyze-body (cddr form) inner))))))
    (lambda (outer) (run (%new-frame (%frame-size frame) outer)))))

(define (%analyze-and form scope)
  (let loop ((runs (%analyze-all (cdr form) scope)))
    (cond ((null? runs) (lambda (frame) #t))
          ((null? (cdr runs)) (car runs))
          (else (let ((first (car runs)) (rest (loop (cdr runs)))) (lambda (frame) (and (first frame) (rest frame))))))))

(define (%analyze-or form scope)
  (let loop ((runs (%analyze-all (cdr form) scope)))
    (cond ((null? runs) (lambda (frame) #f))
          ((null? (cdr runs)) (car runs))
          (else (let ((first (car runs)) (rest (loop (cdr runs)))) (lambda (frame) (or (first frame) (rest frame))))))))

(define (%analyze-let-syntax form scope recursive?)
  (%counted form 2 #f)
  (let* ((frame (%make-frame 1)) (inner (%make-scope '() frame scope)))
    (for-each
     (lambda (it) (%bind! inner (car it) (%make-rules (cadr it) (if recursive? inner scope))))
     (%bindings (cadr form) form))
    (let ((run (%analyze-body (cddr form) inner)))
      (lambda (outer) (run (%new-frame (%frame-size frame) outer))))))

(define (%define-syntax! form scope)
  (%counted form 2 2)
  (if (not (%identifier? (cadr form))) (%bad-form form))
  (let* ((rules (caddr form))
         (meaning (if (%identifier? rules)
                      (let ((known (%lookup rules scope)))
                        (if (or (%macro? known) (%syntax? known)) known (%bad "this is not syntax:" rules)))
                      (%make-rules rules scope))))
    (%bind! scope (cadr form) meaning)))

;; Records: the procedures are made at once.
(define (%record-definition form)
  (if (not (and (list? form) (>= (length form) 4))) (%bad-form form))
  (let* ((type-name (if (pair? (cadr form)) (car (cadr form)) (cadr form)))
         (maker (caddr form))
         (predicate (cadddr form))
         (specs (map (lambda (it) (if (pair? it) it (list it))) (cddddr form)))
         (fields (map car specs)))
    (if (not (and (every %identifier? (cons type-name fields))
                  (or (not predicate) (%identifier? predicate))
                  (every (lambda (it) (and (list? it) (<= (length it) 3) (every %identifier? it))) specs)))
        (%bad-form form))
    (let ((type (%make-record-type (%strip type-name) (map %strip fields))))
      (append
       (list (cons type-name type))
       (cond ((not maker) '())
             ((%identifier? maker) (list (cons maker (%record-maker type fields fields form))))
             ((and (list? maker) (every %identifier? maker))
              (list (cons (car maker) (%record-maker type fields (cdr maker) form))))
             (else (%bad-form form)))
       (if predicate (list (cons predicate (lambda (x) (%record-of? type x)))) '())
       (apply append
              (map (lambda (spec index)
                     (append
                      (if (pair? (cdr spec))
                          (let ((name (symbol->string (%strip (cadr spec)))))
                            (list (cons (cadr spec) (lambda (x) (%record-ref type x index name)))))
                          '())
                      (if (and (pair? (cdr spec)) (pair? (cddr spec)))
                          (let ((name (symbol->string (%strip (caddr spec)))))
                            (list (cons (caddr spec) (lambda (x value) (%record-set! type x index name value)))))
                          '())))
                   specs
                   (iota (length specs))))))))

(define (%record-maker type fields arguments form)
  (let ((places (map (lambda (argument) (or (list-index (lambda (field) (eq? field argument)) fields) (%bad-form form)))
                     arguments))
        (count (length fields))
        (where %where))
    (lambda values
      (if (not (= (length values) (length places))) (%wrong-count where (length places) #f values))
      (let ((slots (make-vector count #f)))
        (for-each (lambda (place value) (vector-set! slots place value)) places values)
        (apply %record type (vector->list slots))))))

(define (%analyze-quasi x depth scope)
  (cond ((not (pair? x))
         (if (vector? x)
             (let ((run (%analyze-quasi (vector->list x) depth scope))) (lambda (frame) (list->vector (run frame))))
             (let ((x (%strip x))) (lambda (frame) x))))
        ((and (%keyword? (car x) 'unquote scope) (pair? (cdr x)) (null? (cddr x)))
         (if (= depth 1)
             (%analyze (cadr x) scope)
             (%quasi-list 'unquote (%analyze-quasi (cdr x) (- depth 1) scope))))
        ((and (%keyword? (car x) 'quasiquote scope) (pair? (cdr x)) (null? (cddr x)))
         (%quasi-list 'quasiquote (%analyze-quasi (cdr x) (+ depth 1) scope)))
        ((and (pair? (car x)) (%keyword? (caar x) 'unquote-splicing scope) (pair? (cdar x)) (null? (cddar x)))
         (let ((rest (%analyze-quasi (cdr x) depth scope)))
           (if (= depth 1)
               (let ((first (%analyze (cadar x) scope)))
                 (lambda (frame) (let ((items (first frame))) (append items (rest frame)))))
               (let ((first (%quasi-list 'unquote-splicing (%analyze-quasi (cdar x) (- depth 1) scope))))
                 (lambda (frame) (let ((item (first frame))) (cons item (rest frame))))))))
        (else
         (let ((first (%analyze-quasi (car x) depth scope)) (rest (%analyze-quasi (cdr x) depth scope)))
           (lambda (frame) (let ((item (first frame))) (cons item (rest frame))))))))
(define (%quasi-list name run) (lambda (frame) (cons name (run frame))))

(define (%analyze-begin form scope) (%sequence (%analyze-all (cdr form) scope)))

;; Where a definition stands as an expression.
(define (%misplaced form scope) (%bad "a definition stands where an expression is needed:" form))

(define (%feature? requirement scope)
  (cond ((%identifier? requirement)
         (or (%keyword? requirement 'else scope) (and (memq (%strip requirement) (features)) #t)))
        ((and (pair? requirement) (list? requirement))
         (case (%strip (car requirement))
           ((and) (every (lambda (it) (%feature? it scope)) (cdr requirement)))
           ((or) (any (lambda (it) (%feature? it scope)) (cdr requirement)))
           ((not) (not (%feature? (cadr requirement) scope)))
           ((library) (and (%library (cadr requirement)) #t))
           (else (%bad-form requirement))))
        (else (%bad-form requirement))))

(define (%cond-expand form scope)
  (let loop ((clauses (cdr form)))
    (cond ((null? clauses) (list %begin-alias))
          ((not (and (list? (car clauses)) (pair? (car clauses)))) (%bad-form form))
          ((%feature? (caar clauses) scope) (cons %begin-alias (cdar clauses)))
          (else (loop (cdr clauses))))))

(define %lambda-alias (%make-alias 'lambda %core))
(define %begin-alias (%make-alias 'begin %core))
(define (%core-names) (%environment-table %core))

(define (%install-syntax!)
  (for-each
   (lambda (entry)
     (hash-table-set! (%core-names) (car entry) (%make-syntax (car entry)))
     (if (cdr entry) (%define-analyzer! (car entry) (cdr entry))))
   (list
    (cons 'quote (lambda (form scope) (%counted form 1 1) (let ((x (%strip (cadr form)))) (lambda (frame) x))))
    (cons 'quasiquote (lambda (form scope) (%counted form 1 1) (%analyze-quasi (cadr form) 1 scope)))
    (cons 'lambda (lambda (form scope) (%counted form 2 #f) (%analyze-lambda (cadr form) (cddr form) scope)))
    (cons 'named-lambda
          (lambda (form scope)
            (%counted form 2 #f)
            (if (pair? (cadr form)) (%analyze-lambda (cdr (cadr form)) (cddr form) scope) (%bad-form form))))
    (cons 'if %analyze-if)
    (cons 'set! %analyze-set)
    (cons 'begin %analyze-begin)
    (cons 'let %analyze-let)
    (cons 'letrec %analyze-letrec)
    (cons 'letrec* %analyze-letrec)
    (cons 'and %analyze-and)
    (cons 'or %analyze-or)
    (cons 'case-lambda %analyze-case-lambda)
    (cons 'match (lambda (form scope) (%counted form 1 #f) (%analyze (%match-form form scope) scope)))
    (cons 'let-syntax (lambda (form scope) (%analyze-let-syntax form scope #f)))
    (cons 'letrec-syntax (lambda (form scope) (%analyze-let-syntax form scope #t)))
    (cons 'cond-expand (lambda (form scope) (%analyze (%cond-expand form scope) scope)))
    (cons 'syntax-error
          (lambda (form scope)
            (apply %error %where (if (pair? (cdr form)) (cadr form) "syntax-error")
                   (if (pair? (cdr form)) (map %strip (cddr form)) '()))))
    (cons 'define %misplaced)
    (cons 'define-values %misplaced)
    (cons 'define-record-type %misplaced)
    (cons 'define-syntax %misplaced)
    (cons 'syntax-rules #f)
    (cons 'unquote #f)
    (cons 'unquote-splicing #f)
    (cons 'else #f)
    (cons '=> #f)
    (cons '... #f)
    (cons '_ #f)
    (cons 'import #f)))
  (for-each
   (lambda (entry) (%bind! %core (car entry) (%make-rules (cadr entry) %core)))
   %derived)
  (for-each
   (lambda (entry) (%bind! %core (car entry) (%make-cell (car entry) (cdr entry) #f #f)))
   (list (cons '%make-delay %make-delay)
         (cons '%make-delay-force %make-delay-force)
         (cons '%parameterize %parameterize)
         (cons '%no-match (lambda (value) (error "match: no clause fits" value)))
         (cons '%failed-assertion (lambda (x) (error "assertion failed:" x))))))

;; Environments

;; Where names that are always there are found, and those of other libraries.
(define %libraries '())
(define %shared-names (make-equal-hash-table))
(define %installed #f)
(define (%prepare!)
  (if (not %installed)
      (begin
        (set! %installed #t)
        (%install-syntax!)
        (for-each
         (lambda (name) (hash-table-set! %shared-names name (hash-table-ref/default (%core-names) name #f)))
         (filter (lambda (name) (not (char=? (string-ref (symbol->string name) 0) #\%)))
                 (hash-table-keys (%core-names)))))))

(define (%define-names! names values)
  (for-each
   (lambda (name value)
     (let ((cell (%make-cell name value #f #f)))
       (hash-table-set! %shared-names name cell)
       (hash-table-set! (%core-names) name cell)))
   names
   values))

(define (%cells-of names ways)
  (let ((table (make-equal-hash-table)))
    (for-each (lambda (name way) (hash-table-set! table name (%make-cell name %unset (car way) (cdr way)))) names ways)
    table))

(define (%define-library! library names ways)
  (set! %libraries (cons (cons library (%cells-of names ways)) %libraries)))

(define %interaction (%make-environment (make-equal-hash-table) '() (list %shared-names) #t))
(define (%define-program! names ways)
  (for-each
   (lambda (name way)
     (hash-table-set! (%environment-table %interaction) name (%make-cell name %unset (car way) (cdr way))))
   names
   ways))

(define %standard
  '("scheme base" "scheme case-lambda" "scheme char" "scheme complex" "scheme cxr" "scheme eval" "scheme file"
    "scheme inexact" "scheme lazy" "scheme load" "scheme process-context" "scheme r5rs" "scheme read" "scheme repl"
    "scheme time" "scheme write"))

(define (%library-text name)
  (string-join
   (map (lambda (part) (if (symbol? part) (symbol->string part) (if (number? part) (number->string part) "?"))) name)
   " "))

;; The table of a library's names, or #f.
(define (%library name)
  (and (list? name)
       (let ((text (%library-text name)))
         (if (member text %standard)
             %shared-names
             (let ((entry (assoc text %libraries))) (and entry (cdr entry)))))))

(define (%imported set)
  (let ((sort (and (list? set) (pair? set) (pair? (cdr set)) (list? (cadr set)) (car set))))
    (define (named table name)
      (or (hash-table-ref/default table name #f) (%error %where "environment: the library does not export" name)))
    (define (changed f)
      (let ((table (make-equal-hash-table)))
        (hash-table-walk (%imported (cadr set))
          (lambda (name meaning) (let ((name (f name))) (if name (hash-table-set! table name meaning)))))
        table))
    (case sort
      ((only)
       (let ((from (%imported (cadr set))) (table (make-equal-hash-table)))
         (for-each (lambda (name) (hash-table-set! table name (named from name))) (cddr set))
         table))
      ((except) (changed (lambda (name) (and (not (memq name (cddr set))) name))))
      ((prefix)
       (changed
        (lambda (name) (string->symbol (string-append (symbol->string (caddr set)) (symbol->string name))))))
      ((rename)
       (let ((from (%imported (cadr set))))
         (for-each (lambda (pair) (named from (car pair))) (cddr set))
         (changed (lambda (name) (let ((entry (assq name (cddr set)))) (if entry (cadr entry) name))))))
      (else (or (%library set) (%error %where "environment: there is no library" set))))))

(define (environment . sets) (apply %environment/at "" sets))
(define (%environment/at place . sets)
  (%prepare!)
  (set! %where place)
  (%make-environment (make-equal-hash-table) '() (map %imported sets) #f))

(define (interaction-environment)
  (%prepare!)
  %interaction)

(define (%version version who)
  (if (not (memv version '(5 7))) (error (string-append who ": there is no such version of the report:") version)))

(define (scheme-report-environment version)
  (%version version "scheme-report-environment")
  (environment '(scheme base) '(scheme r5rs)))

;; Syntax alone
(define (null-environment version)
  (%version version "null-environment")
  (%prepare!)
  (let ((table (make-equal-hash-table)))
    (hash-table-walk %shared-names
      (lambda (name meaning) (if (not (%cell? meaning)) (hash-table-set! table name meaning))))
    (%make-environment (make-equal-hash-table) '() (list table) #f)))

;; The names that mean something in an environment, and are not the library's own.
(define (environment-names environment)
  (let ((found (make-equal-hash-table)))
    (define (add! table)
      (for-each
       (lambda (name)
         (if (and (symbol? name) (not (char=? (string-ref (symbol->string name) 0) #\%)))
             (hash-table-set! found name #t)))
       (hash-table-keys table)))
    (add! (%environment-table environment))
    (for-each
     (lambda (parent) (add! (if (%environment? parent) (%environment-table parent) parent)))
     (%environment-parents environment))
    (hash-table-keys found)))

;; Evaluation

(define (%define-global! environment name value)
  (let ((cell (%own-cell environment name)))
    (cond ((and (%cell? cell) (%cell-put cell)) ((%cell-put cell) value))
          ((%cell? cell) (%set-cell-value! cell value))
          (else (%bind! environment name (%make-cell (%strip name) value #f #f))))))

(define (%global-place! environment name)
  (if (not (%environment-changes? environment)) (%bad "the environment cannot be changed:" name))
  ;; A procedure sees itself: the name stands for the new variable while its value is made.
  (if (not (%cell? (%own-cell environment name)))
      (%bind! environment name
              (let ((old (%lookup name environment)))
                (%make-cell (%strip name) (if (and (%cell? old)) (%cell-content old) %unset) #f #f)))))

(define (%run form environment)
  (%deeper!)
  (let ((form (%expanded form environment)))
    (let ((syntax (and (pair? form) (%syntax-of (car form) environment))))
      (if (and syntax (not (list? form))) (%bad-form form))
      (case syntax
        ((begin)
         (let loop ((forms (cdr form)))
           (cond ((null? forms) (if #f #f))
                 ((null? (cdr forms)) (%run (car forms) environment))
                 (else
                  (%run (car forms) environment)
                  (loop (cdr forms))))))
        ((cond-expand) (%run (%cond-expand form environment) environment))
        ((define)
         (let ((parts (%definition form)))
           (%global-place! environment (car parts))
           (let ((run (%analyze-value parts environment)))
             (%define-global! environment (car parts) (run #f)))))
        ((define-values)
         (let* ((parts (%values-definition form)) (run (%analyze (caddr parts) environment)))
           (for-each (lambda (name) (%global-place! environment name)) (append (car parts) (cadr parts)))
           (call-with-values
            (lambda () (run #f))
            (lambda results
              (let loop ((names (car parts)) (results results))
                (cond ((pair? names)
                       (if (null? results) (error "define-values: too few values"))
                       (%define-global! environment (car names) (car results))
                       (loop (cdr names) (cdr results)))
                      ((pair? (cadr parts)) (%define-global! environment (car (cadr parts)) results))
                      ((pair? results) (error "define-values: too many values"))))))))
        ((define-record-type)
         (for-each
          (lambda (entry)
            (%global-place! environment (car entry))
            (%define-global! environment (car entry) (cdr entry)))
          (%record-definition form)))
        ((define-syntax)
         (if (not (%environment-changes? environment)) (%bad "the environment cannot be changed:" (cadr form)))
         (%define-syntax! form environment))
        ((import)
         (if (not (%environment-changes? environment)) (%bad "the environment cannot be changed:" form))
         (for-each
          (lambda (set)
            (hash-table-walk (%imported set)
              (lambda (name meaning)
                (if (not (eq? (%lookup name environment) meaning)) (%bind! environment name meaning)))))
          (cdr form)))
        (else ((%analyze form environment) #f))))))

(define (eval form . environment) (apply %eval/at "" form environment))
(define (%eval/at place form . environment)
  (%prepare!)
  (set! %where place)
  (set! %depth 0)
  (let ((environment (if (null? environment) %interaction (car environment))))
    (if (not (%environment? environment))
        (%error place "eval: expected an environment, but got" environment))
    (%run form environment)))

(define (load name . environment) (apply %load/at "" name environment))
(define (%load/at place name . environment)
  (let ((port (%open-input-file place name)))
    (let loop ()
      (let ((form (read port)))
        (if (eof-object? form)
            (close-port port)
            (begin
              (apply %eval/at place form environment)
              (loop)))))))

))
