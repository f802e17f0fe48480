//! The state of inference that belongs to one subject each.

use std::collections::VecDeque;
use std::rc::Rc;

use oxbow_base::{FileId, FxHashMap, FxHashSet, IdMap, IdSet, Span, SparseMap, SparseSet, Symbol};
use oxbow_diag::limits::Budget;
use oxbow_psg::VarId;

use crate::ast;
use crate::types::{TyConId, TyConKind, TypeId};

use super::env::{self, Env, Module, ModuleTypeDef, Table};
use super::unused::Unused;
use super::unused_types::Hidden;
use super::{class, class_body, clef, package};

/// What only Clef has.
#[derive(Default)]
pub(super) struct Clef {
    /// Built-in types and the modules of Clef files, by Clef's names.
    pub(super) root: Env,
    /// Clef's own standard module.
    pub(super) prelude: Option<Module>,
    /// The prelude's `obj`.
    pub(super) object: Option<TyConId>,
    pub(super) units: FxHashMap<Symbol, Module>,
    /// Members of types, by type and name.
    pub(super) members: FxHashMap<(TyConId, Symbol), Vec<clef::MemberInfo>>,
    /// The functions behind members.
    pub(super) hidden: FxHashMap<Symbol, (TyConId, Symbol)>,
    /// What else the values of a type can be seen as.
    pub(super) views: SparseMap<TyConId, Vec<clef::ViewInfo>>,
    /// The methods of classes that heirs may define, and those that they have to.
    pub(super) slots: SparseMap<TyConId, clef::Slots>,
    pub(super) view_targets: IdSet<TyConId>,
    /// Types that say themselves what `compare` means, and the interfaces that types implement.
    pub(super) ordered: IdSet<TyConId>,
    /// Classes whose base or interfaces were refused.
    pub(super) given_up: IdSet<TyConId>,
    /// Types with a constructor: no interfaces.
    pub(super) made: IdSet<TyConId>,
    pub(super) implemented: SparseMap<TyConId, Vec<TyConId>>,
    /// Delegates: functions are converted to them.
    pub(super) delegates: IdSet<TyConId>,
    /// The types whose members are being inferred.
    pub(super) inside: Vec<TyConId>,
    /// A member was wanted that has not been inferred, since nothing before it seemed to mention it.
    pub(super) too_early: bool,
    /// What names that stand for expressions mean.
    pub(super) aliases: Vec<ast::Expr>,
    /// The method that the call being inferred was found to mean.
    pub(super) chosen: Option<clef::Chosen>,
    /// The parameters of the classes whose members are being inferred.
    pub(super) class_tyvars: FxHashMap<Symbol, TypeId>,
    /// Mentions that a type decides; those before `settled` have a meaning.
    pub(super) overloads: Vec<clef::Overload>,
    pub(super) settled: usize,
    /// Those whose operands may have units of measure that are not known yet.
    pub(super) unit_rules: Vec<clef::UnitRule>,
    pub(super) inlines: Vec<Rc<clef::InlineFunction>>,
    /// Functions that are active patterns.
    pub(super) active: SparseMap<VarId, clef::ActivePattern>,
    pub(super) active_ctors: FxHashSet<(TyConId, u32)>,
    /// Constants that patterns may name (`[<Literal>]`).
    pub(super) literals: SparseMap<VarId, ast::Constant>,
    /// Names of the fields of union cases.
    pub(super) case_fields: FxHashMap<(TyConId, u32), Vec<Option<Symbol>>>,
    /// How many names have been made for typed expressions.
    pub(super) typed_names: u32,
    /// What the call being inferred gives to its member.
    /// The types of anonymous records, by their fields.
    pub(super) anonymous: Vec<(Symbol, TyConId)>,
    pub(super) call_shapes: Vec<clef::CallShape>,
    /// Types that later ones of their names hide, by their numbers of parameters.
    pub(super) hidden_types: FxHashMap<(Symbol, usize), TyConId>,
    /// The fields of structs that can be assigned, where a place holds one.
    pub(super) structs: SparseMap<TyConId, Vec<Symbol>>,
    /// The files of Clef's library.
    pub(super) library_files: IdSet<FileId>,
    /// Parts of the library whose names are in scope everywhere, besides the prelude.
    pub(super) opened: Vec<Module>,
    /// Where the program uses the inline function of the library that is being elaborated.
    pub(super) inline_place: Option<Span>,
    /// How many recursive groups around are inferred with their annotations as schemes.
    pub(super) schemes_tried: u32,
    /// Types that an operator was wanted for and not found.
    pub(super) refused: SparseSet<TypeId>,
}

