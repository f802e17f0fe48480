//! Declarations and items.

use oxbow_base::{Made, Symbol};

use super::{Reader, Result, no_span};
use crate::{
    Compared, Ctor, DataDecl, DataKind, ExnDecl, ExnId, Field, Item, ItemKind, KnownFunction,
    NodeKind, VarId,
};

impl<P> Reader<P> {
    /// Types may name each other in any order: all are known before any is read.
    pub(super) fn declare_types(&mut self) -> Result {
        for at in 0..self.tokens.len() {
            self.at = at;
            if self.accept("type") {
                let name = self.name()?;
                let data = self.program.types.datas.push(DataDecl {
                    name: Symbol::new(&name.base),
                    params: Vec::new(),
                    kind: DataKind::Variant(Vec::new()),
                    compared: Compared::Parts,
                    own: crate::OwnFunctions::default(),
                    known: None,
                    span: None,
                });
                self.datas.insert(name, data);
            }
        }
        self.at = 0;
        Ok(())
    }

    /// Functions may be mentioned before their items: all globals are known early.
    pub(super) fn declare_globals(&mut self) -> Result {
        for at in 0..self.tokens.len() {
            self.at = at;
            if !self.accept("let") && !self.accept("rec") {
                continue;
            }
            let is_global = |it: &Self| {
                it.next_is("@")
                    || (it.next_is("mut") && it.peek_second().is_some_and(|it| it.is("@")))
            };
            if !is_global(self) {
                continue;
            }
            self.tyvars.clear();
            self.binder()?;
            while self.accept(",") {
                self.binder()?;
            }
            self.item_tyvars.insert(at, std::mem::take(&mut self.tyvars));
        }
        self.at = 0;
        Ok(())
    }

    pub(super) fn declaration(&mut self) -> Result {
        self.locals.clear();
        self.joins.clear();
        self.tyvars.clear();
        if self.accept("type") {
            self.type_declaration()?;
        } else if self.accept("exception") {
            let is_fresh = self.accept("fresh");
            let name = self.name()?;
            let (fields, inline_record) = self.fields()?;
            let params = self.program.types.vars_in(fields.iter().map(|it| it.ty));
            let name_of = Symbol::new(&name.base);
            let decl =
                ExnDecl { name: name_of, params, fields, inline_record, is_fresh, span: None };
            let exn = self.program.types.exns.push(decl);
            self.exns.insert(name, exn);
        } else if self.accept("known") {
            self.well_known()?;
        } else {
            let library = self.accept("library");
            self.tyvars = self.item_tyvars.remove(&self.at).unwrap_or_default();
            let kind = self.item()?;
            self.program.items.push(Item { kind, span: no_span(), library });
        }
        self.expect(";")
    }

    fn type_declaration(&mut self) -> Result {
        let name = self.name()?;
        let params = if self.accept("<") { self.list(">", Self::tyvar)? } else { Vec::new() };
        self.expect("=")?;
        let compared = Compared::NAMES.iter().find(|it| self.accept(it.1));
        let compared = compared.map_or(Compared::Parts, |it| it.0);
        let kind = if self.accept("{") {
            DataKind::Record(self.list("}", Self::named_field)?)
        } else {
            let mut ctors = Vec::new();
            while self.accept("|") {
                let name = Symbol::new(&self.name()?.base);
                let (fields, inline_record) = self.fields()?;
                ctors.push(Ctor { name, fields, inline_record });
            }
            DataKind::Variant(ctors)
        };
        if let Some(&data) = self.datas.get(&name) {
            self.program.types.datas[data].params = params;
            self.program.types.datas[data].kind = kind;
            self.program.types.datas[data].compared = compared;
        }
        Ok(())
    }

    fn named_field(&mut self) -> Result<Field> {
        let mutable = self.accept("mut");
        let acyclic = self.accept("acyclic");
        let text = self.name()?.base;
        // The field of a method, as it is printed.
        let name = match text.strip_prefix('#') {
            Some(method) => Made::Method(Symbol::new(method)).symbol(),
            None => Symbol::new(&text),
        };
        self.expect(":")?;
        Ok(Field { name, mutable, acyclic, ty: self.parse_type()? })
    }

