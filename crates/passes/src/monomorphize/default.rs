//! The value of a type that a place has before anything is stored in it: 0, `false`, `""`, `None`, `[]`, an
//! empty array, and records and tuples of such values.
//!
//! ```text
//! before   %default ()            at  (int * string option)
//! after    (0, None)
//! ```
//!
//! .NET has `null` for objects, and using it raises; here there is none. Of a union it is the first case
//! without fields, else the first whose fields have such a value; a function raises when it is called.
//! A type whose every value holds another one of it has none (`E0156`).

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::{Const, DataId, DataKind, Lambda, NodeId, NodeKind, Prim, Ty, TyId, print};

use super::Context;
use super::generate::Code;

impl Context<'_> {
    pub(super) fn default_value(&mut self, ty: TyId, span: Span) -> NodeId {
        let mut code = Code { context: self, span };
        if let Some(value) = code.default_of(ty, &mut Vec::new()) {
            return value;
        }
        let text = print::type_text(&self.out.types, ty);
        let place = self.asked_at(span);
        self.diagnostics.error(
            Diagnostic::error("E0156", format!("the type `{text}` has no default value"))
                .at(place, "one is needed here")
                .note("every value of the type holds another one of it"),
        );
        Code { context: self, span }.unit()
    }
}

impl Code<'_, '_> {
    fn default_of(&mut self, ty: TyId, open: &mut Vec<DataId>) -> Option<NodeId> {
        let constant = |value: Const| NodeKind::Const(value);
        let kind = match self.context.out.types.get(ty).clone() {
            Ty::Unit | Ty::Uniform | Ty::Var(_) => constant(Const::Unit),
            Ty::Bool => constant(Const::Bool(false)),
            Ty::Char => constant(Const::Char(0)),
            Ty::Int(width) => constant(Const::Int(width, 0)),
            Ty::Float => constant(Const::Float(0.0)),
            Ty::Float32 => {
                let float = self.context.out.types.float;
                let zero = self.add(constant(Const::Float(0.0)), float);
                NodeKind::Prim { prim: Prim::Float32OfFloat, args: vec![zero] }
            }
            Ty::String | Ty::Bytes => constant(Const::String([].into())),
            Ty::Array(_) => NodeKind::Array(Vec::new()),
            Ty::Exn => self.no_value_exn()?,
            Ty::Fn(..) => return self.default_function(ty),
            Ty::Tuple(items) => NodeKind::Tuple(self.defaults(&items, open)?),
            Ty::Data(data, _) => {
                if open.contains(&data) {
                    return None;
                }
                open.push(data);
                let kind = self.default_data(ty, data, open);
                open.pop();
                kind?
            }
        };
        Some(self.add(kind, ty))
    }

    fn defaults(&mut self, types: &[TyId], open: &mut Vec<DataId>) -> Option<Vec<NodeId>> {
        types.iter().map(|&it| self.default_of(it, open)).collect()
    }

    fn default_data(&mut self, ty: TyId, data: DataId, open: &mut Vec<DataId>) -> Option<NodeKind> {
        let ctors = match &self.context.out.types.datas[data].kind {
            DataKind::Record(_) => {
                let fields = self.context.field_types(ty, 0);
                return Some(NodeKind::Record(self.defaults(&fields, open)?));
            }
            DataKind::Variant(ctors) => ctors.clone(),
        };
        if let Some(at) = ctors.iter().position(|it| it.fields.is_empty()) {
            return Some(NodeKind::Construct { ctor: at as u32, args: Vec::new() });
        }
        (0..ctors.len()).find_map(|at| {
            let fields = self.context.field_types(ty, at);
            let args = self.defaults(&fields, open)?;
            Some(NodeKind::Construct { ctor: at as u32, args })
        })
    }

    fn no_value_exn(&mut self) -> Option<NodeKind> {
        let exn = self.context.source.well_known.exns.invalid_argument?;
        self.context.exns.insert(exn);
        let message = self.string("no value");
        Some(NodeKind::MakeExn { exn, args: vec![message] })
    }

    /// `fun x -> raise …`
    fn default_function(&mut self, ty: TyId) -> Option<NodeId> {
        let Ty::Fn(param, result) = *self.context.out.types.get(ty) else { return None };
        let kind = self.no_value_exn()?;
        let exn = self.context.out.types.exn;
        let value = self.add(kind, exn);
        let body = self.add(NodeKind::Raise(value), result);
        let param = self.context.new_var(Symbol::new("unused"), param, self.span);
        let lambda = self.context.out.lambdas.push(Lambda::new(None, vec![param], body, self.span));
        Some(self.add(NodeKind::Lambda(lambda), ty))
    }
}
