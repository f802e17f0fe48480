//! Types as OCaml writes them.

use oxbow_psg::{Ty, TyId, TyVarId, TypeTable};

/// How tightly the text around a type binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Around {
    Nothing,
    Arrow,
    Star,
    Argument,
}

/// A type by itself.
pub fn text(types: &TypeTable, ty: TyId) -> String {
    TypeText::new(types).text(ty)
}

/// Types that belong together: one letter means one variable in all of them.
pub struct TypeText<'a> {
    types: &'a TypeTable,
    letters: Vec<TyVarId>,
}

impl<'a> TypeText<'a> {
    pub fn new(types: &'a TypeTable) -> Self {
        Self { types, letters: Vec::new() }
    }

    pub fn text(&mut self, ty: TyId) -> String {
        self.within(ty, Around::Nothing)
    }

    fn within(&mut self, ty: TyId, around: Around) -> String {
        match self.types.get(ty) {
            Ty::Unit => "unit".into(),
            Ty::Bool => "bool".into(),
            Ty::Char => "char".into(),
            Ty::Int(width) => width.name().into(),
            Ty::Float => "float".into(),
            Ty::Float32 => "float32".into(),
            Ty::String => "string".into(),
            Ty::Bytes => "bytes".into(),
            Ty::Exn => "exn".into(),
            Ty::Uniform => "uniform".into(),
            Ty::Var(var) => self.letter(*var),
            Ty::Array(item) => format!("{} array", self.within(*item, Around::Argument)),
            Ty::Fn(param, result) => {
                let param = self.within(*param, Around::Arrow);
                let text = format!("{param} -> {}", self.within(*result, Around::Nothing));
                parenthesized(text, around > Around::Nothing)
            }
            Ty::Tuple(items) => {
                let text = self.list(items, Around::Star, " * ");
                parenthesized(text, around >= Around::Star)
            }
            Ty::Data(data, args) => {
                let name = self.types.datas[*data].name.as_str();
                match &args[..] {
                    [] => name.into(),
                    [one] => format!("{} {name}", self.within(*one, Around::Argument)),
                    _ => format!("({}) {name}", self.list(args, Around::Nothing, ", ")),
                }
            }
        }
    }

    fn list(&mut self, items: &[TyId], around: Around, between: &str) -> String {
        let items: Vec<String> = items.iter().map(|&it| self.within(it, around)).collect();
        items.join(between)
    }

    /// `'a` for the first variable, and so on; `'a1` after `'z`.
    fn letter(&mut self, var: TyVarId) -> String {
        let index = self.letters.iter().position(|&it| it == var).unwrap_or_else(|| {
            self.letters.push(var);
            self.letters.len() - 1
        });
        let letter = char::from(b'a' + (index % 26) as u8);
        if index < 26 { format!("'{letter}") } else { format!("'{letter}{}", index / 26) }
    }
}

fn parenthesized(text: String, needed: bool) -> String {
    if needed { format!("({text})") } else { text }
}

#[cfg(test)]
mod tests {
    use oxbow_psg::{Ty, TypeTable};

    use super::text;

    #[test]
    fn parentheses_stand_where_they_are_needed() {
        let mut types = TypeTable::new();
        let (int, bool) = (types.int, types.bool);
        let arrow = types.function(&[int], bool);
        let higher = types.function(&[arrow, int], arrow);
        assert_eq!(text(&types, higher), "(int -> bool) -> int -> int -> bool");
        let pair = types.intern(Ty::Tuple(vec![arrow, int]));
        assert_eq!(text(&types, pair), "(int -> bool) * int");
        let array = types.intern(Ty::Array(pair));
        assert_eq!(text(&types, array), "((int -> bool) * int) array");
        let nested = types.intern(Ty::Tuple(vec![pair, bool]));
        assert_eq!(text(&types, nested), "((int -> bool) * int) * bool");
    }
}
