(define-library (srfi 117)
  (export make-list-queue list-queue list-queue-copy list-queue-unfold list-queue-unfold-right list-queue?
          list-queue-empty? list-queue-front list-queue-back list-queue-list list-queue-first-last
          list-queue-add-front! list-queue-add-back! list-queue-remove-front! list-queue-remove-back!
          list-queue-remove-all! list-queue-set-list! list-queue-append list-queue-append! list-queue-concatenate
          list-queue-map list-queue-map! list-queue-for-each)
  (begin

(define-record-type <list-queue> (new-queue first last) list-queue?
  (first queue-first set-queue-first!)
  (last queue-last set-queue-last!))

(define (last-of items) (if (null? items) '() (last-pair items)))
(define (make-list-queue items . last) (new-queue items (if (null? last) (last-of items) (car last))))
(define (list-queue . items) (make-list-queue items))
(define (list-queue-copy q) (make-list-queue (list-copy (queue-first q))))

(define (list-queue-unfold stop? mapper successor seed . queue)
  (let* ((queue (if (null? queue) (list-queue) (car queue))) (items (unfold stop? mapper successor seed)))
    (list-queue-set-list! queue (append items (queue-first queue)))
    queue))
(define (list-queue-unfold-right stop? mapper successor seed . queue)
  (let* ((queue (if (null? queue) (list-queue) (car queue))) (items (unfold-right stop? mapper successor seed)))
    (list-queue-set-list! queue (append (queue-first queue) items))
    queue))

(define (list-queue-empty? q) (null? (queue-first q)))
(define (need who q) (if (list-queue-empty? q) (error (string-append who ": the queue is empty"))))
(define (list-queue-front q) (need "list-queue-front" q) (car (queue-first q)))
(define (list-queue-back q) (need "list-queue-back" q) (car (queue-last q)))
(define (list-queue-list q) (queue-first q))
(define (list-queue-first-last q) (values (queue-first q) (queue-last q)))

(define (list-queue-add-front! q x)
  (let ((items (cons x (queue-first q))))
    (if (list-queue-empty? q) (set-queue-last! q items))
    (set-queue-first! q items)))
(define (list-queue-add-back! q x)
  (let ((items (list x)))
    (if (list-queue-empty? q) (set-queue-first! q items) (set-cdr! (queue-last q) items))
    (set-queue-last! q items)))
(define (list-queue-remove-front! q)
  (need "list-queue-remove-front!" q)
  (let* ((items (queue-first q)) (rest (cdr items)))
    (if (null? rest) (set-queue-last! q '()))
    (set-queue-first! q rest)
    (car items)))
(define (list-queue-remove-back! q)
  (need "list-queue-remove-back!" q)
  (let ((x (car (queue-last q))) (items (queue-first q)))
    (if (null? (cdr items))
        (list-queue-set-list! q '())
        (let loop ((pair items))
          (if (null? (cddr pair))
              (begin
                (set-cdr! pair '())
                (set-queue-last! q pair))
              (loop (cdr pair)))))
    x))
(define (list-queue-remove-all! q)
  (let ((items (queue-first q)))
    (list-queue-set-list! q '())
    items))
(define (list-queue-set-list! q items . last)
  (set-queue-first! q items)
  (set-queue-last! q (if (null? last) (last-of items) (car last))))

(define (list-queue-append . queues) (list-queue-concatenate queues))
(define (list-queue-concatenate queues) (make-list-queue (append-map (lambda (q) (list-copy (queue-first q))) queues)))
(define (list-queue-append! . queues)
  (cond ((null? queues) (list-queue))
        (else
         (let ((made (list-queue-concatenate queues)))
           (for-each (lambda (q) (list-queue-remove-all! q)) queues)
           made))))

(define (list-queue-map f q) (make-list-queue (map f (queue-first q))))
(define (list-queue-map! f q) (list-queue-set-list! q (map f (queue-first q))))
(define (list-queue-for-each f q) (for-each f (queue-first q)))

))
