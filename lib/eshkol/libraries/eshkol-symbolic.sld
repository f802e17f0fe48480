;; Derivatives of expressions as expressions. `diff` takes a procedure, too, and gives its derivative.
(define-library (eshkol symbolic)
  (export diff simplify %diff)
  (begin

(define-syntax diff
  (syntax-rules (lambda quote)
    ((_ (lambda (x) body ...) v) (derivative (lambda (x) body ...)))
    ((_ (quote expression) (quote v)) (%diff 'expression 'v))
    ((_ expression (quote v)) (%diff expression 'v))
    ((_ (operator . operands) v) (%diff '(operator . operands) 'v))
    ((_ expression v) (%diff expression v))))

(define (%diff expression v)
  (if (not (symbol? v)) (error "diff: expected a symbol, but got" v))
  (simplify (slope (simplify expression) v)))

(define (constant? x v) (if (pair? x) (every (lambda (part) (constant? part v)) (cdr x)) (not (eq? x v))))

(define (slope x v)
  (cond ((number? x) 0)
        ((symbol? x) (if (eq? x v) 1 0))
        ((not (and (pair? x) (list? x))) (error "diff: no expression:" x))
        ((constant? x v) 0)
        (else
         (let* ((args (cdr x)) (a (car args)) (b (if (pair? (cdr args)) (cadr args) #f)))
           (case (car x)
             ((+ -) (cons (car x) (map (lambda (part) (slope part v)) args)))
             ((*) (product-slope args v))
             ((/) (if b (quotient-slope a b v) (list '/ (list '- (slope a v)) (list 'expt a 2))))
             ((expt pow) (power-slope a b v))
             (else (list '* (outer-slope x (car x) a) (slope a v))))))))

(define (product-slope args v)
  (cons '+
        (let loop ((before '()) (after args))
          (if (null? after)
              '()
              (cons (cons '* (append (reverse before) (list (slope (car after) v)) (cdr after)))
                    (loop (cons (car after) before) (cdr after)))))))

(define (quotient-slope a b v)
  (if (constant? b v)
      (list '/ (slope a v) b)
      (list '/ (list '- (list '* (slope a v) b) (list '* a (slope b v))) (list 'expt b 2))))

(define (power-slope a b v)
  (cond ((constant? b v) (list '* b (list 'expt a (list '- b 1)) (slope a v)))
        ((constant? a v) (list '* (list 'expt a b) (list 'log a) (slope b v)))
        (else
         (list '* (list 'expt a b)
               (list '+ (list '* (slope b v) (list 'log a)) (list '/ (list '* b (slope a v)) a))))))

(define (outer-slope whole f a)
  (case f
    ((sin) (list 'cos a))
    ((cos) (list '- (list 'sin a)))
    ((tan) (list '/ 1 (list 'expt (list 'cos a) 2)))
    ((asin) (list '/ 1 (list 'sqrt (list '- 1 (list 'expt a 2)))))
    ((acos) (list '/ -1 (list 'sqrt (list '- 1 (list 'expt a 2)))))
    ((atan) (list '/ 1 (list '+ 1 (list 'expt a 2))))
    ((sinh) (list 'cosh a))
    ((cosh) (list 'sinh a))
    ((tanh) (list '- 1 (list 'expt (list 'tanh a) 2)))
    ((exp) whole)
    ((log) (list '/ 1 a))
    ((sqrt) (list '/ 1 (list '* 2 whole)))
    (else (error "diff: no derivative is known of" f))))

;; Sums and products without nesting, their numbers in one, equal terms and factors counted.
(define (simplify x)
  (if (not (and (pair? x) (list? x)))
      x
      (let ((args (map simplify (cdr x))))
        (case (car x)
          ((+) (sum args))
          ((-) (if (null? (cdr args))
                   (product (list -1 (car args)))
                   (sum (cons (car args) (map (lambda (it) (product (list -1 it))) (cdr args))))))
          ((*) (product args))
          ((/) (ratio args))
          ((expt pow) (power (car args) (cadr args)))
          (else (cons (car x) args))))))

(define (spread operator args)
  (append-map (lambda (it) (if (and (pair? it) (eq? (car it) operator)) (cdr it) (list it))) args))

;; Counts of what is the same, in the order of the first of each.
(define (gather items count-of rest-of)
  (let loop ((items items) (found '()))
    (if (null? items)
        (reverse found)
        (let* ((it (car items)) (rest (rest-of it)) (known (assoc rest found)))
          (loop (cdr items)
                (if known
                    (map (lambda (entry)
                           (if (equal? (car entry) rest) (cons rest (sum (list (cdr entry) (count-of it)))) entry))
                         found)
                    (cons (cons rest (count-of it)) found)))))))

(define (numbers items) (filter number? items))
(define (others items) (remove number? items))

(define (sum args)
  (let* ((all (spread '+ args))
         (total (apply + (numbers all)))
         (factor (lambda (it) (if (and (pair? it) (eq? (car it) '*) (number? (cadr it))) (cadr it) 1)))
         (term (lambda (it)
                 (if (and (pair? it) (eq? (car it) '*) (number? (cadr it)))
                     (if (null? (cdddr it)) (caddr it) (cons '* (cddr it)))
                     it)))
         (terms (map (lambda (entry) (product (list (cdr entry) (car entry)))) (gather (others all) factor term)))
         (terms (others terms))
         (parts (if (and (number? total) (= total 0) (pair? terms)) terms (append terms (list total)))))
    (if (null? (cdr parts)) (car parts) (cons '+ parts))))

;; A number and factors as one expression.
(define (whole total factors)
  (cond ((null? factors) total)
        ((not (and (exact? total) (= total 1))) (cons '* (cons total factors)))
        ((null? (cdr factors)) (car factors))
        (else (cons '* factors))))

(define (inverse x)
  (cond ((and (number? x) (not (and (exact? x) (= x 0)))) (/ 1 x))
        ((and (pair? x) (eq? (car x) 'expt)) (power (cadr x) (product (list -1 (caddr x)))))
        (else (list 'expt x -1))))

(define (factors-of x)
  (cond ((and (pair? x) (eq? (car x) '*)) (append-map factors-of (cdr x)))
        ((and (pair? x) (eq? (car x) '/)) (append (factors-of (cadr x)) (map inverse (factors-of (caddr x)))))
        (else (list x))))

;; Factors with negative exponents are divisors.
(define (product args)
  (let* ((all (append-map factors-of args))
         (exponent (lambda (it) (if (and (pair? it) (eq? (car it) 'expt)) (caddr it) 1)))
         (base (lambda (it) (if (and (pair? it) (eq? (car it) 'expt)) (cadr it) it)))
         (factors (map (lambda (entry) (power (car entry) (cdr entry))) (gather (others all) exponent base)))
         (total (apply * (append (numbers all) (numbers factors))))
         (factors (others factors))
         (divides? (lambda (it) (and (number? (exponent it)) (negative? (exponent it)))))
         (divisors (map inverse (filter divides? factors)))
         (factors (remove divides? factors)))
    (cond ((and (exact? total) (= total 0)) 0)
          ((null? divisors) (whole total factors))
          ((exact? total) (list '/ (whole (numerator total) factors) (whole (denominator total) divisors)))
          (else (list '/ (whole total factors) (whole 1 divisors))))))

(define (ratio args)
  (if (null? (cdr args)) (product (list (inverse (car args)))) (product (cons (car args) (map inverse (cdr args))))))

(define (power a b)
  (cond ((and (number? b) (exact? b) (= b 0)) 1)
        ((and (number? b) (exact? b) (= b 1)) a)
        ((and (number? a) (number? b) (exact-integer? b) (>= b 0)) (expt a b))
        ((and (number? a) (exact? a) (= a 1)) 1)
        ((and (pair? a) (eq? (car a) 'expt)) (power (cadr a) (product (list (caddr a) b))))
        (else (list 'expt a b))))
))