/// Classes and the objects that are being inferred.
#[derive(Default)]
pub(super) struct Classes {
    /// Classes, by the variables of the functions that make their objects.
    pub(super) known: SparseMap<VarId, Rc<class::ClassInfo>>,
    /// The objects whose methods are being inferred, the innermost last.
    pub(super) open_objects: Vec<class_body::OpenObject>,
    /// What `inherit … as x` names: the methods by then.
    pub(super) supers: Vec<class_body::Methods>,
    /// The class whose body comes next.
    pub(super) head: Option<class::ClassHead>,
    /// The first variable of the classes that are being inferred together.
    pub(super) group_start: Option<usize>,
    /// The classes whose bodies are being elaborated, the innermost last.
    pub(super) inheriting: Vec<VarId>,
    /// The types of classes and class types, with the instance variables and private methods that they tell of.
    pub(super) tycons: SparseMap<TyConId, Rc<[Symbol]>>,
    /// The inheritances around that go through a signature: a number, and what is visible of the class there.
    pub(super) seals: Vec<(u32, Rc<[Symbol]>)>,
    pub(super) last_seal: u32,
    /// The variables of the numbers of objects that are values.
    pub(super) numbers: SparseSet<VarId>,
    /// Classes whose types are known.
    pub(super) complete: SparseSet<VarId>,
    /// The types of the parameters of the class that is being inherited, as far as they are known.
    pub(super) known_params: VecDeque<TypeId>,
    /// The outermost `inherit` around.
    pub(super) inherit_place: Option<Span>,
    /// The types of the classes and class types of the groups around that have not been inferred yet: nothing inherits
    /// from them.
    pub(super) pending: Vec<TyConId>,
    /// The types of the groups of classes and class types around, with one type for each parameter.
    pub(super) group: Vec<TyConId>,
    /// The patterns of parameters and bindings around the bodies that are being inferred: they must hide no types.
    pub(super) plain_patterns: Vec<Span>,
}

/// Functors, and what has been made of them.
#[derive(Default)]
pub(super) struct Functors {
    /// Types made by a functor application, by the application's key and their number in it:
    /// applying a functor twice to the same module gives the same types.
    pub(super) types: FxHashMap<(String, u32), TyConId>,
    pub(super) key: Option<String>,
    pub(super) decls: u32,
    /// Functors and arguments applied so far: their addresses are keys of `types`.
    pub(super) kept_modules: Vec<(Rc<env::Functor>, Module)>,
    /// A functor's parameter is the module that it was bound to, by addresses.
    pub(super) same_module: FxHashMap<usize, usize>,
    /// The key of the application that was made last, if it has one.
    pub(super) applied: Option<String>,
    /// The first structure of each key.
    pub(super) identified: FxHashMap<String, Rc<env::Structure>>,
    /// The first functor of each key, by address, and which other functors are that one.
    pub(super) identified_functors: FxHashMap<String, usize>,
    pub(super) same_functor: FxHashMap<usize, usize>,
    pub(super) kept_functors: Vec<Rc<env::Functor>>,
    /// Applications in paths of types, by key.
    pub(super) in_paths: FxHashMap<String, Module>,
    /// Structures whose addresses are in `same_module`.
    pub(super) kept_structures: Vec<Rc<env::Structure>>,
    /// Is this the body of a functor that makes the same types for the same argument?
    pub(super) is_applicative: bool,
    /// Is what the functor at hand makes matched with a signature? That decides what the body leaves open, for each
    /// application on its own: it may mention the parameter.
    pub(super) sealed_result: bool,
    /// How many elaborations around are for types and errors alone.
    pub(super) discarding: u32,
    /// What the outermost use of a functor or an inline function has made so far, if there is one around.
    pub(super) copies: Option<Copies>,
}

/// Signatures, and the modules that are matched with them.
#[derive(Default)]
pub(super) struct Signatures {
    /// Types of signatures that no structure has been matched with yet.
    pub(super) flexible: IdSet<TyConId>,
    /// What the next signature is to take for the module types that it leaves open.
    pub(super) given_module_types: Table<ModuleTypeDef>,
    /// Are the declarations at hand those of a signature?
    pub(super) inside: bool,
    /// Is the signature at hand all there is of its module?
    pub(super) is_interface_only: bool,
    /// Sealed types that are what they stand for, while a functor behind the seal is applied.
    pub(super) sealed_around: Vec<TyConId>,
    /// The module type of the recursive module whose structure comes next.
    pub(super) anchor: Option<Rc<env::Structure>>,
    /// Types of recursive modules that are those of the structure at hand, and what they are otherwise.
    pub(super) anchored: Vec<(TyConId, TyConKind)>,
    /// The types of packed modules.
    pub(super) packages: Vec<package::Package>,
    /// The types of tuples with labels.
    pub(super) labelled: Vec<(Vec<Option<Symbol>>, TyConId)>,
}

/// Which variables are used.
#[derive(Default)]
pub(super) struct Usage {
    /// Variables that something mentions, apart from the definitions of their own group.
    pub(super) used: IdSet<VarId>,
    /// What each definition of a recursive group mentions of the group.
    pub(super) used_inside: IdMap<VarId, Vec<VarId>>,
    /// Does the file at hand want to hear of unused variables?
    pub(super) warns: bool,
    /// What has been found to be unused so far.
    pub(super) found: Vec<(Unused, ast::Name)>,
    /// Values of structures that their signatures do not have.
    pub(super) left_out: Vec<(ast::Name, VarId)>,
    /// The same for types, constructors and exceptions.
    pub(super) hidden: Vec<Hidden>,
    /// Modules that are opened, by place: has a name been found in one?
    pub(super) opens: FxHashMap<Span, bool>,
    /// Types that something mentions, by the places of their declarations.
    pub(super) types: FxHashSet<Span>,
    /// Constructors and exceptions that make values, and those that are mentioned at all.
    pub(super) built: FxHashSet<Span>,
    pub(super) matched: FxHashSet<Span>,
    /// Patterns of tags that the type of what is matched excludes.
    pub(super) absent: FxHashSet<(Span, Symbol)>,
    /// Names of ancestors that a method is called by.
    pub(super) ancestors: FxHashSet<Span>,
}

/// The body of a functor or an inline function is elaborated anew at each use, and so are those that it uses.
pub(super) struct Copies {
    pub(super) budget: Budget,
    /// The outermost use.
    pub(super) place: Span,
    pub(super) reported: bool,
}
