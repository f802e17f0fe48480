(* Brainfuck: compile to a nested instruction tree, then interpret on Bytes. *)

type op =
  | Move of int
  | Add of int
  | Out
  | In
  | Loop of op list

let parse s =
  let n = String.length s in
  let rec block i acc =
    if i >= n then (List.rev acc, i)
    else
      match s.[i] with
      | '>' -> merge_move 1 i acc
      | '<' -> merge_move (-1) i acc
      | '+' -> merge_add 1 i acc
      | '-' -> merge_add (-1) i acc
      | '.' -> block (i + 1) (Out :: acc)
      | ',' -> block (i + 1) (In :: acc)
      | '[' ->
        let body, j = block (i + 1) [] in
        block (j + 1) (Loop body :: acc)
      | ']' -> (List.rev acc, i)
      | _ -> block (i + 1) acc
  and merge_move d i = function
    | Move k :: rest -> block (i + 1) (if k + d = 0 then rest else Move (k + d) :: rest)
    | acc -> block (i + 1) (Move d :: acc)
  and merge_add d i = function
    | Add k :: rest -> block (i + 1) (Add (k + d) :: rest)
    | acc -> block (i + 1) (Add d :: acc) in
  fst (block 0 [])

let rec size ops =
  List.fold_left (fun n op -> match op with Loop b -> n + 1 + size b | _ -> n + 1) 0 ops

let run ops input =
  let tape = Bytes.make 300 '\000' in
  let p = ref 0 and inp = ref 0 in
  let out = Buffer.create 64 in
  let rec exec = function
    | Move d -> p := !p + d
    | Add d ->
      let v = Char.code (Bytes.get tape !p) in
      Bytes.set tape !p (Char.chr ((v + d) land 255))
    | Out -> Buffer.add_char out (Bytes.get tape !p)
    | In ->
      if !inp < String.length input then begin
        Bytes.set tape !p input.[!inp];
        incr inp
      end else Bytes.set tape !p '\000'
    | Loop body ->
      while Bytes.get tape !p <> '\000' do List.iter exec body done in
  List.iter exec ops;
  Buffer.contents out

let hello =
  "++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.\
   <-.<.+++.------.--------.>>+.>++."

let () =
  let prog = parse hello in
  Printf.printf "%d instructions\n" (size prog);
  print_string (run prog "");
  (* reverse the input *)
  print_endline (run (parse ">,[>,]<[.<]") "stressed");
  (* upper-case by subtracting 32 *)
  print_endline (run (parse ",[--------------------------------.,]") "oxbow");
  (* digits 0 to 9 *)
  print_endline (run (parse ">++++++[<++++++++>-]++++++++++[<.+>-]") "")
