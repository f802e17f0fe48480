//! Parts of a dump: one function, or the lines of one op.

/// The functions of this name in MLIR or LLVM text: from the line that defines one to the line
/// that closes it.
pub fn function(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if !defines(line, name) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        out += line.trim_start();
        out.push('\n');
        if !line.trim_end().ends_with('{') {
            continue;
        }
        for line in lines.by_ref() {
            let depth = line.len() - line.trim_start().len();
            out += line.get(indent.min(depth)..).unwrap_or("");
            out.push('\n');
            if depth <= indent && line.trim_start().starts_with('}') {
                break;
            }
        }
    }
    out
}

fn defines(line: &str, name: &str) -> bool {
    let Some(at) = line.find(&format!("@{name}")) else { return false };
    let (head, rest) = line.split_at(at);
    let ends = rest[name.len() + 1..]
        .chars()
        .next()
        .is_none_or(|it| !it.is_alphanumeric() && !"_.$'".contains(it));
    ends && (head.contains("func") || head.contains("define"))
}

/// The lines that hold this op, without indentation; without any, a line that says so, which a reader of a diff sees.
pub fn op_lines(text: &str, op: &str) -> String {
    let holds = |line: &&str| line.split([' ', '"', '(']).any(|it| it == op);
    let lines: String = text.lines().filter(holds).map(|it| format!("{}\n", it.trim())).collect();
    if lines.is_empty() { format!("(no {op})\n") } else { lines }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
module {
  ocaml.func @add(%x: i64) -> i64 {
    %0 = ocaml.env.get %env[0] -> i64
    cf.br ^bb1
  ^bb1:
    ocaml.return %0 : i64
  }
  ocaml.func @add2() -> i64 {
    %1 = ocaml.invoke %add(%0) : i64
  }
}
";

    #[test]
    fn one_function() {
        let text = function(TEXT, "add");
        assert!(
            text.starts_with("ocaml.func @add(") && text.ends_with("  ocaml.return %0 : i64\n}\n"),
            "{text}"
        );
        assert!(!text.contains("add2"));
    }

    #[test]
    fn one_op() {
        assert_eq!(op_lines(TEXT, "ocaml.env.get"), "%0 = ocaml.env.get %env[0] -> i64\n");
        assert_eq!(op_lines(TEXT, "ocaml.env"), "(no ocaml.env)\n");
    }
}
