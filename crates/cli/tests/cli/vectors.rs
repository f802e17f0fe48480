//! Vector code: `dot`, `matvec`, maps and sums over float arrays work on several numbers at once, forward and in their
//! gradients; `matmul` and its gradients are products of the runtime's.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A program's assembly.
fn assembly(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("vectors");
    fs::create_dir_all(&folder).expect("a scratch folder");
    let file = folder.join(format!("{name}.ml"));
    fs::write(&file, text).expect("a writable folder");
    let output = Command::new(env!("CARGO_BIN_EXE_oxbow"))
        .args(["emit", "--stage=asm", "-O3"])
        .arg(&file)
        .output()
        .expect("the compiler starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The instructions of a program that work on two doubles or more.
fn packed(name: &str, text: &str) -> Vec<String> {
    let assembly = assembly(name, text);
    let first = |line: &str| line.split_whitespace().next().unwrap_or("").to_string();
    let wanted = |it: &String| {
        ["mulpd", "addpd", "fmadd"].iter().any(|part| it.contains(part)) && it.ends_with("pd")
    };
    assembly.lines().map(first).filter(wanted).collect()
}

/// `body` works on arrays `a` and `b` of a length that only the run knows.
fn program(body: &str) -> String {
    format!(
        "let n = int_of_string Sys.argv.(1)\n\
         let a = Array.init n float and b = Array.init n (fun i -> 1.0 /. float (i + 1))\n\
         {body}"
    )
}

#[test]
fn loops_over_arrays_are_vector_code() {
    let programs = [
        ("dot", "let () = print_float (Ad.dot a b)"),
        ("matvec", "let () = print_float (Ad.matvec 3 (Array.concat [ a; b; a ]) b).(0)"),
        ("map", "let () = print_float (Array.map (fun x -> (x *. x) +. 1.0) a).(n - 1)"),
        (
            "loop",
            "let () = for i = 0 to n - 1 do b.(i) <- b.(i) +. (2.0 *. a.(i)) done; print_float b.(n - 1)",
        ),
    ];
    for (name, body) in programs {
        let found = packed(name, &program(body));
        assert!(!found.is_empty(), "{name} has no vector code");
    }
}

#[test]
fn gradients_of_vector_code_are_vector_code() {
    let programs = [
        (
            "dot_gradient",
            "let () = print_float (Ad.gradient (fun x -> let d = Ad.dot x b in d *. d) a).(n - 1)",
        ),
        ("square_gradient", "let () = print_float (Ad.gradient (fun x -> Ad.dot x x) a).(n - 1)"),
        (
            "matvec_gradient",
            "let () = print_float (Ad.gradient (fun m -> Ad.dot (Ad.matvec 3 m b) [| 1.0; 2.0; 3.0 |]) (Array.concat [ a; b; a ])).(0)",
        ),
    ];
    for (name, body) in programs {
        let found = packed(name, &program(body));
        assert!(!found.is_empty(), "{name} has no vector code");
    }
}

/// One product forward, and two in the reverse sweep of a matrix that is both factors.
#[test]
fn products_of_matrices_are_the_runtimes() {
    let programs = [
        (
            "matmul",
            1,
            "let () = print_float (Ad.matmul n n (Array.make (n * n) 0.5) (Array.make (n * n) 0.25)).(0)",
        ),
        (
            "matmul_gradient",
            3,
            "let () = print_float (Ad.gradient (fun m -> Ad.dot (Ad.matmul n n m m) m) (Array.make (n * n) 0.5)).(0)",
        ),
    ];
    for (name, products, body) in programs {
        let assembly = assembly(name, &program(body));
        let calls = assembly.lines().filter(|it| it.contains("call"));
        let calls = calls.filter(|it| it.contains("oxbow_array_add_product")).count();
        assert_eq!(calls, products, "{name}");
    }
}
