;; `match` for `eval`: forms that take a value apart are around the body of a clause, and go on with the next one where
;; a test fails. The patterns are those of compiled programs. What is inserted means what it means in the core.

(define-library (oxbow match)
  (import (oxbow syntax))
  (export %match-form)
  (begin

(define (%core-form name . parts) (cons (%make-alias name %core) parts))
(define (%core-let name value body) (%core-form 'let (list (list name value)) body))

;; Names would not be bound: the pattern is inside of `or` or `not`.
(define %only-tested #f)

(define (%match-form form scope)
  (set! %only-tested #f)
  (let ((subject (%make-alias 'subject %core)))
    (%core-let subject (cadr form) (%match-clauses (cddr form) subject scope))))

(define (%match-clauses clauses subject scope)
  (if (null? clauses)
      (%core-form '%no-match subject)
      (let ((clause (car clauses)) (next (%make-alias 'next %core)))
        (if (not (and (list? clause) (pair? clause) (pair? (cdr clause))))
            (%bad "a clause of match is (pattern expression ...), not" clause))
        (if (%keyword? (car clause) 'else scope)
            (apply %core-form 'begin (cdr clause))
            (%core-let next (%core-form 'lambda '() (%match-clauses (cdr clauses) subject scope))
              (%match-pattern (car clause) subject (%match-body (cdr clause) next scope) (list next) scope))))))

;; `(=> fail) body …`
(define (%match-body body next scope)
  (let ((first (car body)))
    (if (and (list? first) (= (length first) 2) (%keyword? (car first) '=> scope))
        (%core-let (cadr first) next (apply %core-form 'let '() (cdr body)))
        (apply %core-form 'let '() body))))

(define (%match-test test yes no) (%core-form 'if test yes no))
(define (%quoted x) (%core-form 'quote x))
(define (%match-constant x value yes no) (%match-test (%core-form 'equal? value (%quoted x)) yes no))

;; A part of the value gets a name.
(define (%match-part part pattern yes no scope)
  (let ((name (%make-alias 'part %core))) (%core-let name part (%match-pattern pattern name yes no scope))))

(define (%match-pattern pattern value yes no scope)
  (cond ((%identifier? pattern)
         (cond ((eq? (%strip pattern) '_) yes)
               (%only-tested (%bad "names inside of or and not would not be bound, write _ for" pattern))
               (else (%core-let pattern value yes))))
        ((vector? pattern)
         (let ((count (vector-length pattern)))
           (%match-test (%core-form 'vector? value)
             (%match-test (%core-form 'eqv? (%core-form 'vector-length value) count)
               (let loop ((i (- count 1)) (yes yes))
                 (if (< i 0)
                     yes
                     (loop (- i 1) (%match-part (%core-form 'vector-ref value i) (vector-ref pattern i) yes no scope))))
               no)
             no)))
        ((pair? pattern) (%match-list pattern value yes no scope))
        (else (%match-constant pattern value yes no))))

(define (%match-all patterns value yes no scope)
  (if (null? patterns)
      yes
      (%match-pattern (car patterns) value (%match-all (cdr patterns) value yes no scope) no scope)))

(define (%match-list pattern value yes no scope)
  (let ((head (and (%identifier? (car pattern)) (%strip (car pattern))))
        (count (if (list? pattern) (length pattern) 0)))
    (define (is name least most) (and (eq? head name) (>= count least) (<= count most)))
    (define (holds pattern)
      (let ((before %only-tested))
        (set! %only-tested #t)
        (let ((test (%match-pattern pattern value #t #f scope)))
          (set! %only-tested before)
          test)))
    (cond ((is 'quote 2 2) (%match-constant (cadr pattern) value yes no))
          ((is 'quasiquote 2 2) (%match-quasi (cadr pattern) value 1 yes no scope))
          ((is 'cons 3 3) (%match-pair (cadr pattern) (caddr pattern) value yes no scope))
          ((is 'list 1 count) (%match-items (cdr pattern) value yes no scope))
          ((is '? 2 count)
           (%match-test (list (cadr pattern) value) (%match-all (cddr pattern) value yes no scope) no))
          ((is '= 3 3) (%match-part (list (cadr pattern) value) (caddr pattern) yes no scope))
          ((is 'and 1 count) (%match-all (cdr pattern) value yes no scope))
          ((is 'or 1 count) (%match-test (apply %core-form 'or (map holds (cdr pattern))) yes no))
          ((is 'not 2 2) (%match-test (holds (cadr pattern)) no yes))
          (else (%match-items pattern value yes no scope)))))

(define (%match-pair first rest value yes no scope)
  (%match-test (%core-form 'pair? value)
    (%match-part (%core-form 'car value) first (%match-part (%core-form 'cdr value) rest yes no scope) no scope)
    no))

(define (%dots? x) (and (%identifier? x) (memq (%strip x) '(... ___)) #t))

;; The elements of a list; a name before an ellipsis takes all that are left.
(define (%match-items items value yes no scope)
  (cond ((null? items) (%match-test (%core-form 'null? value) yes no))
        ((not (pair? items)) (%match-pattern items value yes no scope))
        ((and (pair? (cdr items)) (%dots? (cadr items)))
         (if (pair? (cddr items)) (%bad "an ellipsis in a match pattern ends its list:" items))
         (if (not (%identifier? (car items))) (%bad "in match, an ellipsis follows a name, not" (car items)))
         (%match-test (%core-form 'list? value) (%match-pattern (car items) value yes no scope) no))
        (else
         (let ((rest (%make-alias 'rest %core)))
           (%match-test (%core-form 'pair? value)
             (%match-part (%core-form 'car value) (car items)
               (%core-let rest (%core-form 'cdr value) (%match-items (cdr items) rest yes no scope))
               no scope)
             no)))))

(define (%match-quasi x value depth yes no scope)
  (define (keyword? name)
    (and (%keyword? (car x) name scope) (pair? (cdr x)) (null? (cddr x))))
  (cond ((vector? x)
         (let ((items (%make-alias 'items %core)))
           (%match-test (%core-form 'vector? value)
             (%core-let items (%core-form 'vector->list value)
               (%match-quasi (vector->list x) items depth yes no scope))
             no)))
        ((not (pair? x)) (%match-constant x value yes no))
        ((and (keyword? 'unquote) (= depth 1)) (%match-pattern (cadr x) value yes no scope))
        (else
         (let ((first (%make-alias 'first %core))
               (rest (%make-alias 'rest %core))
               (depth (cond ((keyword? 'unquote) (- depth 1)) ((keyword? 'quasiquote) (+ depth 1)) (else depth))))
           (%match-test (%core-form 'pair? value)
             (%core-let first (%core-form 'car value)
               (%core-let rest (%core-form 'cdr value)
                 (%match-quasi (car x) first depth (%match-quasi (cdr x) rest depth yes no scope) no scope)))
             no)))))
))
