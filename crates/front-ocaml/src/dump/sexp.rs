//! S-expressions and their layout.

/// Lines are at most this wide where the tree allows it.
const WIDTH: usize = 100;
/// Deeper nodes are not indented further, or a deep tree would take quadratic space.
const MAX_INDENT: usize = 60;

pub(super) struct Sexp {
    kind: Kind,
    /// The number of characters on one line.
    width: usize,
}

enum Kind {
    Atom(String),
    /// `tail` says that the last part continues a chain and is not indented.
    List {
        parts: Vec<Sexp>,
        tail: bool,
    },
}

impl Sexp {
    pub fn atom(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { width: text.chars().count(), kind: Kind::Atom(text) }
    }

    pub fn list(parts: Vec<Sexp>) -> Self {
        let width = 1 + parts.iter().map(|it| it.width + 1).sum::<usize>().max(1);
        Self { kind: Kind::List { parts, tail: false }, width }
    }

    /// `(head part …)`
    pub fn node(head: &str, parts: impl IntoIterator<Item = Sexp>) -> Self {
        Self::list(std::iter::once(Self::atom(head)).chain(parts).collect())
    }

    /// A node whose last part continues a chain.
    pub fn chain(head: &str, parts: impl IntoIterator<Item = Sexp>) -> Self {
        let mut node = Self::node(head, parts);
        if let Kind::List { tail, .. } = &mut node.kind {
            *tail = true;
        }
        node
    }

    pub fn print(&self, text: &mut String) {
        self.print_at(text, 0);
    }

    fn print_at(&self, text: &mut String, indent: usize) {
        let (parts, tail) = match &self.kind {
            Kind::Atom(atom) => return text.push_str(atom),
            Kind::List { parts, tail } => (parts, *tail),
        };
        if indent + self.width <= WIDTH {
            return self.print_flat(text);
        }
        text.push('(');
        let inner = (indent + 2).min(MAX_INDENT);
        for (index, part) in parts.iter().enumerate() {
            if index == 0 {
                part.print_at(text, (indent + 1).min(MAX_INDENT));
                continue;
            }
            let at = if tail && index + 1 == parts.len() { indent } else { inner };
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', at));
            part.print_at(text, at);
        }
        text.push(')');
    }

    fn print_flat(&self, text: &mut String) {
        match &self.kind {
            Kind::Atom(atom) => text.push_str(atom),
            Kind::List { parts, .. } => {
                text.push('(');
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        text.push(' ');
                    }
                    part.print_flat(text);
                }
                text.push(')');
            }
        }
    }
}
