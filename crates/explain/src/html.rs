//! The explanation as one page that needs nothing else: the data, and the script and style that
//! show it.

use crate::json;
use crate::model::Explanation;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

pub fn render(explanation: &Explanation, title: &str) -> String {
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", STYLE.to_string()),
        ("{{script}}", SCRIPT.to_string()),
        ("{{data}}", json::for_page(explanation)),
    ];
    let mut page = String::new();
    let mut rest = PAGE;
    // One pass over the page: what is put in is not searched again.
    while let Some(at) = rest.find("{{") {
        page += &rest[..at];
        rest = &rest[at..];
        match parts.iter().find(|it| rest.starts_with(it.0)) {
            Some((name, text)) => {
                page += text;
                rest = &rest[name.len()..];
            }
            None => {
                page += "{{";
                rest = &rest[2..];
            }
        }
    }
    page + rest
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::File;

    #[test]
    fn a_program_cannot_end_the_script_that_holds_it() {
        let text = "let s = \"</script><b>{{style}}\"".to_string();
        let files = vec![File { name: "a<b.ml".into(), text }];
        let page = render(&Explanation { files, ..Explanation::default() }, "a<b.ml");
        assert!(page.contains("\\u003c/script>\\u003cb>{{style}}"), "{page}");
        assert!(page.contains("<title>a&lt;b.ml"));
        assert_eq!(page.matches("</script>").count(), 2);
        for outside in ["http://", "https://", "src=", "@import", "url("] {
            let links = page.replace("http://www.w3.org/", "");
            assert!(!links.contains(outside), "the page refers to the outside: {outside}");
        }
    }
}
