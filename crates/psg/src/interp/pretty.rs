//! Values broken into lines as F#'s `%A` does it: a text that goes over the edge breaks the outermost
//! place where its line may be broken, until it fits.

/// The edge.
const WIDTH: usize = 80;

pub(super) enum Pretty {
    Leaf(String),
    /// Two parts, and how many blanks are between them on one line.
    Node(Box<Pretty>, Box<Pretty>, Joint, usize),
    /// In parentheses where it is the argument of a constructor.
    Applied(Box<Pretty>),
}

#[derive(Clone, Copy)]
pub(super) enum Joint {
    Together,
    /// On a new line, so much to the right of where the first part begins.
    Below(usize),
    /// The same, but only where the line would be too long.
    Breakable(usize),
}

use Joint::{Below, Breakable, Together};
use Pretty::{Applied, Leaf, Node};

impl Pretty {
    pub fn leaf(text: impl Into<String>) -> Self {
        Leaf(text.into())
    }

    fn beside(self, other: Self, joint: Joint, blanks: usize) -> Self {
        Node(Box::new(self), Box::new(other), joint, blanks)
    }

    fn enclosed(self, opening: &str, closing: &str) -> Self {
        let rest = self.beside(Self::leaf(closing), Together, 0);
        Self::leaf(opening).beside(rest, Together, 0)
    }

    /// Items behind each other, as many on a line as fit.
    pub fn list(opening: &str, mark: &str, closing: &str, items: Vec<Self>) -> Self {
        let add = |before: Self, item: Self| {
            before.beside(Self::leaf(mark), Together, 0).beside(item, Breakable(0), 1)
        };
        match items.into_iter().reduce(add) {
            Some(items) => items.enclosed(opening, closing),
            None => Leaf(format!("{opening}{closing}")),
        }
    }

    pub fn tuple(items: Vec<Self>) -> Self {
        Self::list("(", ",", ")", items)
    }

    /// A map, a set: its name before the list of its elements.
    pub fn collection(name: &str, items: Vec<Self>) -> Self {
        Self::applied(name, Self::list("[", ";", "]", items))
    }

    pub fn application(name: &str, mut items: Vec<Self>) -> Self {
        match items.len() {
            0 => Self::leaf(name),
            1 => {
                let one = items.remove(0);
                let argument = match &one {
                    Applied(_) => one.enclosed("(", ")"),
                    // A value that made its text itself.
                    Leaf(text)
                        if text.starts_with(|it: char| it.is_ascii_alphabetic())
                            && text.contains(' ') =>
                    {
                        one.enclosed("(", ")")
                    }
                    Leaf(_) | Node(..) => one,
                };
                Self::applied(name, argument)
            }
            _ => Self::applied(name, Self::tuple(items)),
        }
    }

    fn applied(name: &str, argument: Self) -> Self {
        Applied(Box::new(Self::leaf(name).beside(argument, Breakable(2), 1)))
    }

    pub fn record(fields: Vec<(&str, Self)>) -> Self {
        let field = |(name, value): (&str, Self)| {
            let name = Self::leaf(name).beside(Self::leaf("="), Together, 1);
            name.beside(value, Breakable(1), 1)
        };
        let fields = fields.into_iter().map(field);
        match fields.reduce(|before, it| before.beside(it, Below(0), 0)) {
            Some(fields) => fields.enclosed("{ ", " }"),
            None => Self::leaf("{ }"),
        }
    }

    pub fn render(mut self) -> String {
        fit(&mut self, &mut Breaks::default(), 0);
        let mut out = String::new();
        write(&self, 0, &mut out);
        out
    }
}

/// Where the line may be broken, the outermost place first.
#[derive(Default)]
struct Breaks {
    /// What a break there saves.
    savings: Vec<usize>,
    /// Those before this one are broken.
    unbroken: usize,
}

/// Decides where to break. Gives the column behind the layout, and how wide its last line is.
fn fit(layout: &mut Pretty, breaks: &mut Breaks, mut column: usize) -> (usize, usize) {
    match layout {
        Leaf(text) => {
            let size = text.chars().count();
            while column + size > WIDTH && breaks.unbroken < breaks.savings.len() {
                column -= breaks.savings[breaks.unbroken];
                breaks.unbroken += 1;
            }
            (column + size, size)
        }
        Applied(inner) => fit(inner, breaks, column),
        Node(left, right, joint, blanks) => {
            let (column, wide) = fit(left, breaks, column);
            if let Below(by) = *joint {
                let (column, last) = fit(right, breaks, column - wide + by);
                return (column, by + last);
            }
            let saving = match *joint {
                Breakable(by) => (wide + *blanks).checked_sub(by).filter(|it| *it > 0),
                Together | Below(_) => None,
            };
            breaks.savings.extend(saving);
            let (column, last) = fit(right, breaks, column + *blanks);
            if let (Breakable(by), true) = (*joint, saving.is_some()) {
                breaks.savings.pop();
                if breaks.unbroken > breaks.savings.len() {
                    breaks.unbroken = breaks.savings.len();
                    *joint = Below(by);
                    return (column, by + last);
                }
            }
            (column, wide + *blanks + last)
        }
    }
}

/// Gives the column behind what was written.
fn write(layout: &Pretty, column: usize, out: &mut String) -> usize {
    match layout {
        Leaf(text) => {
            out.push_str(text);
            column + text.chars().count()
        }
        Applied(inner) => write(inner, column, out),
        Node(left, right, joint, blanks) => {
            let behind = write(left, column, out);
            match *joint {
                Below(by) => {
                    out.push('\n');
                    out.push_str(&" ".repeat(column + by));
                    write(right, column + by, out)
                }
                Together | Breakable(_) => {
                    out.push_str(&" ".repeat(*blanks));
                    write(right, behind + blanks, out)
                }
            }
        }
    }
}
