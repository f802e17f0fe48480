//! Type and exception declarations.

use oxbow_base::{FxHashSet, Mark, Span, SparseMap, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_psg::ExnId;

use crate::ast::{
    ConstructorArgs, ExceptionDecl, FieldDecl, ParamVariance, TypeDecl, TypeDeclKind, is_measure,
};
use crate::tast;
use crate::types::{
    Builtin, CtorInfo, ExnInfo, FieldInfo, GENERIC, InlineOwner, TyCon, TyConId, TyConKind, Type,
    TypeId, UnitCon, VarInfo,
};

use super::Infer;
use super::compared::{Place, compared, forbidden};
use super::env::{Ctor, Env, Structure};
use super::known::known_type;
use super::typexpr::Vars;

/// Constructors whose objects can be told apart.
const TAGS: usize = 256;

impl Infer<'_> {
    /// Declares a group of types in `env` and `structure`.
    pub(super) fn type_decls(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        recursive: bool,
        decls: &[TypeDecl],
    ) {
        let outer = env.clone();
        let tycons: Vec<TyConId> = decls.iter().map(|it| self.declare_tycon(it)).collect();
        for (decl, &tycon) in decls.iter().zip(&tycons) {
            self.note_hidden_type(env, decl.name.text, decl.params.len());
            env.add_type(decl.name.text, tycon);
            let old = structure.types.insert(decl.name.text, tycon);
            Self::shadow_type(structure, old, decl.name.span);
        }
        let scope = if recursive { env.clone() } else { outer };
        let mut repeated: Vec<Option<TyConKind>> = Vec::new();
        self.declaring(&tycons, |cx| {
            for (decl, &tycon) in decls.iter().zip(&tycons) {
                cx.constraints(&scope, decl, tycon);
            }
            let each = decls.iter().zip(&tycons);
            repeated.extend(each.map(|(decl, &tycon)| cx.define_tycon(&scope, decl, tycon)));
        });
        self.check_cyclic_abbreviations(decls, &tycons);
        if !self.library {
            self.check_regular(decls, &tycons);
        }
        for (decl, &tycon) in decls.iter().zip(&tycons) {
            self.check_variances(decl, tycon);
            self.check_unboxed(decl, tycon);
        }
        self.settle_own_results(&tycons);
        for ((decl, &tycon), kind) in decls.iter().zip(&tycons).zip(repeated) {
            if let Some(kind) = kind {
                self.check_reexport(decl, tycon, &kind);
            }
        }
        for (decl, &tycon) in decls.iter().zip(&tycons) {
            // Its cases are named with the type before them.
            if self.is_clef() && super::clef::is_qualified(decl) {
                continue;
            }
            self.add_members(env, structure, tycon);
        }
    }

    fn declare_tycon(&mut self, decl: &TypeDecl) -> TyConId {
        // The same functor applied to the same module makes the same types.
        if let Some(key) = self.functors.key.clone() {
            self.functors.decls += 1;
            if let Some(&tycon) = self.functors.types.get(&(key, self.functors.decls)) {
                if self.signatures.inside {
                    self.signatures.flexible.insert(tycon);
                }
                return tycon;
            }
        }
        let params = decl
            .params
            .iter()
            .map(|it| self.types.add(Type::Var { level: GENERIC, name: it.name.map(|it| it.text) }))
            .collect();
        let name = decl.name.text;
        let path = self.display_path(name);
        let mut tycon = TyCon::new(name, path, params, TyConKind::Pending, Some(decl.name.span));
        tycon.private = decl.private;
        tycon.of_signature = self.signatures.inside;
        tycon.unboxed = is_unboxed(decl);
        tycon.variances = decl.params.iter().map(|it| it.variance).collect();
        tycon.measures = decl.params.iter().map(|it| it.measure).collect();
        tycon.unit = is_measure(&decl.attributes).then_some(UnitCon::Declared);
        tycon.injective = decl.params.iter().map(|it| it.injective).collect();
        let place = Place { clef: self.is_clef(), library: self.library };
        tycon.compared = compared(&decl.attributes, place);
        tycon.own = forbidden(&decl.attributes, place);
        tycon.library |= place.library;
        tycon.known = known_type(&decl.attributes, place);
        let tycon = self.types.tycons.push(tycon);
        if let Some(key) = self.functors.key.clone() {
            self.functors.types.insert((key, self.functors.decls), tycon);
        }
        if self.signatures.inside {
            self.signatures.flexible.insert(tycon);
        }
        if let Some(level) = self.local_scope {
            self.scope_levels.insert(tycon, level);
        }
        tycon
    }

    /// The path people see: relative to the file.
    pub(super) fn display_path(&self, name: Symbol) -> String {
        let skip = usize::from(!self.library);
        let mut path: Vec<&str> = self.path.iter().skip(skip).map(String::as_str).collect();
        // What is in scope everywhere has no other name.
        if self.library && self.is_clef() && path.first() == Some(&"Opened") {
            path.clear();
        }
        path.push(name.as_str());
        path.join(".")
    }

    /// An object tells its constructor by its place in the declaration, in a byte.
    fn check_tags(&mut self, ctors: &[CtorInfo]) {
        let late = ctors.iter().enumerate().skip(TAGS);
        let mut objects = late.filter(|it| !it.1.args.is_empty() || it.1.inline_record.is_some());
        if let Some((at, ctor)) = objects.next() {
            self.diagnostics.error(
                Diagnostic::not_supported(
                    ctor.span,
                    "a constructor with arguments behind the first 256 of its type",
                )
                .help(format!("this is number {}: declare it before constants", at + 1)),
            );
        }
    }

    /// What the declaration repeats of the type that it names is given back.
    fn define_tycon(&mut self, env: &Env, decl: &TypeDecl, tycon: TyConId) -> Option<TyConKind> {
        if !matches!(self.types.tycons[tycon].kind, TyConKind::Pending) {
            return None;
        }
        let saved = std::mem::take(&mut self.tyvars);
        if let Some(named) = self.constrained_vars.remove(tycon) {
            self.tyvars = named;
        }
        let it = &self.types.tycons[tycon];
        let params = if it.forms.is_some() { &[][..] } else { &it.params };
        for (param, &ty) in decl.params.iter().zip(params) {
            if let Some(name) = param.name
                && self.tyvars.insert(name.text, ty).is_some()
            {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0107",
                        format!("type parameter `'{}` occurs twice", name.text),
                    )
                    .at(param.span, ""),
                );
            }
        }
        let manifest = decl.manifest.as_ref().map(|it| match self.types.tycons[tycon].unit {
            Some(_) => self.unit_expr(env, it, Vars::Declared),
            None => self.type_expr(env, it, Vars::Declared),
        });
        let kind = match &decl.kind {
            TypeDeclKind::Abstract => match manifest {
                Some(ty) if decl.private && self.hides_row(tycon, ty) => TyConKind::Alias(ty),
                Some(ty) if decl.private => TyConKind::Abstract { implementation: Some(ty) },
                Some(ty) => TyConKind::Alias(ty),
                None if self.types.tycons[tycon].unit.is_some() => {
                    let implementation = Some(self.types.unit_implementation());
                    TyConKind::Abstract { implementation }
                }
                None => TyConKind::Abstract { implementation: None },
            },
            // `type t = u = ..` is the same extensible type.
            TypeDeclKind::Open => match manifest {
                Some(ty) => {
                    self.check_open_type(ty, decl);
                    self.reexports.insert(tycon);
                    TyConKind::Alias(ty)
                }
                None => TyConKind::Open,
            },
            TypeDeclKind::Record(fields) => {
                let mut fields = self.field_decls(env, fields, Vars::Declared);
                self.note_struct(tycon, &decl.attributes, &mut fields);
                if decl.attributes.iter().any(|it| it.is(Mark::Delegate)) {
                    self.clef.delegates.insert(tycon);
                }
                self.erase_unused(tycon, &fields);
                TyConKind::Record(fields)
            }
            TypeDeclKind::Variant(ctors) => {
                let mut seen = FxHashSet::default();
                let mut infos = Vec::new();
                self.types.has_own_results |= ctors.is_empty();
                for (index, ctor) in ctors.iter().enumerate() {
                    if !seen.insert(ctor.name.text) {
                        self.diagnostics.error(
                            Diagnostic::error(
                                "E0108",
                                format!("constructor `{}` is declared twice", ctor.name.text),
                            )
                            .at(ctor.name.span, "already declared in this type"),
                        );
                    }
                    let owner = InlineOwner::Ctor(tycon, index as u32);
                    if let Some(made) = &ctor.result {
                        infos.push(self.own_constructor(env, ctor, made, owner, tycon));
                        continue;
                    }
                    let params = self.types.tycons[tycon].params.clone();
                    let (args, inline_record) = self.ctor_args(
                        env,
                        &ctor.args,
                        owner,
                        ctor.name.text,
                        params,
                        Vars::Declared,
                    );
                    if ctor.names.iter().any(Option::is_some) {
                        let names = ctor.names.iter().map(|it| it.map(|it| it.text)).collect();
                        self.clef.case_fields.insert((tycon, index as u32), names);
                    }
                    infos.push(CtorInfo {
                        name: ctor.name.text,
                        args,
                        inline_record,
                        own: None,
                        span: ctor.name.span,
                    });
                }
                self.check_tags(&infos);
                TyConKind::Variant(infos)
            }
        };
        self.tyvars = saved;
        let mut parts: Vec<TypeId> = manifest.into_iter().collect();
        match &kind {
            TyConKind::Record(fields) => parts.extend(fields.iter().map(|it| it.ty)),
            TyConKind::Variant(ctors) => parts.extend(ctors.iter().flat_map(|it| &it.args)),
            _ => (),
        }
        self.check_declared_rows(tycon, &parts, decl.span);
        // `type t = M.t = A | B`: the same type as M.t, with its constructors in scope here.
        let (kind, repeated) = match (kind, manifest) {
            (kind @ (TyConKind::Record(_) | TyConKind::Variant(_)), Some(manifest)) => {
                self.reexports.insert(tycon);
                (TyConKind::Alias(manifest), Some(kind))
            }
            (kind, _) => (kind, None),
        };
        self.types.tycons[tycon].kind = kind;
        repeated
    }

    /// `private [> …]`, `private < …; .. >`: one row, of which nobody else knows the rest.
    fn hides_row(&mut self, tycon: TyConId, ty: TypeId) -> bool {
        let ty = self.types.repr(ty);
        let params = self.types.tycons[tycon].params.clone();
        match &mut self.types.nodes[ty] {
            Type::Row(row) if !row.is_fixed() => {
                row.level = GENERIC;
                // With other arguments it is another row, which this name knows again.
                row.name = Some((tycon, params)).filter(|it| !it.1.is_empty());
                // Known everywhere.
                self.rigid_rows.insert(ty, 0);
                true
            }
            _ => false,
        }
    }

    /// `[@@unboxed]` is for what holds one value. Whether it lies in a box is decided by other means.
    fn check_unboxed(&mut self, decl: &TypeDecl, tycon: TyConId) {
        if self.is_clef() || !is_unboxed(decl) {
            return;
        }
        let count = match &decl.kind {
            TypeDeclKind::Record(fields) => fields.len(),
            TypeDeclKind::Variant(ctors) => match &ctors[..] {
                [only] => match &only.args {
                    ConstructorArgs::Tuple(args) => args.len(),
                    ConstructorArgs::Record(fields) => fields.len(),
                },
                _ => 0,
            },
            TypeDeclKind::Abstract | TypeDeclKind::Open => 0,
        };
        let fault = match count {
            1 if !self.holds_anything(tycon) => return,
            1 => "its values might be floats or not, since the constructor hides their type",
            _ => "it is not one constructor with one argument, or one field",
        };
        self.diagnostics.error(
            Diagnostic::error("E0179", format!("type `{}` cannot be unboxed", decl.name.text))
                .at(decl.name.span, fault)
                .help("leave out `[@@unboxed]`"),
        );
    }

    /// Has the type one constructor that holds a value of a type that it hides?
    fn holds_anything(&self, tycon: TyConId) -> bool {
        let TyConKind::Variant(ctors) = &self.types.tycons[tycon].kind else { return false };
        let [CtorInfo { own: Some(own), args, .. }] = &ctors[..] else { return false };
        let [held] = args[..] else { return false };
        let held = self.types.repr(held);
        own.vars.iter().any(|&it| self.types.repr(it) == held)
            && !own.args.iter().any(|&it| self.mentions(it, held))
    }

    fn check_open_type(&mut self, ty: TypeId, decl: &TypeDecl) {
        let con = self.head_con(ty).map(|it| it.0);
        let is_open = con.is_some_and(|it| {
            let kind = &self.types.tycons[it].kind;
            matches!(kind, TyConKind::Open | TyConKind::Builtin(Builtin::Exn))
        });
        if !is_open && !matches!(self.types.get(ty), Type::Error) {
            let text = format!("`{}` does not repeat the type it names", decl.name.text);
            self.diagnostics.error(
                Diagnostic::error("E0109", text)
                    .at(decl.span, "the original is not an extensible type"),
            );
        }
    }

    /// The parameters must vary as the declaration says.
    fn check_variances(&mut self, decl: &TypeDecl, tycon: TyConId) {
        let is_abstract = matches!(decl.kind, TypeDeclKind::Open)
            || matches!(decl.kind, TypeDeclKind::Abstract) && decl.manifest.is_none();
        if is_abstract || decl.params.iter().all(|it| it.variance == ParamVariance::Unsaid) {
            return;
        }
        let found = self.param_variances(tycon, &mut SparseMap::new());
        let decided = self.indices(tycon);
        for (at, (param, found)) in decl.params.iter().zip(found).enumerate() {
            let is_said = param.variance != ParamVariance::Unsaid;
            if is_said && decided.get(at) == Some(&true) {
                self.diagnostics.error(
                    Diagnostic::error("E0186", "constructors decide what this parameter is")
                        .at(param.span, "it cannot vary"),
                );
            } else if !found.allows(param.variance) {
                let said = match param.variance {
                    ParamVariance::Covariant => "covariant",
                    ParamVariance::Contravariant | ParamVariance::Unsaid => "contravariant",
                };
                self.diagnostics.error(
                    Diagnostic::error("E0186", format!("this parameter is not {said}"))
                        .at(param.span, "the definition uses it in other places as well"),
                );
            }
        }
    }

    fn field_decls(&mut self, env: &Env, fields: &[FieldDecl], vars: Vars) -> Vec<FieldInfo> {
        let mut seen = FxHashSet::default();
        let mut infos = Vec::new();
        for field in fields {
            if !seen.insert(field.name.text) {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0110",
                        format!("field `{}` is declared twice", field.name.text),
                    )
                    .at(field.name.span, "already declared in this record"),
                );
            }
            let (ty, own) = self.field_scheme(env, &field.ty, vars);
            infos.push(FieldInfo {
                name: field.name.text,
                mutable: field.mutable,
                acyclic: field.acyclic,
                role: field.role,
                ty,
                vars: own,
                span: field.name.span,
            });
        }
        infos
    }

    pub(super) fn ctor_args(
        &mut self,
        env: &Env,
        args: &ConstructorArgs,
        owner: InlineOwner,
        name: Symbol,
        params: Vec<TypeId>,
        vars: Vars,
    ) -> (Vec<TypeId>, Option<TyConId>) {
        match args {
            ConstructorArgs::Tuple(args) => {
                (args.iter().map(|it| self.type_expr(env, it, vars)).collect(), None)
            }
            ConstructorArgs::Record(fields) => {
                let fields = self.field_decls(env, fields, vars);
                let types = fields.iter().map(|it| it.ty).collect();
                let path = self.display_path(name);
                let kind = TyConKind::InlineRecord { variant: owner, fields };
                let record = self.types.tycons.push(TyCon::new(name, path, params, kind, None));
                (types, Some(record))
            }
        }
    }

    /// An abbreviation must not mention itself, not even inside its arguments: a record or variant
    /// has to stand between.
    fn check_cyclic_abbreviations(&mut self, decls: &[TypeDecl], tycons: &[TyConId]) {
        for (decl, &tycon) in decls.iter().zip(tycons) {
            let mut seen = FxHashSet::default();
            let mut todo = vec![tycon];
            let mut cyclic = false;
            while let Some(con) = todo.pop() {
                let TyConKind::Alias(body) = self.types.tycons[con].kind else { continue };
                let mut parts = vec![body];
                while let Some(part) = parts.pop() {
                    match self.types.get(part) {
                        // A type may mention itself inside a row.
                        Type::Var { .. } | Type::Link(_) | Type::Error | Type::Row(_) => (),
                        &Type::Arrow(_, param, result) => parts.extend([param, result]),
                        Type::Tuple(items) => parts.extend(items),
                        Type::Con(next, _) if *next != tycon && self.stands_for_row(*next) => (),
                        Type::Con(next, args) => {
                            parts.extend(args);
                            cyclic |= *next == tycon;
                            // Only types of this group can lead back to it.
                            if tycons.contains(next) && seen.insert(*next) {
                                todo.push(*next);
                            }
                        }
                    }
                }
            }
            if cyclic {
                self.diagnostics.error(
                    Diagnostic::error(
                        "E0111",
                        format!("the abbreviation `{}` is cyclic", decl.name.text),
                    )
                    .at(decl.name.span, "refers to itself")
                    .help("put a constructor or record between the type and itself"),
                );
                self.types.tycons[tycon].kind = TyConKind::Alias(self.builtins.error);
            }
        }
    }

    /// Is it an abbreviation of a row, which its arguments are inside of?
    fn stands_for_row(&self, mut con: TyConId) -> bool {
        let mut seen = FxHashSet::default();
        while let TyConKind::Alias(body) = self.types.tycons[con].kind
            && seen.insert(con)
        {
            match self.types.get(body) {
                Type::Row(_) => return true,
                Type::Con(next, _) => con = *next,
                _ => return false,
            }
        }
        false
    }

    /// The exception, if it is a new one.
    pub(super) fn exception(
        &mut self,
        env: &mut Env,
        structure: &mut Structure,
        decl: &ExceptionDecl,
    ) -> Option<ExnId> {
        let ctor = match &decl.rebind {
            Some(path) => match self.lookup_ctor(env, path) {
                Ok(Ctor::Exn(exn)) => {
                    Ctor::Exn(self.rebound(exn, false, (decl.name.text, path.span()))?)
                }
                Ok(Ctor::Variant(..)) => {
                    self.diagnostics.error(
                        Diagnostic::error(
                            "E0112",
                            format!("`{}` is not an exception", path.name.text),
                        )
                        .at(path.span(), "a constructor of an ordinary variant type"),
                    );
                    return None;
                }
                Err(_) => return None,
            },
            None => Ctor::Exn(self.declare_exception(env, decl)),
        };
        env.add_ctor(decl.name.text, ctor);
        structure.ctors.insert(decl.name.text, ctor);
        match ctor {
            Ctor::Exn(exn) if decl.rebind.is_none() => Some(exn),
            Ctor::Exn(_) | Ctor::Variant(..) => None,
        }
    }

    /// A declaration inside an expression makes another exception whenever it is evaluated: the
    /// item takes a number for it.
    pub(super) fn number_exception(&mut self, exn: ExnId, span: Span) -> Option<tast::Item> {
        let next = self.stdlib_value("new_exception")?;
        let func = self.value_expr(&next, span);
        let (int, unit) = (self.builtins.int, self.builtins.unit);
        let args = vec![tast::Expr { kind: tast::ExprKind::Unit, ty: unit, span }];
        let kind = tast::ExprKind::Apply { func: Box::new(func), args };
        let value = tast::Expr { kind, ty: int, span };
        let name = Symbol::new("number");
        let info =
            VarInfo { name, ty: int, tyvars: Vec::new(), mutable: false, global: false, span };
        let var = self.types.vars.push(info);
        self.types.exns[exn].number = Some(var);
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: int, span };
        let kind = tast::ItemKind::Let(vec![tast::Binding { pattern, value }]);
        Some(tast::Item { kind, span, library: self.library })
    }

    fn declare_exception(&mut self, env: &Env, decl: &ExceptionDecl) -> ExnId {
        let name = decl.name.text;
        let exn = self.types.exns.push(ExnInfo {
            name,
            path: self.exception_path(decl),
            args: Vec::new(),
            inline_record: None,
            own: None,
            of: None,
            private: false,
            view_of: None,
            packed: None,
            number: None,
            span: decl.name.span,
        });
        self.exception_parts(env, exn, decl, Vec::new());
        exn
    }

    /// As `Printexc` shows it: with the file's module; bare for local and predefined ones. The library says of its own
    /// what is otherwise: `exception Exit [@shown_as "Stdlib.Exit"]`.
    pub(super) fn exception_path(&self, decl: &ExceptionDecl) -> String {
        let name = decl.name.text;
        if self.library {
            let said = decl.attributes.iter().find(|it| it.plain_name() == "shown_as");
            if let Some(shown) = said.and_then(|it| it.payload) {
                return shown.as_str().into();
            }
        }
        if self.local_depth > 0 || self.library && self.path.is_empty() {
            return name.as_str().into();
        }
        let prefix = if self.library { "Stdlib." } else { "" };
        // A prompt has no module.
        match self.exn_path.is_empty() {
            true => name.to_string(),
            false => format!("{prefix}{}.{name}", self.exn_path.join(".")),
        }
    }

    pub(super) fn span_of_tycon(&self, tycon: TyConId) -> Option<Span> {
        self.types.tycons[tycon].span
    }
}

fn is_unboxed(decl: &TypeDecl) -> bool {
    decl.attributes.iter().any(|it| it.plain_name() == "unboxed")
}
