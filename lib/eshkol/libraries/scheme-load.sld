;; The environment of the program, in which files are loaded, is that of (scheme repl).
(define-library (scheme load)
  (import (oxbow eval) (scheme repl))
  (export load))
