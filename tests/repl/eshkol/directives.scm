(eval '(+ 1 2))
(eval '(* 2 3) (environment '(scheme base)))
(eval 'undefined (interaction-environment))
(import (srfi 1))
(delete-duplicates '(1 2 1))
(import (prefix (srfi 1) s:))
(s:fold cons '() '(1 2 3))
(load "there is no such file")
,help
,nothing
,quit
(display "not here")
