//! Documentation as a folder: a page for each module, one style sheet, one script with the index of all names. It needs
//! nothing from elsewhere.
//!
//! ```text
//! index.html   Util.html   Util.Inner.html   doc.css   doc.js
//! ```

mod page;

use serde_json::json;

use crate::markup;
use crate::model::{Definition, Item, Site, Sort};

const STYLE: &str = include_str!("doc.css");
const SCRIPT: &str = include_str!("doc.js");

/// The files of the documentation: names and contents.
pub fn render(site: &Site) -> Vec<(String, String)> {
    let mut files = vec![
        ("index.html".to_string(), page::index(site)),
        ("doc.css".to_string(), STYLE.to_string()),
        ("doc.js".to_string(), format!("{SCRIPT}\nstart({});\n", names(site))),
    ];
    let pages = site.pages.iter().enumerate();
    files.extend(pages.map(|(number, it)| (file(&it.name), page::page(site, number))));
    files
}

/// The file of a page.
fn file(name: &str) -> String {
    // The first page is `index.html`, whatever modules are called.
    match name {
        "index" => "index~.html".into(),
        _ => format!("{name}.html"),
    }
}

/// What can be searched for: kind, name, module around, address, summary.
fn names(site: &Site) -> String {
    let mut all = Vec::new();
    for page in &site.pages {
        let around = page.path.join(".");
        if page.parent.is_none() {
            all.push(json!([page.sort.word(), around, "", file(&page.name), ""]));
        }
        for item in &page.items {
            if let Item::Definition(it) = item {
                entries(site, it, (&around, &page.name), &mut all);
            }
        }
    }
    serde_json::Value::Array(all).to_string().replace('<', "\\u003c")
}

fn entries(
    site: &Site,
    it: &Definition,
    (around, page): (&str, &str),
    all: &mut Vec<serde_json::Value>,
) {
    if it.sort != Sort::Include {
        // A module is found where its contents are.
        let address = match it.page {
            Some(inner) => file(&site.pages[inner].name),
            None => format!("{}#{}", file(page), encoded(&it.id)),
        };
        let summary = markup::summary(&it.doc);
        all.push(json!([it.sort.word(), it.name, around, address, summary]));
    }
    let inside = match it.sort {
        Sort::Type | Sort::Class | Sort::ClassType | Sort::Parameter => {
            format!("{around}.{}", it.name)
        }
        _ => around.to_string(),
    };
    it.inner.iter().for_each(|part| entries(site, part, (&inside, page), all));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A place in an address: names hold all kinds of signs.
fn encoded(id: &str) -> String {
    let mut out = String::new();
    for byte in id.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => out.push(byte.into()),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}
