//! Values that know their type: `obj` of Clef (decision 310).
//!
//! ```text
//! before   %box (circle : Circle)        %type.number (None : int option)      %type.name (None : int option)
//! after    Circle.%object circle ()      7                                      "Int32"
//! or       plain_object⟨Circle⟩ circle   if the type has no such function
//! ```
//!
//! The number of a type is that of the type in the program's table: it means nothing outside of one program.

use oxbow_base::{Id, Span};
use oxbow_diag::ice;
use oxbow_psg::{IntWidth, KnownFunction, KnownType, NodeId, Ty, TyId};

use super::Context;
use super::generate::Code;

impl Context<'_> {
    /// The type `t` of a `t option`, of which a primitive is asked.
    fn witnessed(&self, node: NodeId) -> TyId {
        match self.out.types.get(self.out.ty(node)) {
            Ty::Data(_, args) if args.len() == 1 => args[0],
            _ => ice!("a type is asked for that nothing shows"),
        }
    }

    pub(super) fn type_number(&mut self, witness: NodeId, span: Span) -> NodeId {
        let ty = self.witnessed(witness);
        Code { context: self, span }.int(ty.index() as i64)
    }

    pub(super) fn type_name(&mut self, witness: NodeId, span: Span) -> NodeId {
        let name = self.dotnet_name(self.witnessed(witness));
        Code { context: self, span }.string(&name)
    }

    /// A value as the `obj` that it is in .NET.
    pub(super) fn boxed_object(&mut self, value: NodeId, to: TyId, span: Span) -> NodeId {
        let ty = self.out.ty(value);
        if ty == to {
            return value;
        }
        if let Some(object) = self.own(ty).object {
            return Code { context: self, span }.own_text(object, ty, value);
        }
        let (function, tyargs) = self.boxing_function(ty);
        let Some(function) = self.source.well_known.functions.get(function) else {
            ice!("the part of the library with `obj` was not read")
        };
        let function = self.demand_global(function, tyargs, span);
        Code { context: self, span }.call_var(function, vec![value])
    }

    /// The function of the library that boxes values of a type without a function of its own, and its type arguments.
    fn boxing_function(&self, ty: TyId) -> (KnownFunction, Vec<TyId>) {
        if self.own(ty).no_equality {
            return (KnownFunction::IdentityObject, vec![ty]);
        }
        match self.out.types.get(ty) {
            Ty::Fn(..) => (KnownFunction::IdentityObject, vec![ty]),
            Ty::String => (KnownFunction::StringObject, Vec::new()),
            &Ty::Array(item) => (KnownFunction::ArrayObject, vec![item]),
            Ty::Data(data, args) if self.out.types.datas[*data].known == Some(KnownType::List) => {
                (KnownFunction::ListObject, args.clone())
            }
            _ => (KnownFunction::PlainObject, vec![ty]),
        }
    }

    /// `Type.Name`
    fn dotnet_name(&self, ty: TyId) -> String {
        let types = &self.out.types;
        match types.get(ty) {
            Ty::Unit => "Unit".into(),
            Ty::Bool => "Boolean".into(),
            Ty::Char => "Char".into(),
            Ty::String => "String".into(),
            Ty::Float => "Double".into(),
            Ty::Float32 => "Single".into(),
            Ty::Int(width) => int_name(*width).into(),
            Ty::Tuple(items) => format!("Tuple`{}", items.len()),
            Ty::Array(item) => format!("{}[]", self.dotnet_name(*item)),
            Ty::Fn(..) => "FSharpFunc`2".into(),
            Ty::Exn => "Exception".into(),
            Ty::Data(data, args) => {
                let decl = &types.datas[*data];
                let known = match decl.known {
                    Some(KnownType::BigInteger) => Some("BigInteger"),
                    Some(KnownType::Decimal) => Some("Decimal"),
                    Some(KnownType::TimeSpan) => Some("TimeSpan"),
                    Some(KnownType::DateTime) => Some("DateTime"),
                    _ => None,
                };
                let own = || decl.name.as_str().rsplit('.').next().unwrap_or("");
                let name = known.unwrap_or_else(own);
                match args.len() {
                    0 => name.to_string(),
                    count => format!("{name}`{count}"),
                }
            }
            Ty::Bytes | Ty::Uniform | Ty::Var(_) => "Object".into(),
        }
    }
}

fn int_name(width: IntWidth) -> &'static str {
    match width {
        IntWidth::I63 | IntWidth::I64 => "Int64",
        IntWidth::I32 => "Int32",
        IntWidth::I16 => "Int16",
        IntWidth::I8 => "SByte",
        IntWidth::U8 => "Byte",
        IntWidth::U16 => "UInt16",
        IntWidth::U32 => "UInt32",
        IntWidth::U64 => "UInt64",
    }
}
