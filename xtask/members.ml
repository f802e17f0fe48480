(* Lists what the modules of OCaml's standard library contain, from the compiled interfaces of an
   installed OCaml. Run it by

     ocaml -I +compiler-libs ocamlcommon.cma xtask/members.ml > crates/elab/src/infer/members.txt

   One line for each module and kind of name:

     List val append assoc assoc_opt …
     Float module Array ArrayLabels

   The names of [Stdlib] itself stand under `Stdlib`. *)

open Types

let rec list path items =
  let names kind pick =
    let found = List.filter_map pick items in
    if found <> [] then
      Printf.printf "%s %s %s\n" path kind (String.concat " " (List.sort_uniq compare found))
  in
  names "val" (function Sig_value (id, _, _) -> Some (Ident.name id) | _ -> None);
  names "type" (function Sig_type (id, _, _, _) -> Some (Ident.name id) | _ -> None);
  names "exception" (function Sig_typext (id, _, _, _) -> Some (Ident.name id) | _ -> None);
  names "module" (function Sig_module (id, _, _, _, _) -> Some (Ident.name id) | _ -> None);
  names "signature" (function Sig_modtype (id, _, _) -> Some (Ident.name id) | _ -> None);
  List.iter
    (function
      | Sig_module (id, _, { md_type; _ }, _, _) -> inside path (Ident.name id) md_type
      | _ -> ())
    items

and inside path name ty =
  let path = if path = "Stdlib" then name else path ^ "." ^ name in
  match ty with
  | Mty_signature items -> list path items
  | Mty_alias alias -> (
      (* [module List = Stdlib__List]: the interface of that file. *)
      match alias with
      | Path.Pident id when Ident.persistent id -> file path (Ident.name id)
      | _ -> ())
  | Mty_functor _ | Mty_ident _ -> ()

and file path unit_name =
  let stem = String.uncapitalize_ascii unit_name in
  let found = Filename.concat Config.standard_library (stem ^ ".cmi") in
  if Sys.file_exists found then list path (Cmi_format.read_cmi found).cmi_sign

let () =
  Printf.printf "# The standard library of OCaml %s; made by xtask/members.ml.\n" Sys.ocaml_version;
  file "Stdlib" "stdlib"