    /// `(ty, ty)` or `{name: ty}` or nothing.
    fn fields(&mut self) -> Result<(Vec<Field>, bool)> {
        if self.accept("{") {
            return Ok((self.list("}", Self::named_field)?, true));
        }
        let tys = if self.accept("(") { self.list(")", Self::parse_type)? } else { Vec::new() };
        let field = |(index, ty)| Field::plain(Symbol::new(&format!("{index}")), ty);
        Ok((tys.into_iter().enumerate().map(field).collect(), false))
    }

    fn item(&mut self) -> Result<ItemKind> {
        if self.accept("do") {
            return Ok(ItemKind::Eval(self.value()?));
        }
        if self.accept("let") {
            let var = self.binder()?;
            self.expect("=")?;
            let value = self.value()?;
            self.bound_to(var, value);
            return Ok(ItemKind::Let { var, value });
        }
        if self.accept("rec") {
            let (vars, values) = self.recursive()?;
            return Ok(ItemKind::LetRec { vars, values });
        }
        self.expected("`let`, `rec` or `do`")
    }

    /// `f: ty, g: ty = value and value`
    pub(super) fn recursive(&mut self) -> Result<(Vec<VarId>, Vec<crate::NodeId>)> {
        let mut vars = vec![self.binder()?];
        while self.accept(",") {
            vars.push(self.binder()?);
        }
        self.expect("=")?;
        let mut values = vec![self.value()?];
        while self.accept("and") {
            values.push(self.value()?);
        }
        for (&var, &value) in vars.iter().zip(&values) {
            self.bound_to(var, value);
        }
        Ok((vars, values))
    }

    pub(super) fn bound_to(&mut self, var: VarId, value: crate::NodeId) {
        if let NodeKind::Lambda(lambda) = self.program.nodes[value].kind {
            self.bound_lambdas.insert(var, lambda);
        }
    }

    pub(super) fn exn(&mut self) -> Result<ExnId> {
        let name = self.name()?;
        match self.exns.get(&name) {
            Some(&exn) => Ok(exn),
            None => self.error(format!("no exception `{}`", name.base)),
        }
    }

    fn global(&mut self) -> Result<VarId> {
        self.expect("@")?;
        let name = self.name()?;
        match self.globals.get(&name) {
            Some(&var) => Ok(var),
            None => self.error(format!("no global `{}`", name.base)),
        }
    }

    fn well_known(&mut self) -> Result {
        let role = self.name()?;
        if role.base == "function" {
            let word = self.name()?.base;
            let Some(function) = KnownFunction::from_word(&word) else {
                return self.error(format!("no known function is called `{word}`"));
            };
            self.expect("=")?;
            let var = self.global()?;
            if !self.program.well_known.functions.insert(function, var) {
                return self.error(format!("there are two known functions `{word}`"));
            }
            return Ok(());
        }
        self.expect("=")?;
        match role.base.as_str() {
            "uncaught" => self.program.well_known.uncaught = Some(self.global()?),
            "finish" => self.program.well_known.finish = Some(self.global()?),
            "flush" => self.program.well_known.flush = Some(self.global()?),
            "fiber" => self.program.well_known.fiber = Some(self.global()?),
            "unwinds" => self.program.well_known.unwinds = Some(self.global()?),
            "domain" => self.program.well_known.domain = Some(self.global()?),
            "match_failure" => self.program.well_known.exns.match_failure = Some(self.exn()?),
            "assert_failure" => self.program.well_known.exns.assert_failure = Some(self.exn()?),
            "invalid_argument" => self.program.well_known.exns.invalid_argument = Some(self.exn()?),
            "stack_overflow" => self.program.well_known.exns.stack_overflow = Some(self.exn()?),
            "out_of_memory" => self.program.well_known.exns.out_of_memory = Some(self.exn()?),
            "undefined_module" => self.program.well_known.exns.undefined_module = Some(self.exn()?),
            _ => return self.error(format!("nothing known is called `{}`", role.base)),
        }
        Ok(())
    }
}
