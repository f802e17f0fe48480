//! Types in the text.

use oxbow_base::Symbol;

use super::lexer::Token;
use super::{Reader, Result};
use crate::{DataId, DataKind, IntWidth, Ty, TyId, TyVarId};

impl<P> Reader<P> {
    /// `a -> b -> c`
    pub(super) fn parse_type(&mut self) -> Result<TyId> {
        let mut parts = vec![self.type_atom()?];
        while self.accept("->") {
            parts.push(self.type_atom()?);
        }
        match parts.pop() {
            Some(result) => Ok(self.program.types.function(&parts, result)),
            None => self.expected("a type"),
        }
    }

    pub(super) fn type_atom(&mut self) -> Result<TyId> {
        if self.accept("(") {
            let mut items = vec![self.parse_type()?];
            while self.accept("*") {
                items.push(self.parse_type()?);
            }
            self.expect(")")?;
            if items.len() == 1 {
                return Ok(items[0]);
            }
            return Ok(self.program.types.intern(Ty::Tuple(items)));
        }
        if let Some(Token::TyVar(_)) = self.peek() {
            let tyvar = self.tyvar()?;
            return Ok(self.program.types.intern(Ty::Var(tyvar)));
        }
        let name = self.name()?;
        let basic = match name.word().unwrap_or_default() {
            "unit" => Ty::Unit,
            "bool" => Ty::Bool,
            "char" => Ty::Char,
            "int" => Ty::Int(IntWidth::I63),
            "int32" => Ty::Int(IntWidth::I32),
            "int64" => Ty::Int(IntWidth::I64),
            "int8" => Ty::Int(IntWidth::I8),
            "int16" => Ty::Int(IntWidth::I16),
            "uint8" => Ty::Int(IntWidth::U8),
            "uint16" => Ty::Int(IntWidth::U16),
            "uint32" => Ty::Int(IntWidth::U32),
            "uint64" => Ty::Int(IntWidth::U64),
            "float" => Ty::Float,
            "float32" => Ty::Float32,
            "string" => Ty::String,
            "bytes" => Ty::Bytes,
            "exn" => Ty::Exn,
            "uniform" => Ty::Uniform,
            "array" => {
                self.expect("<")?;
                let item = self.parse_type()?;
                self.expect(">")?;
                Ty::Array(item)
            }
            _ => match self.datas.get(&name) {
                Some(&data) => Ty::Data(data, self.type_args()?),
                None => return self.error(format!("no type `{}`", name.base)),
            },
        };
        Ok(self.program.types.intern(basic))
    }

    fn type_args(&mut self) -> Result<Vec<TyId>> {
        if self.accept("<") { self.list(">", Self::parse_type) } else { Ok(Vec::new()) }
    }

    /// Made at its first mention in an item; those of exceptions at the first in the text.
    pub(super) fn tyvar(&mut self) -> Result<TyVarId> {
        let Some(Token::TyVar(name)) = self.peek() else { return self.expected("a type variable") };
        let name = name.clone();
        self.at += 1;
        let is_shared = name.base.starts_with(|it: char| it.is_ascii_uppercase());
        let known = if is_shared { &mut self.exn_tyvars } else { &mut self.tyvars };
        if let Some(&known) = known.get(&name) {
            return Ok(known);
        }
        let tyvar = self.program.types.tyvars.push(Symbol::new(&name.base));
        known.insert(name, tyvar);
        Ok(tyvar)
    }

    pub(super) fn data_of(&self, ty: TyId) -> Option<(DataId, Vec<TyId>)> {
        match self.program.types.get(ty) {
            Ty::Data(data, args) => Some((*data, args.clone())),
            _ => None,
        }
    }

    /// The number of a constructor of the type.
    pub(super) fn ctor(&mut self, ty: TyId) -> Result<u32> {
        let name = self.name()?;
        if let Some((data, _)) = self.data_of(ty)
            && let DataKind::Variant(ctors) = &self.program.types.datas[data].kind
            && let Some(at) = ctors.iter().position(|it| it.name.as_str() == name.base)
        {
            return Ok(at as u32);
        }
        self.error(format!("the type has no constructor `{}`", name.base))
    }

    /// The type of a field of an instance.
    pub(super) fn field_type(&mut self, ty: TyId, ctor: u32, index: u32) -> Result<TyId> {
        if let Some((data, args)) = self.data_of(ty) {
            let fields = match &self.program.types.datas[data].kind {
                DataKind::Record(fields) => Some(fields),
                DataKind::Variant(ctors) => ctors.get(ctor as usize).map(|it| &it.fields),
            };
            if let Some(field) = fields.and_then(|it| it.get(index as usize)) {
                let field = field.ty;
                return Ok(self.program.types.field_type(data, &args, field));
            }
        }
        self.error(format!("the type has no field {index}"))
    }
}
