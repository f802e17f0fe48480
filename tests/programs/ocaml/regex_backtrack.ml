(* A backtracking regex matcher in continuation-passing style. *)

type re =
  | Char of char
  | Any
  | Class of bool * (char * char) list
  | Seq of re * re
  | Alt of re * re
  | Star of re
  | Opt of re
  | Empty
  | Bol
  | Eol

let plus r = Seq (r, Star r)

let parse s =
  let n = String.length s in
  let i = ref 0 in
  let rec alt () =
    let l = seq () in
    if !i < n && s.[!i] = '|' then begin incr i; Alt (l, alt ()) end else l
  and seq () =
    let rec go acc =
      if !i >= n || s.[!i] = '|' || s.[!i] = ')' then acc
      else
        let p = post (atom ()) in
        go (if acc = Empty then p else Seq (acc, p)) in
    go Empty
  and post r =
    if !i >= n then r
    else match s.[!i] with
      | '*' -> incr i; post (Star r)
      | '+' -> incr i; post (plus r)
      | '?' -> incr i; post (Opt r)
      | _ -> r
  and atom () =
    let c = s.[!i] in
    incr i;
    match c with
    | '.' -> Any
    | '^' -> Bol
    | '$' -> Eol
    | '(' ->
      let r = alt () in
      if !i >= n || s.[!i] <> ')' then failwith "missing )";
      incr i;
      r
    | '[' ->
      let neg = !i < n && s.[!i] = '^' in
      if neg then incr i;
      let rec ranges acc =
        if !i >= n then failwith "missing ]"
        else if s.[!i] = ']' then begin incr i; List.rev acc end
        else if !i + 2 < n && s.[!i + 1] = '-' && s.[!i + 2] <> ']' then begin
          let r = (s.[!i], s.[!i + 2]) in
          i := !i + 3;
          ranges (r :: acc)
        end else begin
          let c = s.[!i] in
          incr i;
          ranges ((c, c) :: acc)
        end in
      Class (neg, ranges [])
    | '\\' when !i < n -> let c = s.[!i] in incr i; Char c
    | '*' | '+' | '?' -> failwith "nothing to repeat"
    | c -> Char c in
  let r = alt () in
  if !i < n then failwith "unbalanced )";
  r

let rec m re s i k =
  let n = String.length s in
  match re with
  | Empty -> k i
  | Char c -> i < n && s.[i] = c && k (i + 1)
  | Any -> i < n && k (i + 1)
  | Class (neg, rs) ->
    i < n && List.exists (fun (a, b) -> a <= s.[i] && s.[i] <= b) rs <> neg && k (i + 1)
  | Seq (a, b) -> m a s i (fun j -> m b s j k)
  | Alt (a, b) -> m a s i k || m b s i k
  | Opt a -> m a s i k || k i
  | Star a -> m a s i (fun j -> j > i && m re s j k) || k i
  | Bol -> i = 0 && k i
  | Eol -> i = n && k i

let find re s =
  let stop = ref (-1) in
  let rec go i =
    if i > String.length s then None
    else if m re s i (fun j -> stop := j; true) then Some (String.sub s i (!stop - i))
    else go (i + 1) in
  go 0

let () =
  let tests = [
    "abc", [ "xabcy"; "ab"; "" ];
    "a*b", [ "aaab"; "b"; "aaa" ];
    "^(ab|cd)+$", [ "abcdab"; "abc"; "cdcd" ];
    "[a-z]+@[a-z]+\\.(com|org)", [ "mail joe@example.org now"; "joe@example.net" ];
    "colou?r", [ "the color red"; "the colour red"; "colouur" ];
    "[^0-9 ]+", [ "123 abc 456"; "12 34" ];
    "(a*)*b", [ "aaaaaaaac"; "aab" ];
    "x.z|y$", [ "xyz"; "any"; "xz" ];
    "-?[0-9]+(\\.[0-9]+)?", [ "t = -12.75C"; "7"; "none." ];
    "", [ "anything" ];
    "(ab", []; "*a", []; "a)", []; "[a", [];
  ] in
  List.iter (fun (pat, inputs) ->
      match parse pat with
      | exception Failure msg -> Printf.printf "/%s/ invalid: %s\n" pat msg
      | re ->
        List.iter (fun s ->
            match find re s with
            | Some t -> Printf.printf "/%s/ in %S: %S\n" pat s t
            | None -> Printf.printf "/%s/ in %S: no match\n" pat s) inputs) tests
