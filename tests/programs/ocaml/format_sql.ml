(* Queries as SQL, wide and narrow; lists by sequence, array and iterator. *)
type expr = Col of string | Int of int | Str of string | Bin of string * expr * expr | In of expr * int array

type query = {
  columns : string list;
  table : string;
  joins : (string * expr) list;
  where : expr option;
  order : (string, string) Either.t Seq.t;
  limit : (int, string) result;
}

let rec pp_expr ppf = function
  | Col c -> Format.fprintf ppf "%s" c
  | Int n -> Format.fprintf ppf "%d" n
  | Str s -> Format.fprintf ppf "'%s'" s
  | Bin (("AND" | "OR") as op, a, b) ->
      Format.fprintf ppf "@[<hv>%a@ %s %a@]" pp_expr a op pp_expr b
  | Bin (op, a, b) -> Format.fprintf ppf "@[<hov 2>%a@ %s %a@]" pp_expr a op pp_expr b
  | In (e, values) ->
      Format.fprintf ppf "@[<hov 2>%a IN@ (@[<hov>%a@])@]" pp_expr e
        (Format.pp_print_array ~pp_sep:(fun ppf () -> Format.fprintf ppf ",@ ") Format.pp_print_int)
        values

let pp_order ppf =
  Format.pp_print_either
    ~left:(fun ppf c -> Format.fprintf ppf "%s ASC" c)
    ~right:(fun ppf c -> Format.fprintf ppf "%s DESC" c)
    ppf

let comma ppf () = Format.fprintf ppf ",@ "

let pp_query ppf q =
  let open Format in
  fprintf ppf "@[<v>@[<hov 7>SELECT %a@]@,@[<2>FROM %s" (pp_print_list ~pp_sep:comma pp_print_string)
    q.columns q.table;
  pp_print_iter ~pp_sep:pp_print_nothing List.iter
    (fun ppf (t, on) -> fprintf ppf "@ @[<hov 2>JOIN %s@ ON %a@]" t pp_expr on)
    ppf q.joins;
  fprintf ppf "@]%a"
    (pp_print_option ~none:(fun ppf () -> fprintf ppf "@,-- all") (fun ppf e ->
         fprintf ppf "@,@[<6>WHERE %a@]" pp_expr e))
    q.where;
  fprintf ppf "@,@[<hov 9>ORDER BY %a@]" (pp_print_seq ~pp_sep:comma pp_order) q.order;
  fprintf ppf "@,LIMIT %a;@]"
    (pp_print_result ~ok:pp_print_int ~error:(fun ppf e -> fprintf ppf "/* %s */ ALL" e))
    q.limit

let q =
  {
    columns = [ "customers.name"; "orders.total"; "orders.placed_at"; "items.description" ];
    table = "customers";
    joins =
      [ ("orders", Bin ("=", Col "orders.customer_id", Col "customers.id"));
        ("items", Bin ("=", Col "items.order_id", Col "orders.id")) ];
    where =
      Some
        (Bin ( "AND",
               Bin (">", Col "orders.total", Int 100),
               Bin ("OR", Bin ("=", Col "customers.city", Str "Basel"),
                    In (Col "items.kind", Array.init 25 (fun i -> i * i)))));
    order = List.to_seq [ Either.Left "customers.name"; Either.Right "orders.total" ];
    limit = Ok 10;
  }

let () =
  List.iter
    (fun (margin, max_indent) ->
      let b = Buffer.create 100 in
      let ppf = Format.formatter_of_buffer b in
      Format.pp_set_geometry ppf ~max_indent ~margin;
      Format.fprintf ppf "%a@." pp_query q;
      Format.fprintf ppf "%a@." pp_query
        { q with where = None; limit = Error "no limit"; joins = []; order = Seq.empty };
      print_string (Buffer.contents b))
    [ (80, 60); (50, 40); (30, 20); (20, 5) ]
