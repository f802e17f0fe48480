//! What values of a type have inside of them, and how they are compared.

use oxbow_base::IdSet;
use oxbow_psg::{Compared, Ctor, DataId, DataKind, NodeId, OwnFunctions, Ty, TyId};

use super::Context;
use super::order::Need;

impl Context<'_> {
    /// Is there a value that is equal to itself alone among what is compared of a value of this type?
    pub(super) fn holds_references(&mut self, ty: TyId, need: Need) -> bool {
        if self.references.is_none() {
            let datas = self.out.types.datas.iter();
            let found = datas.filter(|it| it.1.compared == Compared::Reference).map(|it| it.0);
            self.references = Some(found.collect());
        }
        let references = self.references.take().unwrap_or_default();
        let test = |it: Option<&Ty>| match it {
            Some(Ty::Data(data, _)) if references.contains(data) => Some(()),
            _ => None,
        };
        let enters = |this: &mut Self, it| {
            let own = this.own(it);
            let said = match need {
                Need::Order => own.compare.is_some(),
                Need::Hash | Need::Equality => own.equal.or(own.hash).is_some(),
            };
            !said && this.identity_type(it).is_none() && !this.is_objects(it)
        };
        let found = !references.is_empty() && self.find(ty, test, enters).is_some();
        self.references = Some(references);
        found
    }

    /// A type among those of the compared parts of a value whose declaration says that there is no such operation.
    pub(super) fn forbidden(&mut self, ty: TyId, need: Need) -> Option<DataId> {
        let datas = self.out.types.datas.iter();
        let says = |own: OwnFunctions| own.no_equality || need == Need::Order && own.no_order;
        let saying: Vec<_> = datas.filter(|it| says(it.1.own)).map(|it| it.0).collect();
        if saying.is_empty() {
            return None;
        }
        self.find_compared(ty, |it| match it {
            Some(Ty::Data(data, _)) if saying.contains(data) => Some(*data),
            _ => None,
        })
    }

    /// Is there a function among what is compared of a value of this type?
    pub(super) fn holds_functions(&mut self, ty: TyId) -> bool {
        if let Some(&known) = self.has_function.get(ty) {
            return known;
        }
        let found =
            self.find_compared(ty, |it| matches!(it, Some(Ty::Fn(..))).then_some(())).is_some();
        self.has_function.insert(ty, found);
        found
    }

    /// The constructors of a variant type.
    pub(super) fn ctors(&self, ty: TyId) -> Option<(DataId, Vec<Ctor>)> {
        match *self.out.types.get(ty) {
            Ty::Data(data, _) => match &self.out.types.datas[data].kind {
                DataKind::Variant(ctors) => Some((data, ctors.clone())),
                DataKind::Record(_) => None,
            },
            _ => None,
        }
    }

    /// The type of the number that values are compared by, alone.
    pub(super) fn identity_type(&mut self, ty: TyId) -> Option<TyId> {
        (self.compared(ty) == Compared::Identity).then(|| self.field_types(ty, 0)[0])
    }

    pub(super) fn compared(&self, ty: TyId) -> Compared {
        match *self.out.types.get(ty) {
            Ty::Data(data, _) => self.out.types.datas[data].compared,
            _ => Compared::Parts,
        }
    }

    /// Are the elements of an array values with an identity, or with parts of their own for the library alone?
    pub(super) fn is_itself(&self, array: NodeId) -> bool {
        match *self.out.types.get(self.out.ty(array)) {
            Ty::Array(item) => matches!(
                self.compared(item),
                Compared::Identity | Compared::Reference | Compared::Numbers | Compared::Integers
            ),
            _ => false,
        }
    }

    /// The place of each constructor in the order of values.
    pub(super) fn ranks(&self, ty: TyId, ctors: &[Ctor]) -> Vec<usize> {
        let constants = ctors.iter().filter(|it| it.fields.is_empty()).count();
        match self.compared(ty) {
            Compared::Declared => (0..ctors.len()).collect(),
            Compared::Tags => super::tags::ranks(ctors),
            _ => {
                let (mut constant, mut block) = (0, constants);
                let rank = |ctor: &Ctor| {
                    let next = if ctor.fields.is_empty() { &mut constant } else { &mut block };
                    *next += 1;
                    *next - 1
                };
                ctors.iter().map(rank).collect()
            }
        }
    }

    /// The order primitives work on the type as it stands.
    pub(super) fn is_primitive(&self, ty: TyId) -> bool {
        match self.out.types.get(ty) {
            Ty::Unit
            | Ty::Bool
            | Ty::Char
            | Ty::Int(_)
            | Ty::Float
            | Ty::Float32
            | Ty::String
            | Ty::Bytes
            | Ty::Uniform => true,
            Ty::Tuple(_) | Ty::Fn(..) | Ty::Array(_) | Ty::Data(..) | Ty::Exn | Ty::Var(_) => false,
        }
    }

    /// The types of the fields of constructor `ctor`, of a record (0) or tuple.
    pub(super) fn field_types(&mut self, ty: TyId, ctor: usize) -> Vec<TyId> {
        match self.out.types.get(ty).clone() {
            Ty::Tuple(items) => items,
            Ty::Data(data, args) => {
                let fields: Vec<TyId> = match &self.out.types.datas[data].kind {
                    DataKind::Record(fields) => fields.iter().map(|it| it.ty).collect(),
                    DataKind::Variant(ctors) => ctors[ctor].fields.iter().map(|it| it.ty).collect(),
                };
                // A variable that is no parameter of the type stands for `unit`.
                let unit = self.out.types.unit;
                let params = self.out.types.datas[data].params.clone();
                fields
                    .into_iter()
                    .map(|field| {
                        self.out.types.substitute(field, &|var| {
                            let at = params.iter().position(|&it| it == var);
                            Some(at.and_then(|it| args.get(it).copied()).unwrap_or(unit))
                        })
                    })
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Looks at a type and all types that its values have parts of, until the test gives something. A type of
    /// unbounded shape (`'a t` of `('a * 'a) t`) ends with a test of nothing.
    pub(super) fn find_inside<T>(
        &mut self,
        ty: TyId,
        test: impl FnMut(Option<&Ty>) -> Option<T>,
    ) -> Option<T> {
        self.find(ty, test, |_, _| true)
    }

    /// The same without the parts of values that are compared by their identity, with a number or without, or by
    /// functions of their own.
    pub(super) fn find_compared<T>(
        &mut self,
        ty: TyId,
        test: impl FnMut(Option<&Ty>) -> Option<T>,
    ) -> Option<T> {
        self.find(ty, test, |this, it| {
            !matches!(
                this.compared(it),
                Compared::Identity | Compared::Reference | Compared::Objects
            ) && this.own(it).equal.is_none()
        })
    }

    pub(super) fn find<T>(
        &mut self,
        ty: TyId,
        mut test: impl FnMut(Option<&Ty>) -> Option<T>,
        enters: impl Fn(&mut Self, TyId) -> bool,
    ) -> Option<T> {
        let (mut seen, mut work) = (IdSet::new(), vec![ty]);
        while let Some(at) = work.pop() {
            if !seen.insert(at) || !enters(self, at) {
                continue;
            }
            if seen.iter().nth(2000).is_some() {
                return test(None);
            }
            let found = test(Some(self.out.types.get(at)));
            if found.is_some() {
                return found;
            }
            match self.out.types.get(at).clone() {
                Ty::Tuple(items) => work.extend(items),
                Ty::Array(item) => work.push(item),
                Ty::Data(data, _) => {
                    let count = match &self.out.types.datas[data].kind {
                        DataKind::Record(_) => 1,
                        DataKind::Variant(ctors) => ctors.len(),
                    };
                    for ctor in 0..count {
                        work.extend(self.field_types(at, ctor));
                    }
                }
                Ty::Unit
                | Ty::Bool
                | Ty::Char
                | Ty::Int(_)
                | Ty::Float
                | Ty::Float32
                | Ty::String
                | Ty::Bytes
                | Ty::Exn
                | Ty::Uniform
                | Ty::Fn(..)
                | Ty::Var(_) => (),
            }
        }
        None
    }

    /// A `nan` or a function may be met while values of the type are compared: `compare` finds them equal to
    /// themselves, the others do not.
    pub(super) fn is_partial(&mut self, ty: TyId) -> bool {
        if let Some(&known) = self.has_float.get(ty) {
            return known;
        }
        // Other tags, and other uniform values, may turn up, and hold anything.
        let uniform = self.uniform.as_ref().map(|it| it.data);
        let tags = self.tags.data;
        let datas = self.out.types.datas.iter();
        let numbers: IdSet<DataId> =
            datas.filter(|it| it.1.compared == Compared::Numbers).map(|it| it.0).collect();
        let differs = |ty: &Ty| {
            let differs = match ty {
                Ty::Float | Ty::Float32 | Ty::Exn | Ty::Uniform | Ty::Fn(..) => true,
                Ty::Data(data, _) => {
                    [uniform, tags].contains(&Some(*data)) || numbers.contains(*data)
                }
                _ => false,
            };
            differs.then_some(())
        };
        let enters = |this: &mut Self, it| this.own(it).compare.is_none();
        let found = self.find(ty, |it| it.map_or(Some(()), differs), enters).is_some();
        self.has_float.insert(ty, found);
        found
    }
}
