(* Multi-file program: abstract type behind an .mli, a registry with module state. *)

open Geometry

let () =
  Registry.add "unit" (Circle (origin, 1.));
  Registry.add "square" (Polygon [ origin; point 2. 0.; point 2. 2.; point 0. 2. ]);
  Registry.add "triangle" (Polygon [ origin; point 3. 0.; point 0. 4. ]);
  Registry.add "unit" (Circle (point 1. 1., 1.5));
  List.iter (fun n ->
      match Registry.find n with
      | Some s -> Printf.printf "%-9s area %.3f perimeter %.3f\n" n (area s) (perimeter s)
      | None -> assert false) (Registry.names ());
  Printf.printf "%d additions\n" !Registry.added;
  (match Registry.largest () with
   | Some (n, _) -> Printf.printf "largest: %s\n" n
   | None -> print_endline "none");
  let moved = translate ~dx:1. ~dy:(-1.) (Polygon [ origin; point 1. 1. ]) in
  (match moved with
   | Polygon ps -> print_endline (String.concat " " (List.map show_point ps))
   | Circle _ -> assert false);
  Printf.printf "%b\n" (Registry.find "hexagon" = None)
