//! `define-record-type`: the type is a value, its procedures are lambdas over record primitives, so that
//! calls of them are known.

use oxbow_base::Span;

use super::Expander;
use super::scope::ScopeId;
use crate::core::{Core, CoreKind, Item, Lambda, VarId};
use crate::datum::{Datum, DatumKind, Ident};
use crate::known;

impl Expander<'_> {
    pub(super) fn record_type(
        &mut self,
        args: &[Datum],
        scope: ScopeId,
        global: bool,
        span: Span,
    ) -> Vec<Item> {
        let [type_name, maker, predicate, fields @ ..] = args else {
            let shape = "(define-record-type name (constructor field …) predicate (field accessor modifier) …)";
            self.bad(span, &format!("bad `define-record-type`: it is written `{shape}`"));
            return Vec::new();
        };
        let type_ident = match &type_name.kind {
            DatumKind::List(items, _) => items.first().and_then(Datum::as_ident),
            _ => type_name.as_ident(),
        };
        let Some(type_ident) = type_ident else {
            self.bad(type_name.span, "a record type needs a name");
            return Vec::new();
        };
        let mut items = Vec::new();
        let rtd = match self.define(type_ident, scope, global, type_name.span) {
            Ok(var) => var,
            Err(_) => {
                self.bad(type_name.span, "this name is defined already");
                return Vec::new();
            }
        };
        let field_names: Vec<Ident> = fields
            .iter()
            .filter_map(|it| match &it.kind {
                DatumKind::Ident(ident) => Some(*ident),
                _ => it.as_list()?.first()?.as_ident(),
            })
            .collect();
        for (index, field) in field_names.iter().enumerate() {
            if field_names[..index].contains(field) {
                let name = self.scopes.symbol(*field);
                self.bad(
                    fields[index].span,
                    &format!("the record type has the field `{name}` twice"),
                );
            }
        }
        let name = Core::new(
            CoreKind::Const(self.strip(&Datum::new(DatumKind::Ident(type_ident), span))),
            span,
        );
        let names = field_names
            .iter()
            .map(|&it| self.strip(&Datum::new(DatumKind::Ident(it), span)))
            .collect();
        let names = Core::new(CoreKind::Const(Datum::list(names, span)), span);
        let value = self.call(known::MAKE_RECORD_TYPE, vec![name, names], span);
        items.push(Item { var: Some(rtd), value });
        self.constructor(maker, rtd, &field_names, (scope, global), &mut items);
        if let Some(ident) = predicate.as_ident() {
            let param = self.temp("object", predicate.span);
            let rtd_ref = self.var_ref(rtd, span);
            let object = self.var_ref(param, span);
            let body = self.call(known::IS_RECORD_OF, vec![rtd_ref, object], span);
            self.procedure(ident, vec![param], body, (scope, global), predicate.span, &mut items);
        } else if !matches!(predicate.kind, DatumKind::Bool(false)) {
            self.bad(predicate.span, "the predicate of a record type is a name");
        }
        for (index, field) in fields.iter().enumerate() {
            self.field(field, index, rtd, (scope, global), &mut items);
        }
        items
    }

    fn constructor(
        &mut self,
        maker: &Datum,
        rtd: VarId,
        fields: &[Ident],
        place: (ScopeId, bool),
        items: &mut Vec<Item>,
    ) {
        let span = maker.span;
        let (ident, given): (Ident, Vec<Datum>) = match &maker.kind {
            DatumKind::Ident(ident) => {
                let all = fields.iter().map(|&it| Datum::new(DatumKind::Ident(it), span)).collect();
                (*ident, all)
            }
            DatumKind::List(parts, None)
                if parts.first().is_some_and(|it| it.as_ident().is_some()) =>
            {
                let ident = parts[0].as_ident().unwrap_or(Ident::Plain("_".into()));
                (ident, parts[1..].to_vec())
            }
            DatumKind::Bool(_) => return,
            _ => return self.bad(span, "the constructor of a record type is `(name field …)`"),
        };
        let mut params = Vec::new();
        let mut values: Vec<Option<VarId>> = vec![None; fields.len()];
        for datum in &given {
            let position =
                datum.as_ident().and_then(|it| fields.iter().position(|&field| field == it));
            let Some(position) = position else {
                self.bad(datum.span, "the record type has no such field");
                continue;
            };
            if values[position].is_some() {
                self.bad(datum.span, "the constructor takes this field twice");
            }
            let param = self.new_var(fields[position], datum.span);
            params.push(param);
            values[position] = Some(param);
        }
        let mut args = vec![self.var_ref(rtd, span)];
        for value in values {
            args.push(match value {
                Some(var) => self.var_ref(var, span),
                None => Core::new(CoreKind::Const(Datum::new(DatumKind::Bool(false), span)), span),
            });
        }
        let body = self.call(known::RECORD, args, span);
        self.procedure(ident, params, body, place, span, items);
    }

    fn field(
        &mut self,
        field: &Datum,
        index: usize,
        rtd: VarId,
        place: (ScopeId, bool),
        items: &mut Vec<Item>,
    ) {
        let parts = match &field.kind {
            DatumKind::Ident(_) => return,
            _ => field.as_list().unwrap_or_default(),
        };
        let span = field.span;
        if parts.is_empty() || parts.len() > 3 || parts.iter().any(|it| it.as_ident().is_none()) {
            return self.bad(span, "a field of a record type is `(name accessor modifier)`");
        }
        let idents: Vec<Ident> = parts.iter().filter_map(Datum::as_ident).collect();
        if let Some(&accessor) = idents.get(1) {
            let param = self.temp("record", span);
            let args = self.field_args(rtd, param, index, accessor, span);
            let body = self.call(known::RECORD_REF, args, span);
            self.procedure(accessor, vec![param], body, place, parts[1].span, items);
        }
        if let Some(&modifier) = idents.get(2) {
            let (param, value) = (self.temp("record", span), self.temp("value", span));
            let mut args = self.field_args(rtd, param, index, modifier, span);
            args.push(self.var_ref(value, span));
            let body = self.call(known::RECORD_SET, args, span);
            self.procedure(modifier, vec![param, value], body, place, parts[2].span, items);
        }
    }

    fn field_args(
        &mut self,
        rtd: VarId,
        param: VarId,
        index: usize,
        of: Ident,
        span: Span,
    ) -> Vec<Core> {
        let name = self.strip(&Datum::new(DatumKind::Ident(of), span));
        vec![
            self.var_ref(rtd, span),
            self.var_ref(param, span),
            self.integer(index as i64, span),
            Core::new(CoreKind::Const(name), span),
        ]
    }

    fn procedure(
        &mut self,
        ident: Ident,
        params: Vec<VarId>,
        body: Core,
        (scope, global): (ScopeId, bool),
        span: Span,
        items: &mut Vec<Item>,
    ) {
        let name = Some(self.scopes.symbol(ident));
        let lambda = Lambda { params, rest: None, body, name, span, takes_continuation: false };
        let value = Core::new(CoreKind::Lambda(Box::new(lambda)), span);
        match self.define(ident, scope, global, span) {
            Ok(var) => items.push(Item { var: Some(var), value }),
            Err(var) => {
                self.vars[var].mutated = true;
                let value = Core::new(CoreKind::Set(var, Box::new(value)), span);
                items.push(Item { var: None, value });
            }
        }
    }
}
