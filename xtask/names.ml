(* Writes a program that uses every name of OCaml's standard library at the type that OCaml gives it, from the compiled
   interfaces of an installed OCaml. Run it by

     ocaml -I +compiler-libs -I +unix -I +str ocamlcommon.cma xtask/names.ml

   and put it into `tests/golden/library/names.md`. What is about domains is left out.

   A line for each value, type, exception and module type:

     let v12 : 'a 'b. ('a -> 'b) -> 'a list -> 'b list = List.map
     type ('a, 'b) t3 = ('a, 'b) Hashtbl.t
     exception E4 = Stdlib.Queue.Empty
     module type S5 = Map.S *)

open Types

let roots =
  [
    "Stdlib"; "Arg"; "Array"; "ArrayLabels"; "Atomic"; "Bigarray"; "Bool"; "Buffer"; "Bytes";
    "BytesLabels"; "Callback"; "Char"; "Complex"; "Digest"; "Dynarray"; "Effect"; "Either";
    "Ephemeron"; "Filename"; "Float"; "Format"; "Fun"; "Gc"; "Hashtbl"; "Iarray"; "In_channel";
    "Int"; "Int32"; "Int64"; "Lazy"; "Lexing"; "List"; "ListLabels"; "Map"; "Marshal"; "MoreLabels";
    "Nativeint"; "Obj"; "Oo"; "Option"; "Out_channel"; "Pair"; "Parsing"; "Pqueue"; "Printexc";
    "Printf"; "Queue"; "Random"; "Repr"; "Result"; "Scanf"; "Seq"; "Set"; "Stack"; "StdLabels";
    "String"; "StringLabels"; "Str"; "Sys"; "Type"; "Uchar"; "Unit"; "Unix"; "UnixLabels"; "Weak";
  ]

let count = ref 0

let next () =
  incr count;
  !count

let is_operator name =
  match name with
  | "mod" | "land" | "lor" | "lxor" | "lsl" | "lsr" | "asr" | "or" -> true
  | _ -> (
      match name.[String.length name - 1] with
      | 'a' .. 'z' | 'A' .. 'Z' | '_' | '0' .. '9' | '\'' -> false
      | _ -> true)
let shown name = if is_operator name then "( " ^ name ^ " )" else name

(* The type in one line, with its variables bound. *)
let scheme ty =
  let text = Format.asprintf "%a" Printtyp.type_scheme ty in
  let flat = String.map (function '\n' -> ' ' | c -> c) text in
  let words = List.filter (( <> ) "") (String.split_on_char ' ' flat) in
  let text = String.concat " " words in
  let vars = ref [] in
  String.iteri
    (fun i c ->
      if c = '\'' && (i = 0 || not (List.mem text.[i - 1] [ ')'; '\'' ])) then begin
        let stop = ref (i + 1) in
        while
          !stop < String.length text
          && match text.[!stop] with 'a' .. 'z' | '0' .. '9' | '_' -> true | _ -> false
        do
          incr stop
        done;
        let var = String.sub text i (!stop - i) in
        if not (List.mem var !vars) then vars := var :: !vars
      end)
    text;
  match !vars with [] -> text | vars -> String.concat " " (List.rev vars) ^ ". " ^ text

let mentions part text =
  let n = String.length part in
  let rec go i = i + n <= String.length text && (String.sub text i n = part || go (i + 1)) in
  go 0

let rec walk env path items =
  List.iter
    (fun item ->
      match item with
      | Sig_value (id, _, Exported) ->
          let name = Ident.name id in
          let lid = Longident.unflatten (path @ [ name ]) |> Option.get in
          (match Env.find_value_by_name lid env with
          | _, decl when mentions "Domain." (scheme decl.val_type) -> ()
          | _, decl ->
              Printf.printf "let v%d : %s = %s.%s\n" (next ()) (scheme decl.val_type)
                (String.concat "." path) (shown name)
          | exception Not_found -> ())
      | Sig_type (id, decl, _, Exported) when not (String.contains (Ident.name id) '#') ->
          let params = List.mapi (fun i _ -> Printf.sprintf "'a%d" i) decl.type_params in
          let params = match params with [] -> "" | _ -> "(" ^ String.concat ", " params ^ ") " in
          Printf.printf "type %st%d = %s%s.%s\n" params (next ()) params (String.concat "." path)
            (Ident.name id)
      | Sig_typext (id, { ext_type_path = Pident it; _ }, _, Exported) when Ident.name it = "exn" ->
          Printf.printf "exception E%d = %s.%s\n" (next ()) (String.concat "." path) (Ident.name id)
      | Sig_modtype (id, _, Exported) ->
          Printf.printf "module type S%d = %s.%s\n" (next ()) (String.concat "." path)
            (Ident.name id)
      | Sig_module (id, _, { md_type; _ }, _, Exported) when path <> [ "Stdlib" ] ->
          inside env (path @ [ Ident.name id ]) md_type
      | _ -> ())
    items

and inside env path ty =
  match Env.scrape_alias env ty with
  | Mty_signature items -> walk env path items
  | Mty_functor _ ->
      Printf.printf "module M%d = %s\n" (next ()) (String.concat "." path)
  | _ -> ()

let () =
  Clflags.include_dirs := List.tl (Array.to_list [| ""; "+unix"; "+str" |]);
  Compmisc.init_path ();
  let env = Compmisc.initial_env () in
  List.iter
    (fun root ->
      let lid = Longident.Lident root in
      match Env.find_module_by_name lid env with
      | _, decl -> Printtyp.wrap_printing_env ~error:false env (fun () -> inside env [ root ] decl.md_type)
      | exception Not_found -> Printf.eprintf "no module %s\n" root)
    roots
