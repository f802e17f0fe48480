//! Types as people read them.

use oxbow_base::FxHashMap;

use crate::types::{GENERIC, Label, Type, TypeId, Types};

/// No text of a type is much longer than this.
const LONG: usize = 1000;

/// Prints types of one message, so that equal variables get equal names.
pub struct Printer<'a> {
    types: &'a Types,
    names: FxHashMap<TypeId, String>,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Arrow,
    Tuple,
    Simple,
}

impl<'a> Printer<'a> {
    pub fn new(types: &'a Types) -> Self {
        Self { types, names: FxHashMap::default() }
    }

    pub fn show(&mut self, ty: TypeId) -> String {
        let mut out = String::new();
        self.write(ty, Level::Arrow, 0, &mut out);
        out
    }

    fn write(&mut self, ty: TypeId, level: Level, depth: u32, out: &mut String) {
        if depth > 40 || out.len() > LONG {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        let ty = self.types.repr(ty);
        match &self.types.nodes[ty] {
            &Type::Var { level, name } => {
                let next = self.names.len();
                let text = self.names.entry(ty).or_insert_with(|| match name {
                    Some(name) => format!("'{name}"),
                    None => {
                        let weak = if level == GENERIC { "" } else { "_" };
                        let letter = char::from(b'a' + (next % 26) as u8);
                        if next < 26 {
                            format!("'{weak}{letter}")
                        } else {
                            format!("'{weak}{letter}{}", next / 26)
                        }
                    }
                });
                out.push_str(text);
            }
            Type::Link(_) => (),
            Type::Error => out.push('_'),
            &Type::Arrow(label, param, result) => {
                let open = level > Level::Arrow;
                if open {
                    out.push('(');
                }
                match label {
                    Label::None => self.write(param, Level::Tuple, depth + 1, out),
                    Label::Labelled(name) => {
                        out.push_str(name.as_str());
                        out.push(':');
                        self.write(param, Level::Tuple, depth + 1, out);
                    }
                    Label::Optional(name) => {
                        out.push('?');
                        out.push_str(name.as_str());
                        out.push(':');
                        let inner = match self.types.get(param) {
                            Type::Con(_, args) if args.len() == 1 => args[0],
                            _ => param,
                        };
                        self.write(inner, Level::Tuple, depth + 1, out);
                    }
                }
                out.push_str(" -> ");
                self.write(result, Level::Arrow, depth + 1, out);
                if open {
                    out.push(')');
                }
            }
            Type::Tuple(items) => {
                let open = level > Level::Arrow;
                if open {
                    out.push('(');
                }
                for (index, &item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push_str(" * ");
                    }
                    self.write(item, Level::Simple, depth + 1, out);
                }
                if open {
                    out.push(')');
                }
            }
            Type::Con(con, args) if self.types.clef_names && args.len() > 1 => {
                out.push_str(&self.types.tycons[*con].path);
                out.push('<');
                for (index, &arg) in args.iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    self.write(arg, Level::Arrow, depth + 1, out);
                }
                out.push('>');
            }
            Type::Con(con, args) => {
                match args.as_slice() {
                    [] => (),
                    [arg] => {
                        self.write(*arg, Level::Simple, depth + 1, out);
                        out.push(' ');
                    }
                    _ => {
                        out.push('(');
                        for (index, &arg) in args.iter().enumerate() {
                            if index > 0 {
                                out.push_str(", ");
                            }
                            self.write(arg, Level::Arrow, depth + 1, out);
                        }
                        out.push_str(") ");
                    }
                }
                let path = self.types.tycons[*con].path.as_str();
                out.push_str(match path {
                    "int32" if self.types.clef_names => "int",
                    "int" if self.types.clef_names => "ocaml_int",
                    _ => path,
                });
            }
        }
    }
}
