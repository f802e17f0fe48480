//! Types as OCaml writes them; a value of Eshkol whose kind is not known is a `value`.

use oxbow_psg::{KnownType, Ty, TyId, TyVarId, TypeTable};

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

    /// The text of a type; one of more than [`LONG`] characters is cut, since a type of few parts can have a text of
    /// any length.
    pub fn text(&mut self, ty: TyId) -> String {
        let mut out = String::new();
        self.write(ty, Around::Nothing, &mut out);
        out
    }

    fn write(&mut self, ty: TyId, around: Around, out: &mut String) {
        if out.len() > LONG {
            if !out.ends_with("...") {
                *out += "...";
            }
            return;
        }
        match self.types.get(ty) {
            Ty::Unit => *out += "unit",
            Ty::Bool => *out += "bool",
            Ty::Char => *out += "char",
            Ty::Int(width) => *out += width.name(),
            Ty::Float => *out += "float",
            Ty::Float32 => *out += "float32",
            Ty::String => *out += "string",
            Ty::Bytes => *out += "bytes",
            Ty::Exn => *out += "exn",
            Ty::Uniform => *out += "uniform",
            Ty::Var(var) => *out += &self.letter(*var),
            Ty::Array(item) => {
                self.write(*item, Around::Argument, out);
                *out += " array";
            }
            Ty::Fn(param, result) => {
                let brackets = open(around > Around::Nothing, out);
                self.write(*param, Around::Arrow, out);
                *out += " -> ";
                self.write(*result, Around::Nothing, out);
                *out += brackets;
            }
            Ty::Tuple(items) => {
                let brackets = open(around >= Around::Star, out);
                self.list(items, Around::Star, " * ", out);
                *out += brackets;
            }
            Ty::Data(data, args) => {
                match &args[..] {
                    [] => (),
                    [one] => {
                        self.write(*one, Around::Argument, out);
                        *out += " ";
                    }
                    _ => {
                        *out += "(";
                        self.list(args, Around::Nothing, ", ", out);
                        *out += ") ";
                    }
                }
                let decl = &self.types.datas[*data];
                *out += match decl.known {
                    Some(KnownType::Dynamic) => "value",
                    _ => decl.name.as_str(),
                };
            }
        }
    }

    fn list(&mut self, items: &[TyId], around: Around, between: &str, out: &mut String) {
        for (at, &item) in items.iter().enumerate() {
            *out += if at == 0 { "" } else { between };
            self.write(item, around, out);
        }
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

/// No text of a type is much longer.
const LONG: usize = 2000;

/// Begins a type in parentheses if it needs them; what ends it.
fn open(needed: bool, out: &mut String) -> &'static str {
    *out += if needed { "(" } else { "" };
    if needed { ")" } else { "" }
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
    #[test]
    fn a_type_with_shared_parts_has_a_short_text() {
        let mut types = TypeTable::new();
        let mut ty = types.int;
        for _ in 0..100 {
            ty = types.intern(Ty::Tuple(vec![ty, ty]));
        }
        let text = text(&types, ty);
        assert!(text.contains("...") && text.len() < 3 * super::LONG, "{} characters", text.len());
    }
}
