//! Environments: what each name means at a place.
//!
//! Maps are persistent, so that a scope, a functor's closure or a signature's closure is a
//! cheap copy.

use std::cell::OnceCell;
use std::rc::Rc;

use indexmap::IndexMap;
use oxbow_base::{Span, Symbol};
use oxbow_psg::{ExnId, VarId};
use rustc_hash::FxBuildHasher;

use crate::ast::{self, FieldRole};
use crate::tast::Builtin;
use crate::types::{TyConId, TypeId, Types};

use super::clef::Operation;
use super::nameless::Nameless;
use super::packed_functor::PackedFunctor;
use super::signature::Seal;

/// What sort of thing a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Value,
    Type,
    Ctor,
    Field,
    Module,
    ModuleType,
}

type Opened = imbl::GenericHashMap<(Sort, Symbol), Span, FxBuildHasher, imbl::shared_ptr::RcK>;
type Map<V> = imbl::GenericHashMap<Symbol, V, FxBuildHasher, imbl::shared_ptr::RcK>;
pub type Table<V> = IndexMap<Symbol, V, FxBuildHasher>;

#[derive(Clone, Debug)]
pub struct Value {
    pub kind: ValueKind,
    /// Quantified variables.
    pub vars: Vec<TypeId>,
    pub ty: TypeId,
    /// For a value seen through a signature: its variable's own type arguments, over `vars`.
    pub instance: Option<Rc<[TypeId]>>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    Var(VarId),
    Builtin(Builtin),
    /// Decided by the type that the first of `vars` stands for (Clef): what it means.
    Overload(Operation),
    /// Elaborated anew at each use (Clef's `inline`): a number in [`super::Infer::inlines`].
    Inline(u32),
    /// A field of a packed module: the variable that holds it, its type, and the field's number.
    Packed(VarId, TyConId, u32),
    /// An instance variable: of which objects, its place in them, and the variable that holds the object.
    Instance {
        object: u32,
        index: u32,
        this: VarId,
    },
    /// What `inherit … as x` names: a number in [`super::Infer::supers`], and the object.
    Super {
        number: u32,
        this: VarId,
    },
    /// Stands for another expression (Clef): a number in [`super::Infer::aliases`].
    Alias(u32),
    /// Declared in a signature only: has no definition (a functor's parameter while the
    /// functor itself is checked).
    Declared,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ctor {
    Variant(TyConId, u32),
    Exn(ExnId),
}

#[derive(Clone, Debug)]
pub enum Module {
    Structure(Rc<Structure>),
    Functor(Rc<Functor>),
    /// A name for a module of a file that comes later: it is known when somebody uses the name.
    Later(Rc<ast::ModulePath>),
    /// After an error: every lookup in it is silent.
    Error,
}

#[derive(Clone, Debug, Default)]
pub struct Structure {
    pub values: Table<Value>,
    /// What is known inside only (`let private` in Clef), with its place.
    pub private: Table<Span>,
    /// Declared by an interface that no file implements, with its place.
    pub undefined: Table<Span>,
    pub types: Table<TyConId>,
    pub ctors: Table<Ctor>,
    /// Records by field, the latest declaration last.
    pub fields: Table<Vec<TyConId>>,
    pub modules: Table<Module>,
    pub module_types: Table<ModuleTypeDef>,
    /// Made inside an expression: so are the types that a functor makes of it.
    pub local: bool,
    /// After an error: there could be more in it.
    pub incomplete: bool,
    /// Types of it that no path leads to but their names here.
    pub without_path: Vec<TyConId>,
    pub nameless: Vec<Nameless>,
}

#[derive(Debug)]
pub struct Functor {
    pub param: ast::FunctorParam,
    pub body: FunctorBody,
    pub env: Env,
    /// The definition's path, for messages and for the names of exceptions.
    pub path: Vec<String>,
    /// The same, as the names of exceptions show it.
    pub exn_path: Vec<String>,
    pub library: bool,
    pub local: bool,
    /// What the body made when it was checked, if that has weak type variables.
    pub checked: OnceCell<Module>,
}

#[derive(Debug, Clone)]
pub enum FunctorBody {
    Expr(Rc<ast::ModuleExpr>),
    /// Known by its type only.
    Abstract(Rc<ast::ModuleType>),
    /// A functor seen through a functor type: applied, then matched with the result type. The types
    /// are those that the signature around it has sealed: inside they are what they stand for.
    Sealed(Rc<Functor>, Rc<ast::ModuleType>, Seal, Rc<[TyConId]>),
    /// A functor of a packed module: a function from packed modules to packed modules.
    Packed(PackedFunctor),
}

/// A module type as written, with the environment its names refer to.
#[derive(Clone, Debug)]
pub enum ModuleTypeDef {
    Closure(Rc<(ast::ModuleType, Env)>),
    /// Declared without a definition.
    Abstract,
}

#[derive(Clone, Debug, Default)]
pub struct Env {
    values: Map<Value>,
    types: Map<TyConId>,
    ctors: Map<Ctor>,
    fields: Map<Rc<Vec<TyConId>>>,
    modules: Map<Module>,
    module_types: Map<ModuleTypeDef>,
    /// Names that come from a module that is opened, with the place where that is said.
    opened: Opened,
}

impl Env {
    /// Notes that the names of a module mean what they do since it is opened.
    pub fn mark_opened(&mut self, module: &Module, span: Span) {
        let Module::Structure(it) = module else { return };
        let sorted = [
            (Sort::Value, it.values.keys().copied().collect::<Vec<_>>()),
            (Sort::Type, it.types.keys().copied().collect()),
            (Sort::Ctor, it.ctors.keys().copied().collect()),
            (Sort::Field, it.fields.keys().copied().collect()),
            (Sort::Module, it.modules.keys().copied().collect()),
            (Sort::ModuleType, it.module_types.keys().copied().collect()),
        ];
        for (sort, names) in sorted {
            self.opened.extend(names.into_iter().map(|it| ((sort, it), span)));
        }
    }

