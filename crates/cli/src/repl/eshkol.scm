;; The prompt of Eshkol: it reads forms, evaluates them in one environment, and writes what they give. With an argument it
;; is at a terminal and says when it waits.
(import (scheme base) (scheme eval) (scheme file) (scheme process-context) (scheme read) (scheme repl) (scheme write)
        (prefix (srfi 1) srfi-1:) (eshkol prompt))

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
  ;; What stands behind a form that cannot be read is left, as is what an interrupt finds half written.
  (define (next)
    (if waits? (begin (display "> ") (flush-output-port)))
    (guard (object
            ((read-error? object) (tell object) (read-line) (next))
            ((and (error-object? object) (equal? (error-object-message object) "interrupted"))
             (newline)
             (next)))
      (read)))
  (define (evaluate form)
    (guard (object (#t (tell object)))
      (call-with-values (lambda () (eval form names)) (lambda values (for-each show values)))))
  (define (bind! name value) (eval (list 'define name (list 'quote value)) names))
  ;; All forms of a file, in this environment or another.
  (define (load-file name . where)
    (call-with-input-file name
      (lambda (port)
        (let loop ((form (read port)))
          (if (not (eof-object? form))
              (begin
                (eval form (if (pair? where) (car where) names))
                (loop (read port))))))))
  (define (direct word)
    (case word
      ((help h ?)
       (for-each
        (lambda (line) (display line) (newline))
        '("Forms are evaluated one after the other; definitions stay."
          "(import (srfi 1)) and the libraries of R7RS, (load \"file.scm\") evaluates a file."
          ",help   this"
          ",quit   ends the prompt, as the end of the input does"
          "Ctrl-C  ends what is being computed or written")))
      ((quit q exit) (exit))
      (else (display "error: there is no directive ,") (write word) (display "; ,help lists them") (newline))))
  (eval '(import (eshkol prompt)) names)
  (bind! 'eval (lambda (form . where) (eval form (if (pair? where) (car where) names))))
  (bind! 'interaction-environment (lambda () names))
  (bind! 'environment environment)
  (bind! 'load load-file)
  (%catch-interrupts)
  (let loop ()
    (let ((form (next)))
      (if (eof-object? form)
          (if waits? (newline))
          (begin
            (if (and (pair? form) (eq? (car form) 'unquote) (pair? (cdr form)))
                (direct (cadr form))
                (evaluate form))
            (flush-output-port)
            (loop))))))

(%prompt (pair? (cdr (command-line))))
