(define-library (srfi 41)
  (export stream-null stream-cons stream? stream-null? stream-pair? stream-car stream-cdr stream-lambda define-stream
          list->stream port->stream stream stream->list stream-append stream-concat stream-constant stream-drop
          stream-drop-while stream-filter stream-fold stream-for-each stream-from stream-iterate stream-length
          stream-let stream-map stream-match stream-of stream-range stream-ref stream-reverse stream-scan stream-take
          stream-take-while stream-unfold stream-unfolds stream-zip)
  (begin

;; A stream holds the promise of an empty list or of a pair of a promise and a stream.
(define-record-type <stream> (make-stream promise) stream? (promise stream-promise))
(define-record-type <stream-pair> (make-pair first rest) stream-pare? (first pair-first) (rest pair-rest))

(define-syntax stream-lazy (syntax-rules () ((_ e) (make-stream (delay-force (stream-promise e))))))
(define-syntax stream-cons
  (syntax-rules () ((_ a b) (make-stream (make-promise (make-pair (delay a) (stream-lazy b)))))))

(define stream-null (make-stream (make-promise '())))
(define (content s) (force (stream-promise s)))
(define (stream-null? x) (and (stream? x) (null? (content x))))
(define (stream-pair? x) (and (stream? x) (stream-pare? (content x))))

(define (need-pair who s)
  (cond ((not (stream? s)) (error (string-append who ": expected a stream, but got") s))
        ((null? (content s)) (error (string-append who ": the stream is empty")))
        (else (content s))))
(define (need who s) (if (not (stream? s)) (error (string-append who ": expected a stream, but got") s)))
(define (need-count who n)
  (if (not (and (exact-integer? n) (>= n 0))) (error (string-append who ": expected a natural number, but got") n)))
(define (need-procedure who f)
  (if (not (procedure? f)) (error (string-append who ": expected a procedure, but got") f)))

(define (stream-car s) (force (pair-first (need-pair "stream-car" s))))
(define (stream-cdr s) (pair-rest (need-pair "stream-cdr" s)))

(define-syntax stream-lambda
  (syntax-rules () ((_ formals body0 body1 ...) (lambda formals (stream-lazy (let () body0 body1 ...))))))
(define-syntax define-stream
  (syntax-rules ()
    ((_ (name . formals) body0 body1 ...) (define name (stream-lambda formals body0 body1 ...)))))
(define-syntax stream-let
  (syntax-rules ()
    ((_ tag ((name val) ...) body1 body2 ...)
     ((letrec ((tag (stream-lambda (name ...) body1 body2 ...))) tag) val ...))))

(define (list->stream items)
  (if (not (list? items)) (error "list->stream: expected a list, but got" items))
  (let loop ((items items))
    (stream-lazy (if (null? items) stream-null (stream-cons (car items) (loop (cdr items)))))))

(define (port->stream . port)
  (let ((port (if (null? port) (current-input-port) (car port))))
    (let loop ()
      (stream-lazy
       (let ((c (read-char port))) (if (eof-object? c) stream-null (stream-cons c (loop))))))))

(define-syntax stream
  (syntax-rules () ((_) stream-null) ((_ x y ...) (stream-cons x (stream y ...)))))

(define (stream->list . args)
  (let ((n (if (= (length args) 1) #f (car args))) (s (if (= (length args) 1) (car args) (cadr args))))
    (need "stream->list" s)
    (if n (need-count "stream->list" n))
    (let loop ((n (or n -1)) (s s) (made '()))
      (if (or (= n 0) (stream-null? s)) (reverse made) (loop (- n 1) (stream-cdr s) (cons (stream-car s) made))))))

(define (stream-append . streams)
  (for-each (lambda (s) (need "stream-append" s)) streams)
  (let loop ((streams streams))
    (cond ((null? streams) stream-null)
          ((null? (cdr streams)) (car streams))
          (else
           (stream-let inner ((s (car streams)))
             (if (stream-null? s)
                 (loop (cdr streams))
                 (stream-cons (stream-car s) (inner (stream-cdr s)))))))))

(define (stream-concat streams)
  (need "stream-concat" streams)
  (stream-let loop ((streams streams))
    (if (stream-null? streams)
        stream-null
        (let ((first (stream-car streams)))
          (need "stream-concat" first)
          (stream-let inner ((s first))
            (if (stream-null? s)
                (loop (stream-cdr streams))
                (stream-cons (stream-car s) (inner (stream-cdr s)))))))))

(define (stream-constant . items)
  (if (null? items)
      stream-null
      (stream-let loop ((left items))
        (if (null? left) (loop items) (stream-cons (car left) (loop (cdr left)))))))

(define (stream-drop n s)
  (need-count "stream-drop" n)
  (need "stream-drop" s)
  (stream-let loop ((n n) (s s))
    (if (or (= n 0) (stream-null? s)) s (loop (- n 1) (stream-cdr s)))))

(define (stream-drop-while drop? s)
  (need-procedure "stream-drop-while" drop?)
  (need "stream-drop-while" s)
  (stream-let loop ((s s))
    (if (and (stream-pair? s) (drop? (stream-car s))) (loop (stream-cdr s)) s)))

(define (stream-filter keep? s)
  (need-procedure "stream-filter" keep?)
  (need "stream-filter" s)
  (stream-let loop ((s s))
    (cond ((stream-null? s) stream-null)
          ((keep? (stream-car s)) (stream-cons (stream-car s) (loop (stream-cdr s))))
          (else (loop (stream-cdr s))))))

(define (stream-fold f base s)
  (need-procedure "stream-fold" f)
  (need "stream-fold" s)
  (let loop ((base base) (s s))
    (if (stream-null? s) base (loop (f base (stream-car s)) (stream-cdr s)))))

(define (stream-for-each f . streams)
  (need-procedure "stream-for-each" f)
  (if (null? streams) (error "stream-for-each: no stream arguments"))
  (for-each (lambda (s) (need "stream-for-each" s)) streams)
  (let loop ((streams streams))
    (if (not (any stream-null? streams))
        (begin
          (apply f (map stream-car streams))
          (loop (map stream-cdr streams))))))

(define (stream-from first . step)
  (let ((step (if (null? step) 1 (car step))))
    (stream-let loop ((x first)) (stream-cons x (loop (+ x step))))))

(define (stream-iterate f base)
  (need-procedure "stream-iterate" f)
  (stream-let loop ((x base)) (stream-cons x (loop (f x)))))

(define (stream-length s)
  (need "stream-length" s)
  (let loop ((n 0) (s s)) (if (stream-null? s) n (loop (+ n 1) (stream-cdr s)))))

(define (stream-map f . streams)
  (need-procedure "stream-map" f)
  (if (null? streams) (error "stream-map: no stream arguments"))
  (for-each (lambda (s) (need "stream-map" s)) streams)
  (stream-let loop ((streams streams))
    (if (any stream-null? streams)
        stream-null
        (stream-cons (apply f (map stream-car streams)) (loop (map stream-cdr streams))))))

(define-syntax stream-match
  (syntax-rules ()
    ((_ e clause ...)
     (let ((s e))
       (if (stream? s) (match-clauses s clause ...) (error "stream-match: expected a stream, but got" s))))))
(define-syntax match-clauses
  (syntax-rules ()
    ((_ s) (error "stream-match: no pattern fits"))
    ((_ s (pattern . rest) clause ...)
     (let ((next (lambda () (match-clauses s clause ...)))) (match-pattern s pattern () next rest)))))
(define-syntax match-pattern
  (syntax-rules (_)
    ((match-pattern s () (binding ...) next (fender e))
     (if (stream-null? s) (let (binding ...) (if fender e (next))) (next)))
    ((match-pattern s () (binding ...) next (e)) (if (stream-null? s) (let (binding ...) e) (next)))
    ((match-pattern s (_ . pattern) (binding ...) next rest)
     (if (stream-pair? s)
         (let ((t (stream-cdr s))) (match-pattern t pattern (binding ...) next rest))
         (next)))
    ((match-pattern s (x . pattern) (binding ...) next rest)
     (if (stream-pair? s)
         (let ((t (stream-cdr s)) (v (stream-car s))) (match-pattern t pattern (binding ... (x v)) next rest))
         (next)))
    ((match-pattern s _ (binding ...) next (fender e)) (let (binding ...) (if fender e (next))))
    ((match-pattern s _ (binding ...) next (e)) (let (binding ...) e))
    ((match-pattern s x (binding ...) next (fender e)) (let (binding ... (x s)) (if fender e (next))))
    ((match-pattern s x (binding ...) next (e)) (let (binding ... (x s)) e))))

(define-syntax stream-of
  (syntax-rules () ((_ e clause ...) (stream-of-from e stream-null clause ...))))
(define-syntax stream-of-from
  (syntax-rules (in is)
    ((_ e base) (stream-cons e base))
    ((_ e base (x in s) clause ...)
     (stream-let loop ((t s))
       (if (stream-null? t)
           base
           (let ((x (stream-car t))) (stream-of-from e (loop (stream-cdr t)) clause ...)))))
    ((_ e base (x is v) clause ...) (let ((x v)) (stream-of-from e base clause ...)))
    ((_ e base test clause ...) (if test (stream-of-from e base clause ...) base))))

(define (stream-range first past . step)
  (let ((step (if (null? step) (if (< first past) 1 -1) (car step))))
    (stream-let loop ((x first))
      (if (if (< 0 step) (< x past) (> x past)) (stream-cons x (loop (+ x step))) stream-null))))

(define (stream-ref s n)
  (need "stream-ref" s)
  (need-count "stream-ref" n)
  (let loop ((s s) (n n))
    (cond ((stream-null? s) (error "stream-ref: beyond the end of the stream"))
          ((= n 0) (stream-car s))
          (else (loop (stream-cdr s) (- n 1))))))

(define (stream-reverse s)
  (need "stream-reverse" s)
  (stream-let loop ((s s) (made stream-null))
    (if (stream-null? s) made (loop (stream-cdr s) (stream-cons (stream-car s) made)))))

(define (stream-scan f base s)
  (need-procedure "stream-scan" f)
  (need "stream-scan" s)
  (stream-let loop ((base base) (s s))
    (if (stream-null? s)
        (stream base)
        (stream-cons base (loop (f base (stream-car s)) (stream-cdr s))))))

(define (stream-take n s)
  (need-count "stream-take" n)
  (need "stream-take" s)
  (stream-let loop ((n n) (s s))
    (if (or (= n 0) (stream-null? s)) stream-null (stream-cons (stream-car s) (loop (- n 1) (stream-cdr s))))))

(define (stream-take-while keep? s)
  (need-procedure "stream-take-while" keep?)
  (need "stream-take-while" s)
  (stream-let loop ((s s))
    (if (and (stream-pair? s) (keep? (stream-car s)))
        (stream-cons (stream-car s) (loop (stream-cdr s)))
        stream-null)))

(define (stream-unfold mapper keep? generator base)
  (stream-let loop ((base base))
    (if (keep? base) (stream-cons (mapper base) (loop (generator base))) stream-null)))

(define (stream-unfolds generator seed)
  (define (results seed)
    (stream-let loop ((seed seed))
      (call-with-values (lambda () (generator seed)) (lambda (next . items) (stream-cons items (loop next))))))
  (define (nth all n)
    (stream-let loop ((all all))
      (let ((item (list-ref (stream-car all) n)))
        (cond ((pair? item) (stream-cons (car item) (loop (stream-cdr all))))
              ((null? item) stream-null)
              (else (loop (stream-cdr all)))))))
  (let* ((all (results seed)) (count (length (stream-car all))))
    (apply values (map (lambda (n) (nth all n)) (iota count)))))

(define (stream-zip . streams)
  (if (null? streams) (error "stream-zip: no stream arguments"))
  (for-each (lambda (s) (need "stream-zip" s)) streams)
  (stream-let loop ((streams streams))
    (if (any stream-null? streams)
        stream-null
        (stream-cons (map stream-car streams) (loop (map stream-cdr streams))))))

))
