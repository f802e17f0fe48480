//! Types as people read them.

use oxbow_base::{SparseMap, SparseSet};

use crate::ast::Power;
use crate::types::{Factor, GENERIC, Label, Row, Tag, TyConId, Type, TypeId, Types};

/// No text of a type is much longer than this.
const LONG: usize = 1000;

/// Prints types of one message, so that equal variables get equal names.
pub struct Printer<'a> {
    types: &'a Types,
    names: SparseMap<TypeId, String>,
    /// Rows that are shown once, with a name for the other places.
    repeated: SparseSet<TypeId>,
    /// Where the names of types stand in the text that is written.
    named: Vec<(usize, usize, TyConId)>,
    /// Where the result of the function stands that the text is about.
    result: Option<usize>,
}

/// The text of a type, with places in it, in bytes.
pub struct Shown {
    pub text: String,
    /// Names of types.
    pub named: Vec<(usize, usize, TyConId)>,
    /// What is behind the first parameter of a function.
    pub result: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Arrow,
    Tuple,
    Simple,
}

impl<'a> Printer<'a> {
    pub fn new(types: &'a Types) -> Self {
        Self {
            types,
            names: SparseMap::new(),
            repeated: SparseSet::new(),
            named: Vec::new(),
            result: None,
        }
    }

    pub fn show(&mut self, ty: TypeId) -> String {
        let mut out = String::new();
        self.find_repeated(ty, &mut SparseSet::new(), &mut Vec::new());
        self.write(ty, Level::Arrow, 0, &mut out);
        out
    }

    /// The same, with places.
    pub fn show_with_places(&mut self, ty: TypeId) -> Shown {
        self.named.clear();
        self.result = None;
        let text = self.show(ty);
        Shown { text, named: std::mem::take(&mut self.named), result: self.result }
    }

    /// The same for what stands before an arrow.
    pub fn show_argument(&mut self, ty: TypeId) -> String {
        let mut out = String::new();
        self.find_repeated(ty, &mut SparseSet::new(), &mut Vec::new());
        self.write(ty, Level::Tuple, 0, &mut out);
        out
    }

    /// The same for a part of a tuple.
    pub fn show_part(&mut self, ty: TypeId) -> String {
        let mut out = String::new();
        self.find_repeated(ty, &mut SparseSet::new(), &mut Vec::new());
        self.write(ty, Level::Simple, 0, &mut out);
        out
    }

