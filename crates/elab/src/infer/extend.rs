//! Extensible variants: `type t = ..` and `type t += A | B of int | C = M.D`.
//!
//! `exn` is one of them, so the others are what it is: a constructor is an [`ExnInfo`] that names its type, a value
//! is an exception of the graph, a declaration inside an expression makes another constructor whenever it is
//! evaluated (decision 81).

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::ExnId;

use crate::ast::{Constant, ExceptionDecl, Path, TypeExtension};
use crate::tast;
use crate::types::{Builtin, ExnInfo, InlineOwner, TyConId, TyConKind, Type, TypeId};

use super::env::{Ctor, Env, Structure};
use super::typexpr::Vars;
use super::{Expect, Infer};

impl Infer<'_> {
    /// Adds the constructors to the scope and the structure; gives those that are new.
    pub(super) fn extend(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        extension: &TypeExtension,
    ) -> Vec<ExnId> {
        let Some(owner) = self.extended_type(env, extension) else { return Vec::new() };
        let mut made = Vec::new();
        for decl in &extension.ctors {
            let exn = match &decl.rebind {
                Some(path) => match self.lookup_ctor(env, path) {
                    Ok(Ctor::Exn(exn)) if self.belongs(exn, owner) => {
                        match self.rebound(exn, extension.private, (decl.name.text, path.span())) {
                            Some(exn) => exn,
                            None => continue,
                        }
                    }
                    Ok(_) => {
                        self.other_type(owner, path.span());
                        continue;
                    }
                    Err(_) => continue,
                },
                None => {
                    let exn = self.declare_extension(env, owner, extension, decl);
                    made.push(exn);
                    exn
                }
            };
            env.add_ctor(decl.name.text, Ctor::Exn(exn));
            structure.ctors.insert(decl.name.text, Ctor::Exn(exn));
        }
        made
    }

    /// The constructor that `B = A` gives another name: a private one stays private.
    pub(super) fn rebound(
        &mut self,
        exn: ExnId,
        private: bool,
        (name, span): (Symbol, Span),
    ) -> Option<ExnId> {
        let original = &self.types.exns[exn];
        if original.private && !private {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0132",
                    format!("the constructor `{}` is private", original.name),
                )
                .at(span, "another name for it must be private, too")
                .help("write `private` behind `+=`"),
            );
            return None;
        }
        if original.private == private {
            return Some(exn);
        }
        let view = ExnInfo { name, private, view_of: Some(exn), ..original.clone() };
        Some(self.types.exns.push(view))
    }

    /// The type that an extension names, if it can be extended: none for `exn`, which needs no name.
    fn extended_type(&mut self, env: &Env, extension: &TypeExtension) -> Option<Option<TyConId>> {
        let path = &extension.path;
        let tycon = self.lookup_type(env, path).ok()?;
        let params = self.types.tycons[tycon].params.clone();
        if params.len() != extension.params.len() {
            self.diagnostics.error(
                Diagnostic::error(
                    "E0106",
                    format!(
                        "type `{}` has {} parameters, but {} are given",
                        path.name.text,
                        params.len(),
                        extension.params.len()
                    ),
                )
                .at(path.span(), ""),
            );
            return None;
        }
        let whole = self.types.add(Type::Con(tycon, params));
        let expanded = self.types.expand(whole);
        // An abbreviation is not extended, unless it says so itself: `type t = u = ..`.
        if let Type::Con(con, _) = self.types.nodes[expanded]
            && self.shows_members(tycon)
        {
            match self.types.tycons[con].kind {
                TyConKind::Builtin(Builtin::Exn) => return Some(None),
                TyConKind::Open => return Some(Some(con)),
                _ => (),
            }
        }
        self.diagnostics.error(
            Diagnostic::error("E0185", format!("type `{}` cannot be extended", path.name.text))
                .at(path.span(), "not an extensible type")
                .help(format!("declare it as `type {} = ..`", path.name.text)),
        );
        None
    }

    /// The same in a structure, where private types are not extended.
    pub(super) fn extend_here(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        extension: &TypeExtension,
    ) -> Vec<ExnId> {
        let errors = self.diagnostics.error_count();
        let made = self.extend(env, structure, extension);
        if self.diagnostics.error_count() == errors {
            self.check_extensible(env, extension);
        }
        made
    }

    /// `type t = private ..`: only the module that has it adds constructors.
    fn check_extensible(&mut self, env: &Env, extension: &TypeExtension) {
        let new = extension.ctors.iter().find(|it| it.rebind.is_none());
        if let Some(decl) = new
            && let Ok(tycon) = self.lookup_type(env, &extension.path)
            && self.types.tycons[tycon].private
        {
            let name = extension.path.name.text;
            self.diagnostics.error(
                Diagnostic::error("E0185", format!("the extensible type `{name}` is private"))
                    .at(decl.name.span, "constructors are added by the module that defines it"),
            );
        }
    }

    fn declare_extension(
        &mut self,
        env: &Env,
        owner: Option<TyConId>,
        extension: &TypeExtension,
        decl: &ExceptionDecl,
    ) -> ExnId {
        let name = decl.name.text;
        let params = owner.map(|it| self.types.tycons[it].params.clone()).unwrap_or_default();
        let exn = self.types.exns.push(ExnInfo {
            name,
            path: self.exception_path(decl),
            args: Vec::new(),
            inline_record: None,
            own: None,
            of: owner.map(|it| (it, params.clone())),
            private: extension.private,
            view_of: None,
            packed: None,
            number: None,
            span: decl.name.span,
        });
        let named = extension.params.iter().zip(&params);
        let named = named.filter_map(|(it, &ty)| Some((it.name?.text, ty))).collect();
        self.exception_parts(env, exn, decl, named);
        exn
    }

    /// What a new constructor holds and makes. In the graph its type has no parameters (decision 98), so what stands
    /// for one of them is of unknown type there, as is what the constructor hides.
    pub(super) fn exception_parts(
        &mut self,
        env: &Env,
        exn: ExnId,
        decl: &ExceptionDecl,
        named: Vec<(Symbol, TypeId)>,
    ) {
        let owner = InlineOwner::Exn(exn);
        let (args, inline_record, own, unknown) = match &decl.result {
            Some(made) => {
                let tycon = self.owner_of(exn);
                let (args, record, own) =
                    self.own_parts(env, (&decl.name, &decl.args), made, owner, tycon);
                let vars = own.vars.clone();
                // One that decides nothing and hides nothing is as one behind `of`.
                let is_plain = vars.is_empty() && own.args.is_empty();
                (args, record, (!is_plain).then_some(own), vars)
            }
            None => {
                let params = self.types.exns[exn].of.clone().map(|it| it.1).unwrap_or_default();
                let saved = std::mem::take(&mut self.tyvars);
                self.tyvars.extend(named);
                let (name, vars) = (decl.name.text, Vars::Declared);
                let (args, record) =
                    self.ctor_args(env, &decl.args, owner, name, params.clone(), vars);
                self.tyvars = saved;
                (args, record, None, params)
            }
        };
        let unknown = unknown.into_iter().map(|it| self.types.repr(it));
        let held = |it: &TypeId| args.iter().any(|&arg| self.types.mentions_any(arg, &[*it]));
        let held: Vec<TypeId> = unknown.filter(held).collect();
        self.types.has_equations |= !held.is_empty();
        self.types.uniform.extend(held);
        let info = &mut self.types.exns[exn];
        (info.args, info.inline_record, info.own) = (args, inline_record, own);
    }

    fn owner_of(&self, exn: ExnId) -> TyConId {
        match (&self.types.exns[exn].of, self.types.get(self.builtins.exn)) {
            (&Some((tycon, _)), _) | (None, &Type::Con(tycon, _)) => tycon,
            (None, other) => oxbow_diag::ice!("`exn` is {other:?}"),
        }
    }

    /// Is this a constructor of the type?
    fn belongs(&mut self, exn: ExnId, owner: Option<TyConId>) -> bool {
        let of = self.types.exns[exn].of.as_ref().map(|it| it.0);
        match (of, owner) {
            (None, None) => true,
            (Some(of), Some(owner)) => {
                let [of, owner] = [of, owner].map(|it| self.plain_type(it));
                self.types.expand(of) == self.types.expand(owner) || self.same_con(of, owner)
            }
            _ => false,
        }
    }

    fn plain_type(&mut self, tycon: TyConId) -> TypeId {
        let params = self.types.tycons[tycon].params.clone();
        self.types.add(Type::Con(tycon, params))
    }

    fn same_con(&mut self, a: TypeId, b: TypeId) -> bool {
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        matches!((&self.types.nodes[a], &self.types.nodes[b]),
            (Type::Con(a, _), Type::Con(b, _)) if a == b)
    }

    fn other_type(&mut self, owner: Option<TyConId>, span: Span) {
        let wanted = owner.map_or("exn".into(), |it| self.types.tycons[it].path.clone());
        self.diagnostics.error(
            Diagnostic::error("E0112", format!("this is no constructor of `{wanted}`"))
                .at(span, "belongs to another type"),
        );
    }

    /// `[%extension_constructor E]`: what tells it from others, by its name.
    pub(super) fn extension_value(
        &mut self,
        env: &Env,
        path: &Path,
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let exn = match self.lookup_ctor(env, path) {
            Ok(Ctor::Exn(exn)) => self.types.exn_behind(exn),
            Ok(Ctor::Variant(..)) => {
                let text = format!("`{}` is no extension constructor", path.name.text);
                let reported = self.diagnostics.error(
                    Diagnostic::error("E0102", text)
                        .at(path.span(), "belongs to a type that is not extensible"),
                );
                return self.error_expr(reported, span);
            }
            Err(_) => return self.failed(span),
        };
        if self.is_packed(exn) {
            let what = "`[%extension_constructor …]` of a packed module";
            let reported = self.not_supported(span, what);
            return self.error_expr(reported, span);
        }
        let Some(named) = self.stdlib_value("named_extension") else {
            let what = "`[%extension_constructor …]` without the standard library";
            let reported = self.not_supported(span, what);
            return self.error_expr(reported, span);
        };
        let func = self.value_expr(&named, span);
        let (string, made) = self.split_arrow(func.ty);
        let name = Constant::String(self.types.exns[exn].path.clone().into_bytes());
        let args = vec![tast::Expr { kind: tast::ExprKind::Constant(name), ty: string, span }];
        let kind = tast::ExprKind::Apply { func: Box::new(func), args };
        self.node(kind, made, span, expect)
    }

    /// `type t += private A`: values are not made by it.
    pub(super) fn check_public_extension(&mut self, exn: ExnId, span: Span) {
        if self.types.exns[exn].private {
            let name = self.types.exns[exn].name;
            self.diagnostics.error(
                Diagnostic::error("E0132", format!("the constructor `{name}` is private"))
                    .at(span, "it can be matched, but no values are made by it"),
            );
        }
    }
}
