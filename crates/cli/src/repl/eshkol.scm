;; The prompt of Eshkol: it reads forms, evaluates them in one environment, and writes what they give. With the names of
;; two pipes it is at a terminal: what is to be done comes from the first, and the second is told when it is done.
(import (scheme base) (scheme eval) (scheme file) (scheme process-context) (scheme read) (scheme repl) (scheme write)
        (scheme time) (srfi 13) (only (oxbow eval) environment-names) (eshkol prompt)
        ;; What is imported here can be imported at the prompt.
        (prefix (srfi 1) srfi-1:) (prefix (srfi 13) srfi-13:) (prefix (srfi 14) srfi-14:) (prefix (srfi 41) srfi-41:)
        (prefix (srfi 69) srfi-69:) (prefix (srfi 95) srfi-95:) (prefix (srfi 111) srfi-111:)
        (prefix (srfi 115) srfi-115:) (prefix (srfi 117) srfi-117:) (prefix (srfi 125) srfi-125:)
        (prefix (srfi 128) srfi-128:) (prefix (srfi 132) srfi-132:) (prefix (srfi 133) srfi-133:)
        (prefix (srfi 143) srfi-143:) (prefix (srfi 144) srfi-144:) (prefix (srfi 151) srfi-151:)
        (prefix (srfi 158) srfi-158:))

(define (%prompt)
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
  (define (interrupted? object)
    (and (error-object? object) (equal? (error-object-message object) "interrupted")))
  ;; What stands behind a form that cannot be read is left.
  (define (next port)
    (guard (object ((read-error? object) (tell object) (read-line port) (next port)))
      (read port)))
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
  ;; What a form takes, in milliseconds.
  (define (time-form form)
    (let ((start (current-jiffy)))
      (evaluate form)
      (display "; ")
      (display (/ (round (* 10000. (/ (- (current-jiffy) start) (jiffies-per-second)))) 10.))
      (display " ms")
      (newline)))
  ;; What stands behind a directive.
  (define (next-argument port)
    (let ((form (read port)))
      (if (eof-object? form) (error "the form is missing") form)))
  (define (direct word port)
    (case word
      ((help h ?)
       (for-each
        (lambda (line) (display line) (newline))
        '("Forms are evaluated one after the other; definitions stay."
          "(import (srfi 1)) and other libraries; (load \"file.scm\") evaluates a file."
          ",load \"file.scm\"   the same"
          ",time form   also tells how long it takes"
          ",help   this"
          ",quit   ends the prompt, as the end of the input does"
          "Ctrl-C  ends what is being computed or written")))
      ((time) (time-form (next-argument port)))
      ((load) (evaluate (list 'load (next-argument port))))
      ((quit q exit) (exit))
      (else (display "error: there is no directive ,") (write word) (display "; ,help lists them") (newline))))
  (eval '(import (eshkol prompt)) names)
  (bind! 'eval (lambda (form . where) (eval form (if (pair? where) (car where) names))))
  (bind! 'interaction-environment (lambda () names))
  (bind! 'environment environment)
  (bind! 'load load-file)
  (%catch-interrupts)
  ;; All forms of a port.
  (define (evaluate-all port)
    (let loop ()
      (let ((form (next port)))
        (if (not (eof-object? form))
            (begin
              ;; An interrupt may come while it is written out, too.
              (guard (object (#t (tell object)))
                (if (and (pair? form) (eq? (car form) 'unquote) (pair? (cdr form)))
                    (direct (cadr form) port)
                    (evaluate form))
                (flush-output-port))
              (loop))))))
  ;; What can stand for the beginning of a name.
  (define (complete start)
    (filter (lambda (name) (string-prefix? start name)) (map symbol->string (environment-names names))))
  ;; What the editor asks for, see `eshkol.rs`.
  (define (serve asked told)
    (let loop ()
      (let ((word (guard (object ((interrupted? object) 'nothing)) (read asked))))
        (cond ((eof-object? word))
              ((eq? word 'nothing) (loop))
              (else
               (let* ((count (read asked)) (text (begin (read-char asked) (if (= count 0) "" (read-string count asked)))))
                 (case word
                   ((evaluate)
                    (evaluate-all (open-input-string text))
                    (fresh-line)
                    (flush-output-port))
                   ((complete)
                    (for-each (lambda (name) (write-string name told) (newline told)) (sort (complete text) string<?))))
                 (newline told)
                 (flush-output-port told)
                 (loop)))))))
  (if (pair? (cdr (command-line)))
      (serve (open-input-file (cadr (command-line))) (open-output-file (caddr (command-line))))
      (evaluate-all (current-input-port))))

(%prompt)
