//! Cycles are found and freed: memory stays flat, nothing is left at the end, and nothing that is needed goes.

use std::path::{Path, PathBuf};

use crate::common::{check_code, err, oxbow, with_program};

fn folder(name: &str, file: &str, program: &str) -> PathBuf {
    with_program("cycles", name, file, program)
}

/// The first number behind a word in a text.
fn number_behind(text: &str, word: &str) -> Option<u64> {
    let rest = &text[text.find(word)? + word.len()..];
    let digits: String = rest.trim_start().chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Peak of counted bytes by `--mem-stats`, and how many objects scans freed.
#[track_caller]
fn peak(folder: &Path, file: &str, flags: &[&str], rounds: &str) -> (u64, u64) {
    let output = oxbow(folder, &[&["run", "--mem-stats"], flags, &[file, "--", rounds]].concat());
    check_code(&output, 0);
    let text = err(&output);
    let line = text.lines().find(|it| it.trim_start().starts_with("counted ")).expect("a line");
    let peak = line.split_whitespace().nth(3).and_then(|it| it.parse().ok()).expect("a number");
    let freed = text
        .lines()
        .find(|it| it.starts_with("scans for cycles"))
        .and_then(|it| number_behind(it, "freed: "));
    (peak, freed.unwrap_or(0))
}

/// Runs a program that takes the number of rounds: memory is flat, cycles are freed, and nothing is left or
/// used too late, whatever closures look like.
#[track_caller]
fn flat(name: &str, file: &str, program: &str) {
    let folder = folder(name, file, program);
    for closures in ["--closures=flat", "--closures=env"] {
        let [few, many] = ["2000", "20000"].map(|it| peak(&folder, file, &["-O3", closures], it));
        assert!(many.0 <= few.0 + few.0 / 10, "{closures}: {few:?}, {many:?}");
        assert!(many.1 >= 10_000, "{closures}: {few:?}, {many:?}");
        for level in ["-O0", "-O3"] {
            let args = ["run", level, "--check-memory", closures, file, "--", "300"];
            let output = oxbow(&folder, &args);
            check_code(&output, 0);
            assert_eq!(err(&output), "", "{level} {closures}");
        }
    }
}

#[test]
fn doubly_linked_lists() {
    let program = "\
type node = { value : int; text : string; mutable prev : node option; mutable next : node option }
let make n =
  let first = { value = n; text = string_of_int n; prev = None; next = None } in
  let last = ref first in
  for i = 1 to 5 do
    let it = { value = i; text = string_of_int i; prev = Some !last; next = None } in
    !last.next <- Some it;
    last := it
  done;
  first
let () =
  let sum = ref 0 in
  for i = 1 to int_of_string Sys.argv.(1) do
    match (make i).next with Some it -> sum := !sum + it.value | None -> ()
  done;
  print_int !sum
";
    flat("dlist", "a.ml", program);
}

#[test]
fn parents_and_children() {
    let program = "\
type tree = { name : string; mutable up : tree option; mutable down : tree list }
let rec grow d up =
  let it = { name = string_of_int d; up; down = [] } in
  if d > 0 then it.down <- [ grow (d - 1) (Some it); grow (d - 1) (Some it) ];
  it
let rec depth it = match it.up with None -> 0 | Some up -> 1 + depth up
let rec leaf it = match it.down with [] -> it | first :: _ -> leaf first
let () =
  let sum = ref 0 in
  for _ = 1 to int_of_string Sys.argv.(1) do sum := !sum + depth (leaf (grow 3 None)) done;
  print_int !sum
";
    flat("parents", "a.ml", program);
}

#[test]
fn closures_in_cells_of_their_own() {
    let program = "\
let knot k =
  let f = ref (fun n -> n) in
  f := (fun n -> if n = 0 then k else !f (n - 1) + 1);
  !f 3
let memo f =
  let table = Hashtbl.create 8 in
  let self = ref (fun _ -> 0) in
  self := (fun n ->
    match Hashtbl.find_opt table n with
    | Some it -> it
    | None -> let it = f !self n in Hashtbl.add table n it; it);
  !self
let () =
  let sum = ref 0 in
  for i = 1 to int_of_string Sys.argv.(1) do
    sum := !sum + knot i + memo (fun self n -> if n < 2 then n else self (n - 1) + self (n - 2)) 10
  done;
  print_int !sum
";
    flat("knots", "a.ml", program);
}

#[test]
fn observers_and_tables() {
    let program = "\
type subject = { mutable observers : (int -> unit) list; table : (int, int -> int) Hashtbl.t; cells : (unit -> int) array }
let count = ref 0
let make i =
  let it = { observers = []; table = Hashtbl.create 4; cells = Array.make (i mod 150) (fun () -> i) } in
  it.observers <- (fun n -> count := !count + n + List.length it.observers) :: it.observers;
  Hashtbl.replace it.table i (fun n -> Hashtbl.length it.table + n);
  Array.iteri (fun at _ -> it.cells.(at) <- (fun () -> Array.length it.cells)) it.cells;
  it
let () =
  for i = 1 to int_of_string Sys.argv.(1) do
    let it = make i in
    List.iter (fun f -> f i) it.observers;
    count := !count + (Hashtbl.find it.table i) 1;
    if Array.length it.cells > 0 then count := !count + it.cells.(0) ()
  done;
  print_int !count
";
    flat("observers", "a.ml", program);
}

#[test]
fn records_of_clef() {
    let program = "\
type Node = { name: string; mutable next: Node option; mutable back: Node list }
let link i =
    let a = { name = string i; next = None; back = [] }
    let b = { name = \"b\"; next = Some a; back = [a] }
    a.next <- Some b
    a.back <- [b]
    match a.next with
    | Some it -> it.back.Length
    | None -> 0
[<EntryPoint>]
let main args =
    let mutable sum = 0
    for i in 1 .. int args.[0] do
        sum <- sum + link i
    printfn \"%d\" sum
    0
";
    flat("clef", "a.clef", program);
}

const ROUNDS: &str = "(define rounds (string->number (cadr (command-line))))\n";

#[test]
fn generators_of_eshkol() {
    let program = format!(
        "{ROUNDS}{}",
        "\
(define (tree->generator tree)
  (define caller #f)
  (define (loop tree)
    (cond ((null? tree) 'skip)
          ((pair? tree) (loop (car tree)) (loop (cdr tree)))
          (else (call/cc (lambda (rest) (set! resume (lambda () (rest 'r))) (caller tree))))))
  (define resume (lambda () (loop tree) (caller '*done*)))
  (lambda () (call/cc (lambda (k) (set! caller k) (resume)))))
(define (same? a b)
  (let ((g (tree->generator a)) (h (tree->generator b)))
    (let next ()
      (let ((x (g)) (y (h)))
        (cond ((not (eqv? x y)) #f) ((eq? x '*done*) #t) (else (next)))))))
(let loop ((i 0) (n 0))
  (if (< i rounds)
      (loop (+ i 1) (if (same? (list 1 (list i 3) 4) (list (list 1 i) 3 (list 4 5))) (+ n 1) n))
      (display n)))
"
    );
    flat("generators", "a.esk", &program);
}

#[test]
fn circular_data_of_eshkol() {
    let program = format!(
        "{ROUNDS}{}",
        "\
(define (circle n)
  (let ((l (iota n)))
    (set-cdr! (list-tail l (- n 1)) l)
    l))
(define (account balance)
  (define self #f)
  (define (deposit n) (set! balance (+ balance n)) (self 'balance))
  (set! self (lambda (m) (if (eq? m 'balance) balance deposit)))
  self)
(define (table i)
  (let ((h (make-hash-table)))
    (hash-table-set! h 'self h)
    (hash-table-set! h 'get (lambda () (hash-table-ref/default h 'n i)))
    ((hash-table-ref/default h 'get #f))))
(define (vec n)
  (let ((v (make-vector n 0)))
    (vector-set! v 0 v)
    (vector-set! v (- n 1) (lambda () (vector-length v)))
    ((vector-ref v (- n 1)))))
(do ((i 0 (+ i 1)) (sum 0 (+ sum (list-ref (circle 5) 7) (((account i) 'deposit) 1) (table i) (vec (+ 2 (modulo i 100))))))
    ((= i rounds) (display sum)))
"
    );
    flat("circles", "a.esk", &program);
}

/// What is a leak stays one: the scan frees no object with a reference too many.
#[test]
fn a_lost_drop_in_a_cycle_is_a_leak() {
    let program = "\
type node = { name : string; mutable next : node option }
let[@inline never] show it = print_endline it.name
let[@inline never] make name =
  let a = { name; next = None } in
  a.next <- Some a;
  a
let () =
  let a = make (String.make 2 'a') in
  show a;
  show a
";
    let folder = folder("lost_drop", "a.ml", program);
    let output = oxbow(&folder, &["run", "--check-memory", "a.ml"]);
    check_code(&output, 0);
    assert_eq!(err(&output), "");
    let plant = ["run", "--check-memory", "--plant", "lose-drop@a.ml:10", "a.ml"];
    let output = oxbow(&folder, &plant);
    check_code(&output, 98);
    assert!(err(&output).contains("oxbow: leaked: 1 x constructor"), "{}", err(&output));
}

/// A reference that is not counted lets the scan free what is in use, and that is found.
#[test]
fn a_lost_dup_in_a_cycle_is_found() {
    let program = "\
type node = { name : string; mutable next : node option }
let keep = ref []
let[@inline never] make i =
  let a = { name = string_of_int i; next = None } in
  a.next <- Some a;
  keep := a :: !keep;
  a
let () =
  for i = 1 to 200 do ignore (Sys.opaque_identity (make i)) done;
  List.iter (fun it -> print_string it.name) !keep
";
    let folder = folder("lost_dup", "a.ml", program);
    check_code(&oxbow(&folder, &["run", "--check-memory", "a.ml"]), 0);
    let output = oxbow(&folder, &["run", "--check-memory", "--plant", "lose-dup@a.ml:6", "a.ml"]);
    check_code(&output, 97);
    assert!(err(&output).contains("after it was freed"), "{}", err(&output));
}

/// Types without a way back get no code for it.
#[test]
fn acyclic_types_cost_nothing() {
    let program = "\
type t = { mutable count : int; mutable names : string list; mutable last : (int * string) option }
let rec fill t n = if n > 0 then begin
  t.names <- string_of_int n :: t.names;
  t.last <- Some (n, string_of_int n);
  t.count <- t.count + 1;
  fill t (n - 1) end
let () =
  let t = { count = 0; names = []; last = None } and r = ref [] and a = Array.make 3 \"\" in
  let f = ref (fun x -> x + 1) in
  fill t 10;
  r := t.names;
  a.(1) <- List.hd !r;
  (f := fun x -> x + t.count);
  print_int (List.length !r + !f (String.length a.(1)))
";
    let folder = folder("acyclic", "a.ml", program);
    let output = oxbow(&folder, &["emit", "--stage=llvm", "-O0", "a.ml"]);
    check_code(&output, 0);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("suspect"));
}

/// Random changes to a random graph; what it prints is what the interpreter says, and the same with scans
/// all the time.
const RANDOM: &str = "\
type node = {
  id : int;
  name : string;
  mutable one : node option;
  mutable many : node list;
  mutable slots : node option array;
  mutable make : (int -> node) option;
  mutable odd : odd;
}
and odd = Nothing | Pair of node * node | Cell of cell
and cell = { mutable inside : odd }

let seed = ref SEED
let random n =
  seed := ((!seed * 1103515245) + 12345) land 0x3fffffff;
  !seed / 64 mod n

let roots = Array.make 12 None
let made = ref 0
let fresh () =
  incr made;
  { id = !made; name = string_of_int !made; one = None; many = []; slots = [||]; make = None; odd = Nothing }

let rec pick depth =
  match roots.(random 12) with
  | None ->
      let it = fresh () in
      roots.(random 12) <- Some it;
      it
  | Some it -> walk depth it
and walk depth it =
  if depth = 0 then it
  else
    match random 6, it with
    | 0, { one = Some next; _ } -> walk (depth - 1) next
    | 1, { many = next :: _; _ } -> walk (depth - 1) next
    | 2, { slots; _ } when Array.length slots > 0 -> (
        match slots.(random (Array.length slots)) with Some next -> walk (depth - 1) next | None -> it)
    | 3, { make = Some f; _ } -> walk (depth - 1) (f depth)
    | 4, { odd = Pair (_, next); _ } -> walk (depth - 1) next
    | 5, { odd = Cell { inside = Pair (next, _) }; _ } -> walk (depth - 1) next
    | _ -> it

let step () =
  let a = pick 4 in
  match random 14 with
  | 0 -> a.one <- Some (pick 3)
  | 1 -> a.one <- None
  | 2 -> a.many <- pick 2 :: a.many
  | 3 -> a.many <- (match a.many with [] -> [] | _ :: rest -> rest)
  | 4 -> a.slots <- Array.make (random 100) (Some (pick 1))
  | 5 -> if Array.length a.slots > 0 then a.slots.(random (Array.length a.slots)) <- Some (pick 3)
  | 6 ->
      let b = pick 2 and c = ref (pick 1) in
      a.make <- Some (fun n -> if n > 2 then (c := a; b) else !c)
  | 7 -> a.odd <- Pair (pick 2, a)
  | 8 ->
      let cell = { inside = a.odd } in
      a.odd <- Cell cell;
      cell.inside <- (match random 3 with 0 -> Cell cell | 1 -> Pair (a, pick 1) | _ -> Nothing)
  | 9 -> a.many <- []
  | 10 | 11 -> roots.(random 12) <- None
  | 12 -> roots.(random 12) <- Some (fresh ())
  | _ -> if Array.length a.slots > 1 then Array.blit a.slots 0 a.slots 1 (Array.length a.slots - 1)

let rec sum depth it =
  if depth = 0 then it.id
  else
    let opt = function None -> 0 | Some it -> sum (depth - 1) it in
    let rec odd n = function
      | Nothing -> 1
      | Pair (a, b) -> sum (depth - 1) a + sum (depth - 1) b
      | Cell c -> if n = 0 then 2 else odd (n - 1) c.inside
    in
    (it.id + String.length it.name + opt it.one
    + List.fold_left (fun n it -> n + sum (depth - 1) it) 0 it.many
    + Array.fold_left (fun n it -> n + match it with None -> 0 | Some it -> it.id) 0 it.slots
    + (match it.make with None -> 0 | Some f -> (f 1).id)
    + odd 3 it.odd)
    land 0xffffff

let () =
  for round = 1 to 12 do
    for _ = 1 to 60 do step () done;
    let total = Array.fold_left (fun n it -> match it with None -> n | Some it -> n + sum 3 it) 0 roots in
    Printf.printf \"%d %d %d\\n\" round !made total
  done
";

#[test]
fn random_graphs_agree_with_the_interpreter() {
    for seed in 1..=8 {
        let program = RANDOM.replace("SEED", &(seed * 7919).to_string());
        let folder = folder(&format!("random{seed}"), "a.ml", &program);
        let expected = oxbow(&folder, &["test-interp", "--phase=mono", "a.ml"]);
        check_code(&expected, 0);
        let ways: [&[&str]; 4] = [
            &["run", "-O3", "a.ml"],
            &["run", "-O0", "--check-memory", "a.ml"],
            &["run", "-O3", "--check-memory", "a.ml"],
            &["run", "-O0", "--check-memory", "--closures=env", "a.ml"],
        ];
        for way in ways {
            let output = oxbow(&folder, way);
            check_code(&output, 0);
            let [got, want] = [&output, &expected].map(|it| String::from_utf8_lossy(&it.stdout));
            assert_eq!(got, want, "{seed} {way:?}");
            assert_eq!(err(&output), "", "{seed} {way:?}");
        }
    }
}
