(define-library (scheme eval)
  (import (oxbow eval))
  (export eval environment))