    /// Where a module is opened that a name comes from.
    pub fn opened_by(&self, sort: Sort, name: Symbol) -> Option<Span> {
        self.opened.get(&(sort, name)).copied()
    }

    /// A name means something else from here on.
    fn hide_opened(&mut self, sort: Sort, name: Symbol) {
        if !self.opened.is_empty() {
            self.opened.remove(&(sort, name));
        }
    }

    pub fn add_value(&mut self, name: Symbol, value: Value) {
        self.hide_opened(Sort::Value, name);
        self.values.insert(name, value);
    }
    pub fn add_type(&mut self, name: Symbol, tycon: TyConId) {
        self.hide_opened(Sort::Type, name);
        self.types.insert(name, tycon);
    }
    pub fn add_ctor(&mut self, name: Symbol, ctor: Ctor) {
        self.hide_opened(Sort::Ctor, name);
        self.ctors.insert(name, ctor);
    }
    pub fn add_field(&mut self, name: Symbol, record: TyConId) {
        let mut all = self.fields.get(&name).map(|it| it.as_ref().clone()).unwrap_or_default();
        all.retain(|&it| it != record);
        all.push(record);
        self.hide_opened(Sort::Field, name);
        self.fields.insert(name, Rc::new(all));
    }
    pub fn add_module(&mut self, name: Symbol, module: Module) {
        self.hide_opened(Sort::Module, name);
        self.modules.insert(name, module);
    }
    pub fn add_module_type(&mut self, name: Symbol, def: ModuleTypeDef) {
        self.hide_opened(Sort::ModuleType, name);
        self.module_types.insert(name, def);
    }
    pub fn value(&self, name: Symbol) -> Option<&Value> {
        self.values.get(&name)
    }
    pub fn ty(&self, name: Symbol) -> Option<TyConId> {
        self.types.get(&name).copied()
    }
    pub fn ctor(&self, name: Symbol) -> Option<Ctor> {
        self.ctors.get(&name).copied()
    }
    /// Records that have the field, the latest declaration last.
    pub fn field(&self, name: Symbol) -> &[TyConId] {
        self.fields.get(&name).map_or(&[], |it| it.as_slice())
    }
    pub fn module(&self, name: Symbol) -> Option<&Module> {
        self.modules.get(&name)
    }
    pub fn module_type(&self, name: Symbol) -> Option<&ModuleTypeDef> {
        self.module_types.get(&name)
    }
    pub fn values(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.values.iter().map(|it| (*it.0, it.1))
    }
    pub fn ctors(&self) -> impl Iterator<Item = (Symbol, Ctor)> {
        self.ctors.iter().map(|it| (*it.0, *it.1))
    }
    pub fn value_names(&self) -> impl Iterator<Item = Symbol> {
        self.values.keys().copied()
    }
    pub fn ctor_names(&self) -> impl Iterator<Item = Symbol> {
        self.ctors.keys().copied()
    }
    pub fn type_names(&self) -> impl Iterator<Item = Symbol> {
        self.types.keys().copied()
    }
    pub fn module_names(&self) -> impl Iterator<Item = Symbol> {
        self.modules.keys().copied()
    }
    pub fn field_names(&self) -> impl Iterator<Item = Symbol> {
        self.fields.keys().copied()
    }

