;;; oxbow.el --- Starts `oxbow lsp' by Eglot  -*- lexical-binding: t -*-

;; For OCaml (tuareg, caml or neocaml), Clef (fsharp) and Eshkol (scheme).

(require 'eglot)

(add-to-list 'auto-mode-alist '("\\.esk\\'" . scheme-mode))
(when (fboundp 'fsharp-mode)
  (add-to-list 'auto-mode-alist '("\\.clef\\'" . fsharp-mode)))

(add-to-list 'eglot-server-programs
             '((tuareg-mode caml-mode neocaml-mode fsharp-mode scheme-mode)
               . ("oxbow" "lsp" :initializationOptions (:hints ["types"]))))

(dolist (hook '(tuareg-mode-hook caml-mode-hook fsharp-mode-hook scheme-mode-hook))
  (add-hook hook #'eglot-ensure))

(provide 'oxbow)
;;; oxbow.el ends here
