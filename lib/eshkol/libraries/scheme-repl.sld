(define-library (scheme repl)
  (import (oxbow eval))
  (export interaction-environment system-global-environment)
  (begin (define system-global-environment (interaction-environment))))
