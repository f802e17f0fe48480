;; What the prompt knows besides the procedures of R7RS: Eshkol's own names, tensors, and derivatives.
(define-library (eshkol prompt)
  (import (eshkol names) (eshkol streams) (eshkol random) (eshkol symbolic))
  (export map1 map2 map3 foldl foldr count-if member? all? none? repeat alist-ref alist-set constantly partial type-of
          describe pow exp2 log2 log10 cbrt atan2 make-hash hash-ref hash-set! hash-has-key? hash-remove! hash-clear!
          hash-keys hash-values hash-count hash-update! bit-not bit-shift-left bit-shift-right bit-count println
          stream-null stream-cons stream-take stream-drop stream-ref stream-map stream-filter stream-from stream->list
          list->stream make-prng prng-random prng-random-integer simplify (rename %diff diff)
          filter fold fold-left fold-right reduce iota range take drop any every find partition sort last flatten delete
          append-map filter-map list-index string-index string-join string-split string-contains print displayln random
          make-hash-table hash-table-ref hash-table-ref/default hash-table-set! hash-table-delete! hash-table-size
          hash-table-keys hash-table-values hash-table->alist
          derivative gradient value-and-gradient jacobian hessian divergence curl laplacian directional-derivative
          derivative-n taylor vref
          tensor make-tensor zeros ones eye arange linspace rand randn tensor? tensor-shape tensor-length tensor-ref
          tensor-get tensor-set! tensor->list tensor->vector reshape transpose tensor-add tensor-sub tensor-mul tensor-div
          tensor-pow tensor-scale tensor-neg tensor-abs tensor-exp tensor-log tensor-sqrt tensor-sin tensor-cos tensor-tanh
          relu sigmoid softmax tensor-sum tensor-mean tensor-var tensor-std tensor-max tensor-min tensor-argmax
          tensor-argmin matmul dot outer norm trace tensor-det tensor-inverse tensor-solve tensor-apply tensor-reduce))
