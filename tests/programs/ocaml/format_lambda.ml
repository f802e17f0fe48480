(* A pretty-printer of lambda terms, at several margins. *)
type term =
  | Var of string
  | Lam of string * term
  | App of term * term
  | Let of string * term * term
  | If of term * term * term
  | Int of int

let rec pp_term prec ppf = function
  | Var x -> Format.pp_print_string ppf x
  | Int n -> Format.pp_print_int ppf n
  | Lam _ as t ->
      let rec params acc = function Lam (x, t) -> params (x :: acc) t | t -> (List.rev acc, t) in
      let xs, body = params [] t in
      paren ppf (prec > 0) (fun ppf ->
          Format.fprintf ppf "@[<hov 2>fun %a ->@ %a@]"
            (Format.pp_print_list ~pp_sep:Format.pp_print_space Format.pp_print_string)
            xs (pp_term 0) body)
  | App (f, x) ->
      paren ppf (prec > 1) (fun ppf ->
          Format.fprintf ppf "@[<hov 2>%a@ %a@]" (pp_term 1) f (pp_term 2) x)
  | Let (x, v, b) ->
      paren ppf (prec > 0) (fun ppf ->
          Format.fprintf ppf "@[<v>@[<hov 2>let %s =@ %a@ in@]@ %a@]" x (pp_term 0) v (pp_term 0) b)
  | If (c, t, e) ->
      paren ppf (prec > 0) (fun ppf ->
          Format.fprintf ppf "@[<hv>if %a@;<1 2>then %a@;<1 2>else %a@]" (pp_term 0) c (pp_term 0) t
            (pp_term 0) e)

and paren ppf needed body =
  if needed then Format.fprintf ppf "(@[%t@])" body else body ppf

let rec app f = function [] -> f | x :: xs -> app (App (f, x)) xs

let sample =
  Let
    ( "compose",
      Lam ("f", Lam ("g", Lam ("x", App (Var "f", App (Var "g", Var "x"))))),
      Let
        ( "church",
          Lam ("n", If (app (Var "equal") [ Var "n"; Int 0 ], Lam ("f", Lam ("x", Var "x")),
                        Lam ("f", app (Var "compose") [ Var "f"; App (app (Var "church") [ App (Var "pred", Var "n") ], Var "f") ]))),
          app (Var "church") [ Int 12; Lam ("x", app (Var "plus") [ Var "x"; Int 1 ]); Int 0 ] ) )

let () =
  List.iter
    (fun margin ->
      Format.set_margin margin;
      Format.printf "margin %d:@\n%a@.@." margin (pp_term 0) sample)
    [ 20; 30; 40; 60; 78; 120 ]
