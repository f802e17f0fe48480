//! `oxbow explain FILE`: the arguments, what the back end makes of the layouts it tells, and the
//! page in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{browser, in_browser};

/// The program of a golden file.
fn program(golden: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = fs::read_to_string(root.join("tests/golden/explain").join(golden));
    let text = text.expect("the golden file");
    let start = text.find("```ocaml\n").expect("a program") + "```ocaml\n".len();
    let end = text[start..].find("\n```").expect("the end of the program");
    text[start..start + end + 1].to_string()
}

fn folder(name: &str, file: &str, source: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a scratch folder");
    fs::write(path.join(file), source).expect("a writable folder");
    path
}

fn oxbow(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_oxbow"));
    command.args(args).current_dir(folder).output().expect("the compiler runs")
}

fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_file_a_code_or_neither() {
    let folder = folder("arguments", "main.ml", "let () = print_int 1\n");
    assert!(stdout(&oxbow(&folder, &["explain", "main.ml"])).starts_with("no functions\n"));
    assert!(stdout(&oxbow(&folder, &["explain", "E0102"])).starts_with("E0102: "));
    for (args, message) in [
        (["explain", "E9999"].as_slice(), "`E9999` is not the code of a diagnostic"),
        (&["explain", "nothing.ml"], "nothing.ml"),
        (&["explain", "--json", "--html", "a.html", "main.ml"], "cannot be used with"),
        (&["explain", "--html", "no/such/folder.html", "main.ml"], "cannot write"),
    ] {
        let output = oxbow(&folder, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(message), "{args:?}: {said}");
    }
    fs::write(folder.join("bad.ml"), "let x = y\n").expect("a writable folder");
    let output = oxbow(&folder, &["explain", "bad.ml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
}

/// Each form of Eshkol that makes a procedure lists the variables of those around it that it mentions, and no others,
/// by the names of the program.
///
/// covers: K4
#[test]
fn forms_of_eshkol_list_their_captures() {
    let program = "\
(define (forms k unread)
  (define (by-define x) (+ x k))
  (let* ((a (car (list k))) (by-let* (lambda (x) (* x a))))
    (letrec ((by-letrec (lambda (x) (if (> x a) x (by-letrec (+ x k 1))))))
      (list (lambda (x) (- x k))
            by-define
            by-let*
            by-letrec
            (let by-named ((i 0) (made '()))
              (if (= i 2) (car made) (by-named (+ i 1) (cons (lambda (x) (+ x i a)) made))))
            (do ((j 0 (+ j 1)) (made '() (cons (lambda (x) (+ x j k)) made))) ((= j 2) (cadr made)))))))
(display (map (lambda (f) (f 10)) (forms 3 'unread)))
";
    let folder = folder("forms", "main.esk", program);
    let text = stdout(&oxbow(&folder, &["explain", "--json", "main.esk"]));
    let explanation: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let found: Vec<String> = explanation["lambdas"]
        .as_array()
        .expect("functions")
        .iter()
        .map(|it| {
            let names = it["captures"].as_array().expect("captures").iter();
            let names: Vec<&str> = names.filter_map(|it| it["name"].as_str()).collect();
            let line = &it["place"]["line"];
            format!("{line} {}: {}", it["name"].as_str().unwrap_or("lambda"), names.join(" "))
        })
        .collect();
    let expected = [
        "1 forms: ",
        "2 by-define: k",
        "3 by-let*: a",
        "4 by-letrec: a by-letrec k",
        "5 lambda: k",
        "9 by-named: by-named a",
        "10 lambda: i a",
        "11 do: do k",
        "11 lambda: j k",
        "12 lambda: ",
    ];
    assert_eq!(found, expected);
}

/// The numbers behind every `"name": ` of a text.
#[cfg(feature = "native")]
fn numbers(text: &str, name: &str) -> Vec<i64> {
    let name = format!("\"{name}\": ");
    let digits = |it: &str| -> String {
        it.chars().take_while(|it| it.is_ascii_digit() || *it == '-').collect()
    };
    text.split(&name).skip(1).filter_map(|it| digits(it).parse().ok()).collect()
}

/// Captures of every kind of number that OCaml has not.
#[cfg(feature = "native")]
const CLEF_LAYOUT: &str = "\
type Colour = Red | Green | Blue

let kept : (unit -> int) list ref = ref []

[<EntryPoint>]
let main args =
    let n = args.Length
    let a, b, c, d = int8 n, int16 n, uint8 n, uint16 n
    let e, f, g, h = n + 1, uint32 n, int64 n, float32 n
    let i, j, k, l = float n, n > 2, char (n + 65), string n
    let m = if j then Red else Green
    let using () =
        let small = int a + int b + int c + int d + e + int f
        let large = int g + int h + int i + (if j then 1 else 0) + int k + l.Length
        small + large + (match m with Red -> 1 | Green -> 2 | Blue -> 3)
    kept.Value <- using :: kept.Value
    for f in kept.Value do printfn \"%d\" (f ())
    0
";

/// Captures of dynamic values, of an integer that is known to be one, and of a changed variable.
#[cfg(feature = "native")]
const ESHKOL_LAYOUT: &str = "\
(define kept '())
(define (make n)
  (let ((f (* 1.5 n)) (s (make-string n #\\x)) (v (vector n 2)) (c (integer->char (+ n 65))))
    (define (using k)
      (set! f (+ f 1.0))
      (+ k n f (string-length s) (vector-length v) (char->integer c)))
    using))
(set! kept (cons (make 1) (cons (make 2) kept)))
(for-each (lambda (g) (display (g 1)) (newline)) kept)
";

/// The layout that is told is the one that the code uses: offsets of the captures that it loads,
/// and the size of the object. covers: C1, C2
#[test]
#[cfg(feature = "native")]
fn layouts_are_those_of_the_code() {
    check_layout("main.ml", &program("layouts.md"), "use", "use", 13);
    check_layout("main.clef", CLEF_LAYOUT, "using", "using", 13);
    check_layout("main.esk", ESHKOL_LAYOUT, "using", "vusing", 5);
}

/// `closure` is how the name of the function begins that captures so many values, `symbol` that of its code.
#[cfg(feature = "native")]
fn check_layout(file: &str, source: &str, closure: &str, symbol: &str, captures: usize) {
    let folder = folder("layouts", file, source);
    let json = stdout(&oxbow(&folder, &["explain", "--json", "--closures=flat", file]));
    let start = json.find(&format!("\"name\": \"{closure}")).expect("the closure");
    let start = start + json[start..].find("\"layout\"").expect("its layout");
    let layout = &json[start..start + json[start..].find("\"storage\"").expect("its end")];
    let size = numbers(layout, "size")[0];
    let told: Vec<(i64, i64)> = layout
        .split("\"kind\": ")
        .filter(|it| it.starts_with("\"capture\""))
        .map(|it| (numbers(it, "offset")[0], numbers(it, "size")[0]))
        .collect();
    assert_eq!(told.len(), captures);

    let module =
        stdout(&oxbow(&folder, &["emit", "--stage=llvm-dialect", "--closures=flat", file]));
    let code = format!("llvm.func internal tailcc @ml.{symbol}");
    let start = module.find(&code).expect("the code of the closure");
    let code = &module[start..start + module[start..].find("\n  }").expect("its end")];
    // The first address that something is read from at 8 is the object's.
    let reads: Vec<(&str, i64)> = code
        .split("llvm.getelementptr ")
        .skip(1)
        .filter_map(|it| {
            let (base, rest) = it.split_once('[')?;
            Some((base, rest.split(']').next()?.parse().ok()?))
        })
        .collect();
    let object = reads.iter().find(|it| it.1 == 8).expect("a capture is read").0;
    // The second half of a pair is read by itself; before the captures are header and code.
    let is_half = |at: i64| told.iter().any(|&(from, size)| from < at && at < from + size);
    let mut fields: Vec<i64> = reads
        .iter()
        .filter(|it| it.0 == object && it.1 >= 8 && !is_half(it.1))
        .map(|it| it.1)
        .collect();
    fields.sort();
    fields.dedup();
    assert_eq!(told.iter().map(|it| it.0).collect::<Vec<_>>(), fields);
    // A header says: a closure, takes one argument, so many words behind the header.
    let is_header = |word: i64| {
        let part = |shift: u32, mask: i64| word >> shift & mask;
        part(40, 0xf) == 2 && part(32, 0xff) == 1 && part(46, 0xf) == size / 8 - 1
    };
    let constants = module.split("llvm.mlir.constant(").skip(1);
    let made = constants.filter_map(|it| it.split(' ').next()?.parse().ok()).any(is_header);
    assert!(made, "no closure of {size} bytes is made");
}

#[test]
fn the_page_works_in_a_browser() {
    let folder = folder("page", "main.ml", &program("closures.md"));
    let args = ["explain", "--closures=flat", "--html", "page.html", "main.ml"];
    stdout(&oxbow(&folder, &args));
    let page = folder.join("page.html");
    let Some(browser) = browser() else {
        eprintln!("left out: there is no /usr/bin/chromium, and OXBOW_BROWSER names no browser");
        return;
    };
    let dom = in_browser(&browser, &page, "#f2");
    let article = &dom[dom.find("<article").expect("the panel")..];
    // The function, its captures with their places, the picture, the reasons.
    for part in [
        "<code>step</code>",
        "by value: the cell is shared",
        ">1:24</button>",
        "aria-label=\"object of 32 bytes\"",
        "counted: until its last reference is gone",
        "it is part of a tuple",
        "class=\"ir\"",
    ] {
        assert!(article.contains(part), "the panel lacks {part}:\n{article}");
    }
    if cfg!(feature = "native") {
        for form in ["ocaml dialect", "strategy flat"] {
            assert!(article.contains(form), "the panel lacks the code: {form}");
        }
    }
    // An arrow for each capture, to a variable that is marked.
    let arrows = &dom[dom.find("id=\"arrows\"").expect("arrows")..];
    let arrows = &arrows[..arrows.find("</svg>").expect("their end")];
    assert_eq!(arrows.matches("class=\"head\"").count(), 2);
    assert_eq!(dom.matches(" bind\"").count(), 2);
    assert!(
        dom.contains("id=\"objects\" role=\"tabpanel\" aria-labelledby=\"tab-objects\" hidden")
    );
    let dom = in_browser(&browser, &page, "#objects");
    let functions = &dom[dom.find("id=\"functions\"").expect("the other panel")..];
    assert!(functions.split('>').next().is_some_and(|it| it.contains("hidden")));
    assert!(dom.contains("class-counted\">counted</span>"));
}

/// A program of several files: the page has the text of each, and places say in which file they are.
#[test]
fn the_page_shows_all_files() {
    let folder = folder(
        "files",
        "main.ml",
        "let shift = Array.length Sys.argv\n\
         let () = List.iter (fun f -> print_int (f shift)) (Util.adders shift)\n",
    );
    let util = "let adders n = [ (fun x -> x + n); (fun x -> x * n) ]\n";
    fs::write(folder.join("util.ml"), util).expect("a writable folder");
    stdout(&oxbow(&folder, &["explain", "--closures=flat", "--html", "page.html", "main.ml"]));
    let page = folder.join("page.html");
    let data = fs::read_to_string(&page).expect("the page");
    for file in ["main.ml", "util.ml"] {
        assert!(data.contains(&format!("\"name\":\"{file}\"")), "no {file}");
    }
    let Some(browser) = browser() else {
        eprintln!("left out: there is no /usr/bin/chromium, and OXBOW_BROWSER names no browser");
        return;
    };
    // The first function of the list in `util.ml`, which captures `n`.
    let dom = in_browser(&browser, &page, "#f3");
    for part in [
        "<h2>main.ml</h2>",
        "<h2>util.ml</h2>",
        "data-file=\"util.ml\"",
        "class=\"place\" type=\"button\">util.ml:1:12</button>",
    ] {
        assert!(dom.contains(part), "the page lacks {part}");
    }
    let arrows = &dom[dom.find("id=\"arrows\"").expect("arrows")..];
    let arrows = &arrows[..arrows.find("</svg>").expect("their end")];
    assert_eq!(arrows.matches("class=\"head\"").count(), 1);
    assert!(dom.contains("bind\" data-at=\"util.ml:1:12\""), "what is captured is marked");
}
