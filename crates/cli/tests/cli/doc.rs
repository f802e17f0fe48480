//! `oxbow doc`: pages about modules, in three languages.
//!
//! `tests/doc/LANGUAGE` is described as text with links, which `tests/doc/LANGUAGE.expected` has; `OXBOW_BLESS=1`
//! rewrites it. The pages are looked at in Chromium, if there is one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{browser, in_browser, oxbow, scratch};

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/doc")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a folder of programs has, and what is reported of it.
fn described(language: &str) {
    let output = oxbow(&programs(), &["doc", "--text", "--links", language]);
    let found = format!("{}\n{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{found}");
    let path = programs().join(format!("{language}.expected"));
    if std::env::var_os("OXBOW_BLESS").is_some() {
        fs::write(&path, &found).expect("a writable file");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == found, "{language}: what is said has changed (OXBOW_BLESS=1)\n{found}");
}

#[test]
fn ocaml_is_described() {
    described("ocaml");
}

#[test]
fn clef_is_described() {
    described("clef");
}

#[test]
fn eshkol_is_described() {
    described("eshkol");
}

/// The files of a folder with their contents.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|it| {
            let path = it.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("a text"))
        })
        .collect();
    all.sort();
    all
}

/// The same bytes each time, nothing from elsewhere, and every link of a page leads somewhere.
#[test]
fn a_folder_of_pages_stands_alone() {
    let folder = scratch("doc", "alone");
    for language in ["ocaml", "clef", "eshkol"] {
        let source = programs().join(language).display().to_string();
        for pages in ["a", "b"] {
            let output = oxbow(&folder, &["doc", &source, "-o", pages]);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        }
        let all = files(&folder.join("a"));
        assert_eq!(all, files(&folder.join("b")), "{language}");
        for (name, page) in all.iter().filter(|it| it.0.ends_with(".html")) {
            for outside in ["src=\"http", "@import", "url("] {
                assert!(!page.contains(outside), "{name}: {outside}");
            }
            for address in page.split("href=\"").skip(1).filter_map(|it| it.split('"').next()) {
                leads(address, name, &all);
            }
        }
        fs::remove_dir_all(folder.join("a")).expect("the pages");
        fs::remove_dir_all(folder.join("b")).expect("the pages");
    }
}

/// Is there a file, and in it the place, that an address on a page names?
fn leads(address: &str, page: &str, all: &[(String, String)]) {
    if address.starts_with("https://") {
        return;
    }
    let (file, place) = address.split_once('#').unwrap_or((address, ""));
    let file = if file.is_empty() { page } else { file };
    let found = all.iter().find(|it| it.0 == file);
    let found = &found.unwrap_or_else(|| panic!("{page}: no page `{file}`")).1;
    let place = decoded(place).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let id = format!("id=\"{place}\"");
    assert!(place.is_empty() || found.contains(&id), "{page}: no place `{place}` in {file}");
}

fn decoded(place: &str) -> String {
    let mut parts = place.split('%');
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let (code, rest) = part.split_at(2);
        out.push(char::from(u8::from_str_radix(code, 16).expect("two digits")));
        out.push_str(rest);
    }
    out
}

#[test]
fn mistakes_are_reported_as_check_does() {
    let folder = scratch("doc", "mistakes");
    fs::write(folder.join("a.ml"), "let x : int = \"a\"\n").expect("a file");
    fs::write(folder.join("b.ml"), "(** See {!A.x} and {!no_such}. *)\nlet y = 1\n")
        .expect("a file");
    let checked = oxbow(&folder, &["check", "a.ml"]);
    let described = oxbow(&folder, &["doc", "a.ml"]);
    assert_eq!(described.status.code(), Some(1));
    assert_eq!(text(&checked.stderr), text(&described.stderr));
    assert!(!folder.join("doc").exists(), "nothing is written");
    let described = oxbow(&folder, &["doc", "b.ml"]);
    assert_eq!(described.status.code(), Some(0));
    let said = text(&described.stderr);
    assert!(said.contains("warning[W0906]: `no_such` refers to nothing"), "{said}");
    assert!(said.contains("b.ml:1:20"), "{said}");
    assert!(folder.join("doc/B.html").exists());
    for (args, code) in [
        (["doc", "nothing.ml"].as_slice(), 2),
        (&["doc", "doc"], 2),
        (&["doc", "b.ml", "-o", "b.ml/x"], 2),
        (&["doc", "b.ml", "--links"], 2),
    ] {
        assert_eq!(oxbow(&folder, args).status.code(), Some(code), "{args:?}");
    }
}

