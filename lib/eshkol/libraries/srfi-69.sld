(define-library (srfi 69)
  (export (rename make-table make-hash-table) hash-table? (rename table-of-alist alist->hash-table)
          hash-table-equivalence-function hash-table-hash-function
          hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete! hash-table-exists?
          hash-table-update! hash-table-update!/default hash-table-size hash-table-keys hash-table-values
          hash-table-walk (rename table-fold hash-table-fold) hash-table->alist hash-table-copy hash-table-merge!
          hash string-hash string-ci-hash hash-by-identity)
  (begin

;; A table compares by equal? or eqv?; other equivalences are refused where the table is made.
(define (make-table . options)
  (let ((same? (if (pair? options) (car options) equal?)))
    (cond ((memq same? (list eq? eqv?)) (make-strong-eqv-hash-table))
          ((memq same? (list equal? string=? =)) (make-equal-hash-table))
          (else (error "make-hash-table: tables compare by eq?, eqv?, equal?, string=? or =" same?)))))

(define (table-of-alist alist . options)
  (let ((table (apply make-table options)))
    (for-each
     (lambda (entry)
       (if (not (hash-table-exists? table (car entry))) (hash-table-set! table (car entry) (cdr entry))))
     alist)
    table))

(define (hash-table-equivalence-function table) (if (%identity-table? table) eqv? equal?))
(define (hash-table-hash-function table) hash)
(define (hash-by-identity x . bound) (apply hash x bound))

(define (table-fold table f seed)
  (let loop ((entries (hash-table->alist table)) (seed seed))
    (if (null? entries) seed (loop (cdr entries) (f (caar entries) (cdar entries) seed)))))

))
