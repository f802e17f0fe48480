(* Printers as ppx_deriving.show writes them. *)
type color = Red | Green | Custom of int * int * int

and shape =
  | Circle of { center : point; radius : float }
  | Polygon of point list
  | Named of string * shape option

and point = { x : float; y : float }
and scene = { title : string; shapes : shape list; palette : (string * color) array; lazy_ : bool ref }

let rec pp_color fmt = function
  | Red -> Format.pp_print_string fmt "Red"
  | Green -> Format.pp_print_string fmt "Green"
  | Custom (a0, a1, a2) ->
      Format.fprintf fmt "(@[<2>Custom (@,";
      Format.fprintf fmt "%d" a0;
      Format.fprintf fmt ",@ ";
      Format.fprintf fmt "%d" a1;
      Format.fprintf fmt ",@ ";
      Format.fprintf fmt "%d" a2;
      Format.fprintf fmt "@,))@]"

and pp_point fmt x =
  Format.fprintf fmt "@[<2>{ ";
  Format.fprintf fmt "@[%s =@ " "x";
  (Format.fprintf fmt "%F") x.x;
  Format.fprintf fmt "@]";
  Format.fprintf fmt ";@ ";
  Format.fprintf fmt "@[%s =@ " "y";
  (Format.fprintf fmt "%F") x.y;
  Format.fprintf fmt "@]";
  Format.fprintf fmt "@ }@]"

and pp_list : 'a. (Format.formatter -> 'a -> unit) -> Format.formatter -> 'a list -> unit =
 fun pp fmt x ->
  Format.fprintf fmt "@[<2>[";
  ignore
    (List.fold_left
       (fun sep x ->
         if sep then Format.fprintf fmt ";@ ";
         pp fmt x;
         true)
       false x);
  Format.fprintf fmt "@,]@]"

and pp_shape fmt = function
  | Circle { center; radius } ->
      Format.fprintf fmt "@[<2>Circle {@,";
      Format.fprintf fmt "@[%s =@ %a@];@ @[%s =@ %F@]" "center" pp_point center "radius" radius;
      Format.fprintf fmt "@]}"
  | Polygon points -> Format.fprintf fmt "(@[<2>Polygon@ %a@])" (pp_list pp_point) points
  | Named (n, s) ->
      Format.fprintf fmt "(@[<2>Named (@,%S,@ %a@,))@]" n
        (fun fmt -> function
          | None -> Format.pp_print_string fmt "None"
          | Some x ->
              Format.pp_print_string fmt "(Some ";
              pp_shape fmt x;
              Format.pp_print_string fmt ")")
        s

let pp_scene fmt s =
  Format.fprintf fmt "@[<2>{ @[title =@ %S@];@ @[shapes =@ %a@];@ @[palette =@ [|@[%a@]|]@];@ @[lazy_ =@ ref (%B)@]@ }@]"
    s.title (pp_list pp_shape) s.shapes
    (Format.pp_print_array
       ~pp_sep:(fun fmt () -> Format.fprintf fmt ";@ ")
       (fun fmt (a, b) -> Format.fprintf fmt "(@[%S,@ %a@])" a pp_color b))
    s.palette !(s.lazy_)

let show_scene = Format.asprintf "%a" pp_scene

let () =
  let p x y = { x; y } in
  let scene =
    {
      title = "A \"scene\"\t1";
      shapes =
        [ Circle { center = p 0. 1.5; radius = 1e10 };
          Polygon [ p 0. 0.; p 1. 0.; p (-1.) nan; p infinity 3.25 ];
          Named ("inner", Some (Named ("leaf", None))) ];
      palette = [| ("a", Red); ("bb", Custom (1, 20, 255)); ("ccc", Green) |];
      lazy_ = ref true;
    }
  in
  print_endline (show_scene scene);
  print_endline (show_scene { scene with shapes = []; palette = [||] })