    /// As Clef adds a module: what one of that name had before and this one has not is still there.
    pub fn layer_module(&mut self, name: Symbol, module: Module) {
        let layered = layered(self.modules.get(&name), module);
        self.modules.insert(name, layered);
    }

    /// Makes everything of a structure visible.
    pub fn open(&mut self, module: &Module) {
        self.open_with(module, Self::add_module);
    }

    /// As Clef opens a module: those in it are layers over those of their names.
    pub fn open_layered(&mut self, module: &Module) {
        self.open_with(module, Self::layer_module);
    }

    fn open_with(&mut self, module: &Module, add_module: fn(&mut Self, Symbol, Module)) {
        let Module::Structure(structure) = module else { return };
        for (&name, value) in &structure.values {
            self.add_value(name, value.clone());
        }
        for (&name, &tycon) in &structure.types {
            self.add_type(name, tycon);
        }
        for (&name, &ctor) in &structure.ctors {
            self.add_ctor(name, ctor);
        }
        for (&name, records) in &structure.fields {
            for &record in records {
                self.add_field(name, record);
            }
        }
        for (&name, module) in &structure.modules {
            add_module(self, name, module.clone());
        }
        for (&name, def) in &structure.module_types {
            self.add_module_type(name, def.clone());
        }
    }
}

/// A module over one of the same name.
fn layered(before: Option<&Module>, module: Module) -> Module {
    match (before, &module) {
        (Some(Module::Structure(before)), Module::Structure(added))
            if !Rc::ptr_eq(before, added) =>
        {
            let mut structure = before.as_ref().clone();
            structure.layer(added);
            Module::Structure(Rc::new(structure))
        }
        _ => module,
    }
}

impl Structure {
    pub fn add_field(&mut self, name: Symbol, record: TyConId) {
        let all = self.fields.entry(name).or_default();
        all.retain(|&it| it != record);
        all.push(record);
    }

    /// Adds what another structure defines; its names hide those that are here already.
    pub fn layer(&mut self, added: &Structure) {
        for (&name, value) in &added.values {
            self.ctors.shift_remove(&name);
            self.private.shift_remove(&name);
            self.values.insert(name, value.clone());
        }
        for (&name, &span) in &added.private {
            self.private.insert(name, span);
        }
        for (&name, &ctor) in &added.ctors {
            self.values.shift_remove(&name);
            self.ctors.insert(name, ctor);
        }
        self.types.extend(added.types.iter().map(|(&name, &it)| (name, it)));
        for (&name, records) in &added.fields {
            for &record in records {
                self.add_field(name, record);
            }
        }
        for (&name, module) in &added.modules {
            let module = layered(self.modules.get(&name), module.clone());
            self.modules.insert(name, module);
        }
        self.module_types.extend(added.module_types.iter().map(|(&name, it)| (name, it.clone())));
    }

    /// Adds the constructors or fields that come with a type.
    pub fn add_type_members(&mut self, types: &Types, tycon: TyConId) {
        match &types.tycons[tycon].kind {
            crate::types::TyConKind::Variant(ctors) => {
                for (index, ctor) in ctors.iter().enumerate() {
                    self.ctors.insert(ctor.name, Ctor::Variant(tycon, index as u32));
                }
            }
            crate::types::TyConKind::Record(fields) => {
                // Only the constructors of a class make objects by the names of its fields.
                for field in fields.iter().filter(|it| it.role != FieldRole::Declared) {
                    self.add_field(field.name, tycon);
                }
            }
            _ => (),
        }
    }
}

impl Module {
    pub fn find_var(&self, name: Symbol) -> Option<VarId> {
        let Module::Structure(structure) = self else { return None };
        match structure.values.get(&name)?.kind {
            ValueKind::Var(var) => Some(var),
            ValueKind::Builtin(_)
            | ValueKind::Overload(_)
            | ValueKind::Inline(_)
            | ValueKind::Packed(..)
            | ValueKind::Instance { .. }
            | ValueKind::Super { .. }
            | ValueKind::Alias(_)
            | ValueKind::Declared => None,
        }
    }
    pub fn find_exn(&self, name: Symbol) -> Option<ExnId> {
        let Module::Structure(structure) = self else { return None };
        match structure.ctors.get(&name)? {
            Ctor::Exn(exn) => Some(*exn),
            Ctor::Variant(..) => None,
        }
    }
}
