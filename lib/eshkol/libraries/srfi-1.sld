(define-library (srfi 1)
  (export cons list xcons cons* make-list list-tabulate list-copy circular-list iota
   pair? null? proper-list? circular-list? dotted-list? not-pair? null-list? list=
   car cdr caar cadr cdar cddr caaar caadr cadar caddr cdaar cdadr cddar cdddr caaaar caaadr caadar caaddr cadaar
   cadadr caddar cadddr cdaaar cdaadr cdadar cdaddr cddaar cddadr cdddar cddddr
   list-ref first second third fourth fifth sixth seventh eighth ninth tenth car+cdr take drop take-right drop-right
   take! drop-right! split-at split-at! last last-pair length length+ append concatenate reverse append!
   concatenate! reverse! append-reverse append-reverse! zip unzip1 unzip2 unzip3 unzip4 unzip5 count
   map for-each fold unfold pair-fold reduce fold-right unfold-right pair-fold-right reduce-right append-map
   append-map! map! map-in-order pair-for-each filter-map filter partition remove filter! partition! remove!
   find find-tail any every list-index take-while drop-while take-while! span break span! break!
   member memq memv delete delete-duplicates delete! delete-duplicates! assoc assq assv alist-cons alist-copy
   alist-delete alist-delete! lset<= lset= lset-adjoin lset-union lset-union! lset-intersection lset-intersection!
   lset-difference lset-difference! lset-xor lset-xor! lset-diff+intersection (rename lset-diff+intersection lset-diff+intersection!)
   set-car! set-cdr!)
  (begin

;; The accumulator comes last, as the procedure takes it.
(define (%fold/3 f acc list)
  (let loop ((acc acc) (list list))
    (if (pair? list) (loop (f (car list) acc) (cdr list)) (%at-end "fold" list acc))))
(define (fold f acc list . more)
  (if (null? more)
      (%fold/3 f acc list)
      (let loop ((acc acc) (lists (cons list more)))
        (if (%any-null? lists)
            (%at-an-end "fold" lists acc)
            (loop (apply f (append (%cars lists) (cons acc '()))) (%cdrs lists))))))

(define (pair-fold f acc list . more)
  (if (null? more)
      (let loop ((list list) (acc acc))
        (if (pair? list) (let ((next (cdr list))) (loop next (f list acc))) acc))
      (let loop ((lists (cons list more)) (acc acc))
        (if (%any-null? lists)
            acc
            (let ((next (%cdrs lists))) (loop next (apply f (append lists (cons acc '())))))))))

(define (pair-fold-right f acc list . more)
  (let loop ((lists (cons list more)))
    (if (%any-null? lists)
        acc
        (apply f (append lists (cons (loop (%cdrs lists)) '()))))))

(define (pair-for-each f list . more)
  (let loop ((lists (cons list more)))
    (if (not (%any-null? lists))
        (let ((next (%cdrs lists)))
          (apply f lists)
          (loop next)))))

))
