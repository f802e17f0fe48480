;; The prompt of Eshkol: it reads forms, evaluates them in one environment, and writes what they give. With an argument it
;; is at a terminal and says when it waits.
(import (scheme base) (scheme eval) (scheme process-context) (scheme read) (scheme repl) (scheme write) (eshkol prompt))

(define (%prompt waits?)
  (define names (interaction-environment))
  (define nothing (if #f #f))
  (define (show value)
    (if (not (eq? value nothing))
        (begin
          (write value)
          (newline))))
  (define (tell object)
    (display "error: ")
    (if (error-object? object)
        (display (condition/report-string object))
        (begin
          (display "uncaught object: ")
          (write object)))
    (newline))
  ;; What stands behind a form that cannot be read is left.
  (define (next)
    (if waits? (begin (display "> ") (flush-output-port)))
    (guard (object ((read-error? object) (tell object) (read-line) (next))) (read)))
  (define (evaluate form)
    (guard (object (#t (tell object)))
      (call-with-values (lambda () (eval form names)) (lambda values (for-each show values)))))
  (eval '(import (eshkol prompt)) names)
  (let loop ()
    (let ((form (next)))
      (if (eof-object? form)
          (if waits? (newline))
          (begin
            (evaluate form)
            (flush-output-port)
            (loop))))))

(%prompt (pair? (cdr (command-line))))
