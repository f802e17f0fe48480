(* INI files: sections, keys, interpolation, typed getters with Result. *)

module SMap = Map.Make (String)

type t = string SMap.t SMap.t

let trim_comment s =
  match String.index_opt s ';' with
  | Some i -> String.trim (String.sub s 0 i)
  | None -> String.trim s

let parse text : (t, string) result =
  let rec go lineno section acc = function
    | [] -> Ok acc
    | line :: rest ->
      let line = trim_comment line in
      let len = String.length line in
      if len = 0 then go (lineno + 1) section acc rest
      else if line.[0] = '[' then
        if line.[len - 1] = ']' then
          let name = String.trim (String.sub line 1 (len - 2)) in
          let acc = if SMap.mem name acc then acc else SMap.add name SMap.empty acc in
          go (lineno + 1) name acc rest
        else Error (Printf.sprintf "line %d: unclosed section" lineno)
      else
        match String.index line '=' with
        | exception Not_found -> Error (Printf.sprintf "line %d: no '='" lineno)
        | i ->
          let key = String.lowercase_ascii (String.trim (String.sub line 0 i)) in
          let value = String.trim (String.sub line (i + 1) (len - i - 1)) in
          let add m = Some (SMap.add key value (Option.value m ~default:SMap.empty)) in
          go (lineno + 1) section (SMap.update section add acc) rest in
  go 1 "" SMap.empty (String.split_on_char '\n' text)

let rec get ?(depth = 0) (ini : t) section key =
  if depth > 5 then Error "interpolation too deep"
  else
    match Option.bind (SMap.find_opt section ini) (SMap.find_opt key) with
    | None -> Error (Printf.sprintf "missing %s.%s" section key)
    | Some v -> expand ~depth ini section v

and expand ~depth ini section v =
  match String.index_opt v '$' with
  | Some i when i + 1 < String.length v && v.[i + 1] = '{' ->
    (match String.index_from_opt v i '}' with
     | None -> Error "unclosed ${"
     | Some j ->
       let name = String.sub v (i + 2) (j - i - 2) in
       Result.bind (get ~depth:(depth + 1) ini section name) (fun r ->
           let tail = String.sub v (j + 1) (String.length v - j - 1) in
           Result.map (fun t -> String.sub v 0 i ^ r ^ t) (expand ~depth ini section tail)))
  | _ -> Ok v

let get_int ini s k =
  Result.bind (get ini s k) (fun v ->
      match int_of_string_opt v with
      | Some n -> Ok n
      | None -> Error (Printf.sprintf "%s.%s: %S is not an integer" s k v))

let get_bool ini s k =
  match get ini s k with
  | Ok ("yes" | "true" | "on" | "1") -> Ok true
  | Ok ("no" | "false" | "off" | "0") -> Ok false
  | Ok v -> Error (Printf.sprintf "%S is not a boolean" v)
  | Error _ as e -> e

let report show = function
  | Ok v -> print_endline ("ok " ^ show v)
  | Error m -> print_endline ("error " ^ m)

let text = "
; global settings
Title = Example
[server]
host = example.org   ; where it runs
port = 8080
url = http://${host}:${port}/index
tls = yes
[ paths ]
root=/srv
data=${root}/data
log=${data}/log=1
loop=${loop}
broken=${root
"

let () =
  match parse text with
  | Error m -> print_endline m
  | Ok ini ->
    SMap.iter (fun s m ->
        Printf.printf "[%s]\n" s;
        SMap.iter (fun k v -> Printf.printf "  %s = %s\n" k v) m) ini;
    let str = Fun.id in
    report str (get ini "" "title");
    report str (get ini "server" "url");
    report str (get ini "paths" "log");
    report str (get ini "paths" "loop");
    report str (get ini "paths" "broken");
    report str (get ini "nowhere" "x");
    report string_of_int (get_int ini "server" "port");
    report string_of_int (get_int ini "server" "host");
    report string_of_bool (get_bool ini "server" "tls");
    report string_of_bool (get_bool ini "server" "port");
    List.iter (fun t ->
        match parse t with
        | Ok m -> Printf.printf "%d sections\n" (SMap.cardinal m)
        | Error e -> print_endline e)
      [ ""; "[a]\n[b]\n[a]\nx=1"; "[a\n"; "a=1\njunk" ]
