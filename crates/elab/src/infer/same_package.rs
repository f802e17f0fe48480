//! Which types of packed modules are one.
//!
//! ```text
//! module type S = sig val x : int end        module type T = sig val x : int end
//! (module S) = (module T)                    both are records of one field `x : int`
//! ```
//!
//! Module types that describe the same values in the same places are compared when a package is first mentioned; then
//! equality of packages is equality of type constructors.

use std::rc::Rc;

use oxbow_base::{FxHashSet, SparseMap, Symbol};

use crate::ast;
use crate::types::{Row, Tag, TyConId, Type, TypeId, Unknown};

use super::Infer;
use super::env::Env;
use super::package::Package;

impl Infer<'_> {
    /// Module types that say the same are one: then the type is the one that was made before.
    pub(super) fn same_package(&mut self, package: Package) -> Package {
        let candidates: Vec<Package> = self
            .signatures
            .packages
            .iter()
            .filter(|it| {
                let plain = it.datas.is_empty() && package.datas.is_empty();
                let alike = it.values == package.values
                    && it.exns == package.exns
                    && functor_paths(it).eq(functor_paths(&package));
                plain && it.types == package.types && alike
            })
            .cloned()
            .collect();
        for other in candidates {
            if self.same_fields(package.tycon, other.tycon) {
                return Package { tycon: other.tycon, ..package };
            }
        }
        package
    }

    /// Do the records of two packages hold the same?
    fn same_fields(&mut self, a: TyConId, b: TyConId) -> bool {
        self.same_records(a, b, &mut Same::default())
    }

    fn same_records(&mut self, a: TyConId, b: TyConId, same: &mut Same) -> bool {
        let (fields, others) = (self.fields_of(a), self.fields_of(b));
        let pairs: Vec<_> = fields.iter().cloned().zip(others.iter().cloned()).collect();
        let params = |it: TyConId| self.types.tycons[it].params.clone();
        for (a, b) in params(a).into_iter().zip(params(b)) {
            same.vars.insert(self.types.repr(a), self.types.repr(b));
        }
        pairs.iter().all(|(a, b)| {
            a.vars.len() == b.vars.len() && {
                for (&a, &b) in a.vars.iter().zip(&b.vars) {
                    same.vars.insert(self.types.repr(a), self.types.repr(b));
                }
                self.same_type(a.ty, b.ty, same)
            }
        })
    }

    /// The types of modules packed with a module type of a signature, each with that of the structure's own one, where
    /// both say the same.
    pub(super) fn repeated_packages(
        &mut self,
        declared: &Rc<(ast::ModuleType, Env)>,
        actual: &Rc<(ast::ModuleType, Env)>,
    ) -> Vec<(TyConId, TypeId)> {
        let of = |def: &Rc<(ast::ModuleType, Env)>| -> Vec<Package> {
            self.signatures.packages.iter().filter(|it| Rc::ptr_eq(&it.def, def)).cloned().collect()
        };
        let mut found = Vec::new();
        for (package, other) in pairs_of(&of(declared), &of(actual)) {
            let alike = package.types == other.types
                && package.values == other.values
                && package.exns == other.exns
                && functor_paths(&package).eq(functor_paths(&other));
            let plain = package.datas.is_empty() && other.datas.is_empty();
            if package.tycon == other.tycon || !alike || !plain {
                continue;
            }
            if self.same_fields(package.tycon, other.tycon) {
                let params = self.types.tycons[package.tycon].params.clone();
                found.push((package.tycon, self.types.add(Type::Con(other.tycon, params))));
            }
        }
        found
    }

    fn same_type(&mut self, a: TypeId, b: TypeId, same: &mut Same) -> bool {
        let (a, b) = (self.types.expand(a), self.types.expand(b));
        if a == b {
            return true;
        }
        match (self.types.nodes[a].clone(), self.types.nodes[b].clone()) {
            (Type::Var { .. }, Type::Var { .. }) => same.vars.get(a) == Some(&b),
            (Type::Arrow(x, a, c), Type::Arrow(y, b, d)) => {
                x == y && self.same_type(a, b, same) && self.same_type(c, d, same)
            }
            (Type::Tuple(a), Type::Tuple(b)) => self.same_types(&a, &b, same),
            (Type::Con(x, a), Type::Con(y, b)) => {
                let hidden = |it: TyConId| self.types.tycons[it].unknown == Unknown::Packed;
                let cons = x == y
                    || hidden(x)
                        && hidden(y)
                        && self.types.tycons[x].name == self.types.tycons[y].name
                        && *same.cons.entry_or_insert_with(x, || y) == y
                    || self.same_nested(x, y, same);
                cons && self.same_types(&a, &b, same)
            }
            (Type::Row(x), Type::Row(y)) => {
                // Rows may contain themselves.
                !same.rows.insert((a, b)) || self.same_rows(&x, &y, same)
            }
            _ => false,
        }
    }

    /// Are both types of packed modules, of parameters and results of functors in the two?
    fn same_nested(&mut self, a: TyConId, b: TyConId, same: &mut Same) -> bool {
        let package = |it: TyConId| self.signatures.packages.iter().find(|of| of.tycon == it);
        let (Some(a), Some(b)) = (package(a), package(b)) else { return false };
        let plain = a.types.is_empty() && b.types.is_empty();
        let plain = plain && a.datas.is_empty() && b.datas.is_empty();
        let alike = a.values == b.values && a.exns == b.exns;
        let (a, b, alike) =
            (a.tycon, b.tycon, plain && alike && functor_paths(a).eq(functor_paths(b)));
        alike && self.same_records(a, b, same)
    }

    fn same_rows(&mut self, a: &Row, b: &Row, same: &mut Same) -> bool {
        let alike = |a: &(Symbol, Tag), b: &(Symbol, Tag)| {
            a.0 == b.0
                && match (&a.1, &b.1) {
                    (Tag::Present(a), Tag::Present(b)) => a.is_some() == b.is_some(),
                    (Tag::Poly { vars, .. }, Tag::Poly { vars: others, .. }) => {
                        vars.len() == others.len()
                    }
                    (
                        Tag::Maybe { constant, types, .. },
                        Tag::Maybe { constant: other, types: others, .. },
                    ) => constant == other && types.len() == others.len(),
                    _ => false,
                }
        };
        if a.object != b.object || a.closed != b.closed || a.tags.len() != b.tags.len() {
            return false;
        }
        for ((_, tag), (_, other)) in a.tags.iter().zip(&b.tags) {
            if let (Tag::Poly { vars, .. }, Tag::Poly { vars: others, .. }) = (tag, other) {
                same.vars.extend(vars.iter().copied().zip(others.iter().copied()));
            }
        }
        a.tags.iter().zip(&b.tags).all(|(a, b)| alike(a, b))
            && self.same_types(&a.types(), &b.types(), same)
    }

    fn same_types(&mut self, a: &[TypeId], b: &[TypeId], same: &mut Same) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.same_type(a, b, same))
    }
}

fn pairs_of(declared: &[Package], actual: &[Package]) -> Vec<(Package, Package)> {
    let with = |a: &Package| actual.iter().map(|b| (a.clone(), b.clone())).collect::<Vec<_>>();
    declared.iter().flat_map(with).collect()
}

/// What is the same in two module types.
#[derive(Default)]
struct Same {
    vars: SparseMap<TypeId, TypeId>,
    cons: SparseMap<TyConId, TyConId>,
    rows: FxHashSet<(TypeId, TypeId)>,
}

fn functor_paths(package: &Package) -> impl Iterator<Item = &Vec<Symbol>> {
    package.functors.iter().map(|it| &it.0)
}