/// What a file defines is in scope in no other, whatever the file is called.
#[test]
fn a_module_called_like_the_librarys_is_not_open() {
    let folder = scratch("doc", "my_stdlib");
    fs::write(folder.join("my_stdlib.ml"), "let helper = 1\n").expect("a file");
    let main = "(** See {!print_endline} and {!helper}. *)\nlet y = My_stdlib.helper\n";
    fs::write(folder.join("a.ml"), main).expect("a file");
    let described = oxbow(&folder, &["doc", "a.ml"]);
    assert_eq!(described.status.code(), Some(0));
    let said = text(&described.stderr);
    assert!(said.contains("`helper` refers to nothing"), "{said}");
    assert_eq!(said.matches("W0906").count(), 1, "{said}");
}

/// Odd texts give pages, and no text of a program becomes markup.
#[test]
fn odd_comments_are_text() {
    let folder = scratch("doc", "odd");
    let program = "(** <script>alert(1)</script> {b open [bracket {[ code *)\nlet a = 1\n\
        (** {ul {- x} *)\nlet b = \"(** no *)\"\n(** {!} {{!}} { } {9 } @ @param *)\nlet c = '\"'\n\
        (** {{:javascript:alert(1)} click} *)\nlet d = 1\n";
    fs::write(folder.join("odd.ml"), program).expect("a file");
    let output = oxbow(&folder, &["doc", "odd.ml"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = fs::read_to_string(folder.join("doc/Odd.html")).expect("the page");
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "{page}");
    assert!(!page.contains("<script>alert") && !page.contains("javascript:"), "{page}");
    let script = fs::read_to_string(folder.join("doc/doc.js")).expect("the script");
    assert!(!script.contains("</script"), "{script}");
}

#[test]
fn names_are_found_in_a_browser() {
    let folder = scratch("doc", "browser");
    let source = programs().join("ocaml").display().to_string();
    let output = oxbow(&folder, &["doc", &source]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let Some(browser) = browser() else {
        eprintln!("left out: there is no /usr/bin/chromium, and OXBOW_BROWSER names no browser");
        return;
    };
    let page = folder.join("doc/Shapes.html");
    let found = |query: &str| {
        let dom = in_browser(&browser, &page, &format!("?q={query}"));
        let list = &dom[dom.find("<ol id=\"found\"").expect("the list")..];
        list[..list.find("</ol>").expect("its end")].to_string()
    };
    let list = found("circ");
    let first = list.find("Shapes.html#val-circle").expect("the function");
    let second = list.find("Shapes.html#type-t.constructor-Circle").expect("the constructor");
    assert!(second < first, "names of one length are in the order of the text: {list}");
    assert!(!list.contains("hidden=\"\""), "{list}");
    // A path, letters in order, what is hidden, and what is not there.
    let list = found("group.make");
    let first = list.split("href=\"").nth(1).expect("a row");
    assert!(first.starts_with("Shapes.Group.Make.html\""), "{list}");
    assert!(found("sqr").contains("#val-square"));
    assert!(found("internal").contains("nothing has such a name"));
    assert!(in_browser(&browser, &page, "").contains("<ol id=\"found\" hidden=\"\">"));
}

/// The folders of the library are described as the compiler has them, without what their files hide.
#[test]
fn the_library_has_pages() {
    let folder = scratch("doc", "library");
    let library = programs().join("../../lib");
    for (language, page, has) in
        [("ocaml", "List.html", "id=\"val-fold_left\""), ("clef", "index.html", "href=\"doc.css\"")]
    {
        let source = library.join(language).display().to_string();
        let output = oxbow(&folder, &["doc", &source, "-o", language]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let all = files(&folder.join(language));
        let found = &all.iter().find(|it| it.0 == page).expect("the page").1;
        assert!(found.contains(has), "{language}");
        assert!(!all.iter().any(|it| it.0.starts_with("Oxbow_")), "{language}");
    }
    let unix = fs::read_to_string(folder.join("ocaml/Unix.html")).expect("the page");
    assert!(unix.contains("id=\"val-openfile\"") && !unix.contains("id=\"val-error_name\""));
    let source = library.join("eshkol").display().to_string();
    assert_eq!(oxbow(&folder, &["doc", &source]).status.code(), Some(2));
}

/// A module of the folder has the name of one of the library: whoever mentions it is warned, and nobody else.
#[test]
fn names_of_the_library_in_a_folder() {
    let folder = scratch("doc", "names-of-the-library");
    fs::write(folder.join("list.ml"), "(** One. *)\nlet x = 1\n").expect("a file");
    let output = oxbow(&folder, &["doc", "--text", "."]);
    assert_eq!(text(&output.stderr), "");
    assert!(text(&output.stdout).contains("val x : int"), "{output:?}");
    fs::write(folder.join("a.ml"), "let y = List.x\n").expect("a file");
    let output = oxbow(&folder, &["doc", "--text", "."]);
    let reports = text(&output.stderr);
    assert!(reports.contains("W0904") && reports.contains("a.ml:1:9"), "{reports}");
}
