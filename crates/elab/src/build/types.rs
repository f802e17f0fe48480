//! Types of inference to types of the graph.
//!
//! ```text
//! (int, M.t) pair     with  type ('a, 'b) pair = 'a * 'b,  M.t sealed over string
//! Tuple(Int, String)
//! ```
//!
//! Abbreviations and sealed types are expanded; an inline record is its constructor's
//! type. What no use has determined is `unit`, and so is an abstract type that stands for
//! nothing: no value of either exists.
//!
//! A type declared inside a polymorphic function may mention the function's type variables.
//! The graph's declarations are closed, so those become parameters:
//!
//! ```text
//! let f (type a) (x : a) = let module M = struct type t = T of a end in …
//! data M.t('a) = T of 'a                                    and inside f, M.t is M.t('a)
//! ```

use oxbow_base::{Id as _, Symbol};
use oxbow_diag::ice;
use oxbow_psg::{
    Compared, Ctor, DataDecl, DataId, DataKind, ExnDecl, ExnId, Field, IntWidth, KnownType, NodeId,
    Ty, TyId, TyVarId, Var, VarId,
};

use super::Builder;
use crate::types::{Builtin, GENERIC, InlineOwner, TyConId, TyConKind, Type, TypeId, Unknown};

impl Builder<'_> {
    pub(super) fn ty(&mut self, ty: TypeId) -> TyId {
        let key = self.types.repr(ty);
        if let Some(&known) = self.tys.get(key) {
            return known;
        }
        let before = self.undecided;
        let made = self.convert(key);
        // What a variable stands for may be decided by a later phrase of a prompt.
        if self.undecided == before {
            self.tys.insert(key, made);
        }
        made
    }

    fn convert(&mut self, ty: TypeId) -> TyId {
        let ty = self.types.reveal(ty);
        let converted = match self.types.nodes[ty].clone() {
            Type::Var { .. } if self.types.uniform.contains(ty) => Ty::Uniform,
            Type::Var { level: GENERIC, .. } => Ty::Var(self.tyvar(ty)),
            Type::Var { .. } => {
                self.undecided += 1;
                match self.types.open_weak.contains(ty) {
                    true => Ty::Var(self.tyvar(ty)),
                    false => Ty::Unit,
                }
            }
            Type::Link(_) => ice!("a link is left at {ty}"),
            Type::Error => ice!("an error type reaches the graph"),
            Type::Arrow(_, param, result) => Ty::Fn(self.ty(param), self.ty(result)),
            Type::Tuple(items) => Ty::Tuple(self.tys(&items)),
            Type::Con(con, args) => return self.con(con, &args),
            Type::Row(row) if row.object => Ty::Data(self.objects(), Vec::new()),
            Type::Row(_) => Ty::Data(self.variants(), Vec::new()),
        };
        self.program.types.intern(converted)
    }

    pub(super) fn tys(&mut self, types: &[TypeId]) -> Vec<TyId> {
        types.iter().map(|&it| self.ty(it)).collect()
    }

    /// The instance of a polymorphic variable at its own type variables.
    pub(super) fn own_tyargs(&mut self, var: VarId) -> Vec<TyId> {
        let tyvars = self.program.vars[var].tyvars.clone();
        tyvars.into_iter().map(|it| self.program.types.intern(Ty::Var(it))).collect()
    }

    fn con(&mut self, con: TyConId, args: &[TypeId]) -> TyId {
        let converted = match &self.types.tycons[con].kind {
            TyConKind::Builtin(builtin) => match builtin {
                Builtin::Unit => Ty::Unit,
                Builtin::Bool => Ty::Bool,
                Builtin::Char => Ty::Char,
                Builtin::Int(width) => Ty::Int(*width),
                Builtin::Nativeint | Builtin::Nativeptr => Ty::Int(IntWidth::I64),
                Builtin::Float => Ty::Float,
                Builtin::Float32 => Ty::Float32,
                Builtin::String => Ty::String,
                Builtin::Bytes => Ty::Bytes,
                Builtin::Array => match args {
                    [item] => Ty::Array(self.ty(*item)),
                    _ => ice!("array has {} type arguments", args.len()),
                },
                Builtin::Exn => Ty::Exn,
            },
            TyConKind::Record(_) | TyConKind::Variant(_) => {
                let data = self.data(con);
                let kept = self.kept(con, args);
                let mut args = self.tys(&kept);
                for var in self.outer_vars(con) {
                    args.push(self.ty(var));
                }
                Ty::Data(data, args)
            }
            &TyConKind::InlineRecord { variant: InlineOwner::Ctor(owner, index), .. } => {
                let args = self.owner_args(owner, index, args);
                let whole = self.types.add(Type::Con(owner, args));
                return self.ty(whole);
            }
            // Their values are made and told apart as exceptions are.
            TyConKind::InlineRecord { variant: InlineOwner::Exn(_), .. } | TyConKind::Open => {
                Ty::Exn
            }
            TyConKind::Abstract { implementation: None }
                if matches!(
                    self.types.tycons[con].unknown,
                    Unknown::Existential | Unknown::Packed
                ) || self.types.tycons[con].known == Some(KnownType::Any) =>
            {
                Ty::Uniform
            }
            TyConKind::Abstract { implementation: None } => Ty::Unit,
            TyConKind::Abstract { implementation: Some(_) } | TyConKind::Alias(_) => {
                ice!("{} is not expanded", self.types.tycons[con].path)
            }
            TyConKind::Pending => ice!("{} is still being declared", self.types.tycons[con].path),
        };
        self.program.types.intern(converted)
    }

    /// The arguments of a type that the graph has.
    fn kept(&self, con: TyConId, args: &[TypeId]) -> Vec<TypeId> {
        let erased = &self.types.tycons[con].erased;
        let is_kept = |at: usize| !erased.get(at).copied().unwrap_or(false);
        args.iter().enumerate().filter(|it| is_kept(it.0)).map(|it| *it.1).collect()
    }

    /// The type arguments of a constructor's type, from those of the record inside it.
    fn owner_args(&mut self, owner: TyConId, index: u32, args: &[TypeId]) -> Vec<TypeId> {
        let own = match &self.types.tycons[owner].kind {
            TyConKind::Variant(ctors) => ctors.get(index as usize).and_then(|it| it.own.clone()),
            _ => None,
        };
        match own {
            Some(own) => {
                let vars = own.vars;
                own.args.into_iter().map(|it| self.types.substitute(it, &vars, args)).collect()
            }
            None => args.to_vec(),
        }
    }

    pub(super) fn tyvar(&mut self, ty: TypeId) -> TyVarId {
        let ty = self.types.repr(ty);
        if let Some(&known) = self.tyvars.get(ty) {
            return known;
        }
        let name = match &self.types.nodes[ty] {
            Type::Var { name: Some(name), .. } => *name,
            // The printer names it.
            Type::Var { name: None, .. } => Symbol::new(""),
            other => ice!("a type parameter is {other:?}"),
        };
        let made = self.program.types.tyvars.push(name);
        self.tyvars.insert(ty, made);
        made
    }

    /// The declaration of a record or variant, made at its first mention.
    pub(super) fn data(&mut self, con: TyConId) -> DataId {
        if let Some(&known) = self.datas.get(con) {
            return known;
        }
        let tycon = self.types.tycons[con].clone();
        let outer = self.outer_vars(con);
        let own = self.kept(con, &tycon.params);
        let params = own.iter().chain(&outer).map(|&it| self.tyvar(it)).collect();
        // Entered before its fields, which may mention it.
        let data = self.program.types.datas.push(DataDecl {
            name: Symbol::new(&tycon.path),
            params,
            kind: DataKind::Record(Vec::new()),
            compared: tycon.compared,
            own: tycon.own,
            known: tycon.known,
            span: tycon.span,
        });
        self.datas.insert(con, data);
        let mut kind = match &tycon.kind {
            TyConKind::Record(infos) => DataKind::Record(
                infos
                    .iter()
                    .map(|it| Field {
                        name: it.name,
                        mutable: it.mutable,
                        acyclic: it.acyclic,
                        ty: self.ty(it.ty),
                    })
                    .collect(),
            ),
            TyConKind::Variant(ctors) => DataKind::Variant(
                ctors
                    .iter()
                    .map(|it| Ctor {
                        name: it.name,
                        fields: self.payload(&it.args, it.inline_record),
                        inline_record: it.inline_record.is_some(),
                    })
                    .collect(),
            ),
            TyConKind::Builtin(_)
            | TyConKind::Abstract { .. }
            | TyConKind::Alias(_)
            | TyConKind::Open
            | TyConKind::InlineRecord { .. }
            | TyConKind::Pending => ice!("{} is no record or variant", tycon.path),
        };
        if tycon.compared == Compared::Reference {
            give_identity(&mut kind);
        }
        self.program.types.datas[data].kind = kind;
        data
    }

    /// Type variables of the enclosing functions that a declaration mentions, itself or through
    /// the declarations that it mentions.
    fn outer_vars(&mut self, con: TyConId) -> Vec<TypeId> {
        if let Some(known) = self.outer_vars.get(con) {
            return known.clone();
        }
        let mut found: Vec<TypeId> = Vec::new();
        let mut bound: Vec<TypeId> = Vec::new();
        let mut seen = vec![con];
        let mut next = 0;
        while let Some(&con) = seen.get(next) {
            next += 1;
            bound.extend(self.types.tycons[con].params.iter().map(|&it| self.types.repr(it)));
            let mut todo: Vec<TypeId> = match &self.types.tycons[con].kind {
                TyConKind::Record(fields) => fields.iter().map(|it| it.ty).collect(),
                TyConKind::Variant(ctors) => {
                    ctors.iter().flat_map(|it| it.args.iter().copied()).collect()
                }
                _ => Vec::new(),
            };
            while let Some(ty) = todo.pop() {
                let ty = self.types.reveal(ty);
                match &self.types.nodes[ty] {
                    Type::Var { .. } if self.types.uniform.contains(ty) => (),
                    Type::Var { level: GENERIC, .. } if !found.contains(&ty) => found.push(ty),
                    Type::Var { .. } | Type::Link(_) | Type::Error => (),
                    &Type::Arrow(_, param, result) => todo.extend([param, result]),
                    Type::Tuple(items) => todo.extend(items),
                    // All rows are one type, which has no parameters.
                    Type::Row(_) => (),
                    Type::Con(con, args) => {
                        todo.extend(args);
                        if !seen.contains(con) {
                            seen.push(*con);
                        }
                    }
                }
            }
        }
        found.retain(|it| !bound.contains(it));
        self.outer_vars.insert(con, found.clone());
        found
    }

    fn payload(&mut self, args: &[TypeId], inline_record: Option<TyConId>) -> Vec<Field> {
        let infos = match inline_record.map(|it| &self.types.tycons[it].kind) {
            Some(TyConKind::InlineRecord { fields, .. }) => fields.clone(),
            _ => Vec::new(),
        };
        args.iter()
            .enumerate()
            .map(|(index, &arg)| {
                let ty = self.ty(arg);
                match infos.get(index) {
                    Some(info) => {
                        Field { name: info.name, mutable: info.mutable, acyclic: info.acyclic, ty }
                    }
                    None => Field::plain(Symbol::new(&index.to_string()), ty),
                }
            })
            .collect()
    }

    /// Those that are not there yet.
    pub(super) fn declare_exns(&mut self) {
        for index in self.program.types.exns.len()..self.types.exns.len() {
            let id = ExnId::from_index(index);
            let info = self.types.exns[id].clone();
            let mut fields = self.payload(&info.args, info.inline_record);
            let params = self.program.types.vars_in(fields.iter().map(|it| it.ty));
            for field in fields.iter_mut().filter(|it| it.mutable) {
                field.ty = self.cell_of(field.ty);
            }
            if info.number.is_some() {
                fields.push(Field::plain(Symbol::new("number"), self.program.types.int));
            }
            self.program.types.exns.push(ExnDecl {
                name: Symbol::new(&info.path),
                params,
                fields,
                inline_record: info.inline_record.is_some(),
                is_fresh: info.number.is_some(),
                span: Some(info.span),
            });
        }
    }

    /// Those that are not there yet.
    pub(super) fn declare_vars(&mut self) {
        for index in self.program.vars.len()..self.types.vars.len() {
            let id = VarId::from_index(index);
            let info = self.types.vars[id].clone();
            let tyvars = self.without_rows(&info.tyvars);
            let tyvars = tyvars.into_iter().map(|it| self.tyvar(it)).collect();
            let ty = self.ty(info.ty);
            self.program.vars.push(Var {
                name: info.name,
                ty,
                tyvars,
                mutable: info.mutable,
                global: info.global,
                span: info.span,
            });
        }
    }

    /// `Value of 'a | Caught of exn`: what the scrutinee of a match with exception cases gave.
    pub(super) fn match_result(&mut self, value: TyId) -> TyId {
        let data = match self.match_result {
            Some(data) => data,
            None => {
                let param = self.program.types.tyvars.push(Symbol::new("a"));
                let (var, exn) =
                    (self.program.types.intern(Ty::Var(param)), self.program.types.exn);
                let ctor = |name, ty| Ctor {
                    name: Symbol::new(name),
                    fields: vec![Field::plain(Symbol::new("0"), ty)],
                    inline_record: false,
                };
                let data = self.program.types.datas.push(DataDecl {
                    name: Symbol::new("match_result"),
                    params: vec![param],
                    kind: DataKind::Variant(vec![ctor("Value", var), ctor("Caught", exn)]),
                    compared: Compared::Parts,
                    own: oxbow_psg::OwnFunctions::default(),
                    known: None,
                    span: None,
                });
                self.match_result = Some(data);
                data
            }
        };
        self.program.types.intern(Ty::Data(data, vec![value]))
    }

    /// A value that was read from a polymorphic field, at the type of its reader.
    pub(super) fn read_at(&mut self, value: NodeId, ty: TyId) -> NodeId {
        if self.types.uniform.is_empty() || self.program.ty(value) == ty {
            return value;
        }
        self.retype(value, ty)
    }

    /// The types of all fields of a record (`ctor` 0) or constructor.
    pub(super) fn field_tys(&mut self, object: TyId, ctor: u32) -> Vec<TyId> {
        let Ty::Data(data, args) = self.program.types.get(object).clone() else {
            ice!("fields of a value of type {:?}", self.program.types.get(object))
        };
        let declared: Vec<TyId> = match &self.program.types.datas[data].kind {
            DataKind::Record(fields) => fields.iter().map(|it| it.ty).collect(),
            DataKind::Variant(ctors) => match ctors.get(ctor as usize) {
                Some(ctor) => ctor.fields.iter().map(|it| it.ty).collect(),
                None => ice!("{} has no constructor {ctor}", self.program.types.datas[data].name),
            },
        };
        declared.into_iter().map(|it| self.program.types.field_type(data, &args, it)).collect()
    }
}

/// Makes two values with the same parts different ones: no pass unites objects that can change.
fn give_identity(kind: &mut DataKind) {
    let fields: Vec<&mut Field> = match kind {
        DataKind::Record(fields) => fields.iter_mut().collect(),
        DataKind::Variant(ctors) => ctors.iter_mut().flat_map(|it| &mut it.fields).collect(),
    };
    for field in fields {
        // Nothing is assigned to it, so no cycle is closed.
        field.acyclic |= !field.mutable;
        field.mutable = true;
    }
}