    /// A type constructor with arguments.
    pub fn show_con(&mut self, con: TyConId, args: &[TypeId]) -> String {
        let mut out = String::new();
        self.write_con(con, args, 0, &mut out);
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
                let number = self.types.weak.get(ty);
                let text = self.names.entry_or_insert_with(ty, || match (name, number) {
                    (_, Some(number)) => format!("'_weak{number}"),
                    (Some(name), None) => format!("'{name}"),
                    (None, None) => {
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
                if depth == 0 {
                    self.result = Some(out.len());
                }
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
            Type::Con(con, _) if self.types.tycons[*con].unit.is_some() => self.write_unit(ty, out),
            Type::Con(_, args) if self.types.measure(ty).is_some() => {
                self.write(args[0], Level::Simple, depth + 1, out);
                if self.types.factors(args[1]).is_none_or(|it| !it.is_empty()) {
                    out.push('<');
                    self.write(args[1], Level::Arrow, depth + 1, out);
                    out.push('>');
                }
            }
            Type::Con(con, args) if self.types.clef_names && args.len() > 1 => {
                self.named.push((out.len(), out.len() + self.types.tycons[*con].path.len(), *con));
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
            Type::Con(con, args) if let Some(labels) = &self.types.tycons[*con].labels => {
                let open = level > Level::Arrow;
                out.push_str(if open { "(" } else { "" });
                for (index, (label, &arg)) in labels.iter().zip(args).enumerate() {
                    out.push_str(if index > 0 { " * " } else { "" });
                    if let Some(label) = label {
                        out.push_str(label.as_str());
                        out.push(':');
                    }
                    self.write(arg, Level::Simple, depth + 1, out);
                }
                out.push_str(if open { ")" } else { "" });
            }
            Type::Con(con, args) => self.write_con(*con, args, depth, out),
            Type::Row(row) => self.write_row(ty, row, level, depth, out),
        }
    }

    /// `kg m/s^2`: what is divided by stands behind the line.
    fn write_unit(&mut self, unit: TypeId, out: &mut String) {
        let Some(factors) = self.types.factors(unit) else { return out.push('_') };
        if let Type::Con(con, args) = self.types.get(unit)
            && args.is_empty()
        {
            return out.push_str(&self.types.tycons[*con].path);
        }
        let (below, above): (Vec<_>, Vec<_>) = factors.iter().partition(|it| it.1.is_negative());
        if above.is_empty() {
            out.push('1');
        }
        self.write_factors(&above, out);
        if below.is_empty() {
            return;
        }
        out.push('/');
        let below: Vec<_> = below.iter().map(|it| (it.0, it.1.negated())).collect();
        let brackets = below.len() > 1;
        out.push_str(if brackets { "(" } else { "" });
        self.write_factors(&below, out);
        out.push_str(if brackets { ")" } else { "" });
    }

    fn write_factors(&mut self, factors: &[(Factor, Power)], out: &mut String) {
        for (index, &(factor, power)) in factors.iter().enumerate() {
            out.push_str(if index > 0 { " " } else { "" });
            match factor {
                Factor::Var(var) => self.write(var, Level::Simple, 1, out),
                Factor::Con(con) => out.push_str(&self.types.tycons[con].path),
            }
            if power != Power::ONE {
                out.push_str(&format!("^{power}"));
            }
        }
    }

    fn write_con(&mut self, con: TyConId, args: &[TypeId], depth: u32, out: &mut String) {
        if let Some(names) = &self.types.tycons[con].packed {
            out.push_str("(module ");
            out.push_str(&self.types.tycons[con].path);
            for (index, (name, &arg)) in names.iter().zip(args).enumerate() {
                out.push_str(if index == 0 { " with type " } else { " and type " });
                out.push_str(name.as_str());
                out.push_str(" = ");
                self.write(arg, Level::Arrow, depth + 1, out);
            }
            out.push(')');
            return;
        }
        match args {
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
        let path = match self.types.tycons[con].path.as_str() {
            "int32" if self.types.clef_names => "int",
            "int" if self.types.clef_names => "ocaml_int",
            path => path,
        };
        self.named.push((out.len(), out.len() + path.len(), con));
        out.push_str(path);
    }

    /// Notes the rows that have to be named: variables that occur several times, and what contains itself.
    fn find_repeated(&mut self, ty: TypeId, seen: &mut SparseSet<TypeId>, open: &mut Vec<TypeId>) {
        let ty = self.types.repr(ty);
        let parts = match &self.types.nodes[ty] {
            Type::Var { .. } | Type::Link(_) | Type::Error => return,
            &Type::Arrow(_, param, result) => vec![param, result],
            Type::Tuple(items) | Type::Con(_, items) => items.clone(),
            Type::Row(row) => match &row.name {
                Some((_, args)) if row.is_fixed() => args.clone(),
                _ => row.types(),
            },
        };
        if !seen.insert(ty) {
            if let Type::Row(row) = &self.types.nodes[ty]
                && (!row.is_fixed() || row.name.is_none() && open.contains(&ty))
            {
                self.repeated.insert(ty);
            }
            return;
        }
        if seen.len() > LONG || open.len() > 40 {
            return;
        }
        open.push(ty);
        for part in parts {
            self.find_repeated(part, seen, open);
        }
        open.pop();
    }

    /// `< m : int; n : 'a. 'a -> 'a; .. >`
    fn write_methods(&mut self, row: &Row, depth: u32, out: &mut String) {
        out.push_str("< ");
        for (index, (name, method)) in row.tags.iter().enumerate() {
            if index > 0 {
                out.push_str("; ");
            }
            out.push_str(name.as_str());
            out.push_str(" : ");
            if let Tag::Poly { vars, .. } = method {
                for (index, &var) in vars.iter().enumerate() {
                    out.push_str(if index > 0 { " " } else { "" });
                    self.write(var, Level::Simple, depth + 1, out);
                }
                out.push_str(". ");
            }
            method.types().iter().for_each(|&it| self.write(it, Level::Arrow, depth + 1, out));
        }
        if !row.closed {
            out.push_str(if row.tags.is_empty() { ".." } else { "; .." });
        }
        out.push_str(if row.tags.is_empty() && row.closed { ">" } else { " >" });
    }

    /// `` [> `A | `B of int ] ``, and a name behind it if there are other places of it.
    fn write_row(&mut self, ty: TypeId, row: &Row, level: Level, depth: u32, out: &mut String) {
        if let Some((con, args)) = &row.name
            && row.is_fixed()
        {
            return self.write_con(*con, args, depth, out);
        }
        if let Some(name) = self.names.get(ty) {
            out.push_str(name);
            return;
        }
        let name = self.repeated.contains(ty).then(|| {
            let letter = char::from(b'a' + (self.names.len() % 26) as u8);
            format!("'{letter}")
        });
        if let Some(name) = &name {
            self.names.insert(ty, name.clone());
        }
        let brackets = name.is_some() && level > Level::Arrow || name.is_some() && depth > 0;
        if brackets {
            out.push('(');
        }
        match row.object {
            true => self.write_methods(row, depth, out),
            false => self.write_tags(row, depth, out),
        }
        if let Some(name) = name {
            out.push_str(" as ");
            out.push_str(&name);
        }
        if brackets {
            out.push(')');
        }
    }

    fn write_tags(&mut self, row: &Row, depth: u32, out: &mut String) {
        let certain = |tag: &Tag| matches!(tag, Tag::Present(_));
        let all = row.tags.iter().all(|it| certain(&it.1));
        out.push_str(match (row.closed, all) {
            (false, _) => "[> ",
            (true, true) => "[ ",
            (true, false) => "[< ",
        });
        for (index, (tag, bounds)) in row.tags.iter().enumerate() {
            if index > 0 {
                out.push_str(" | ");
            }
            out.push('`');
            out.push_str(tag.as_str());
            let constant = matches!(bounds, Tag::Maybe { constant: true, .. });
            for (index, &ty) in bounds.types().iter().enumerate() {
                out.push_str(match (index, constant) {
                    (0, false) => " of ",
                    (0, true) => " of & ",
                    _ => " & ",
                });
                self.write(ty, Level::Arrow, depth + 1, out);
            }
        }
        if row.closed && !all && row.tags.iter().any(|it| certain(&it.1)) {
            out.push_str(" >");
            for (tag, _) in row.tags.iter().filter(|it| certain(&it.1)) {
                out.push_str(" `");
                out.push_str(tag.as_str());
            }
        }
        out.push_str(if row.tags.is_empty() { "]" } else { " ]" });
    }
}
