//! Large programs, to see how compile time grows with length.

use std::fmt::Write as _;

/// Lines of one group of definitions.
const GROUP: usize = 10;

/// A program of about `lines` lines: types, matches, closures, recursion and lists, each group
/// using the one before it.
pub fn program(lines: usize) -> String {
    let mut text = String::new();
    for i in 0..lines / GROUP {
        let before = if i == 0 { "0".to_string() } else { format!("total_{}", i - 1) };
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "\
type shape_{i} = Circle_{i} of int | Square_{i} of int * int | Dot_{i}
let area_{i} = function
  | Circle_{i} r -> 3 * r * r
  | Square_{i} (a, b) -> a * b
  | Dot_{i} -> {i}
let make_{i} k = let scale = k + {i} in fun x -> x * scale + 1
let rec count_{i} n acc = if n = 0 then acc else count_{i} (n - 1) (acc + n mod 7)
let list_{i} = List.map (make_{i} 2) [1; 2; 3; {i}]
let total_{i} = (List.fold_left (+) ({before}) list_{i} + area_{i} (Square_{i} (2, 3))
  + area_{i} (Circle_{i} {i}) + count_{i} 10 0) land 0xffffff
"
        );
    }
    let last = (lines / GROUP).saturating_sub(1);
    let _ = writeln!(text, "let () = Printf.printf \"%d\\n\" total_{last}");
    text
}
