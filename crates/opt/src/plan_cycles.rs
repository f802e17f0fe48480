//! Decides which stores can close a cycle of references.
//!
//! ```text
//! block.store %x to %node[0, 1]      {suspect} if `%x` can hold, at any depth, the constructor that `%node` is;
//!                                    then also: objects !ocaml.data<"node"> framed [] noted [0]
//! ```
//!
//! An object is made after everything it holds, so only a store can close a cycle, and then its value leads back to
//! the object. The question is asked of types: what a constructor holds, what functions of a closure type capture.
//! Programs whose types have no way back get no code for it at all. A store that is `acyclic` is never one.
//!
//! Needs: closures are represented.

use oxbow_dialect::inspect::{body_ops, ops_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::{Module, Type, ValueLike};
use oxbow_dialect::op::{Data, DialectOp, Exception, View, view};
use oxbow_dialect::{Kind, OcamlType, Op, Val, result_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::Declarations;
use crate::objects::{self, Ctors, Fact, type_key};

pub fn run<'c>(module: &Module<'c>, context: &'c Context) {
    let mut declarations = Declarations::new(module, context);
    let ops: Vec<Op<'c>> = declarations.funcs.iter().flat_map(|it| body_ops(it.op())).collect();
    let mut holders = Holders::new(&declarations, &ops);
    let mut noted = Ctors::default();
    for &op in &ops {
        match view(op) {
            View::BlockStore(it) => {
                let (object, ctor) = (it.block().r#type(), it.ctor());
                let suspect =
                    !it.acyclic() && holders.lead_to(it.value().r#type(), object, Some(ctor));
                it.set_suspect(suspect);
                if suspect {
                    noted.add(object, ctor);
                }
            }
            View::ArraySet(it) => {
                it.set_suspect(holders.lead_to(it.value().r#type(), it.array().r#type(), None));
            }
            View::ArrayBlit(it) => {
                let ty = it.target().r#type();
                it.set_suspect(holders.lead_to(ty.element(), ty, None));
            }
            View::ClosureFill(it) => {
                it.set_suspect(holders.any_leads_to(&it.captures(), it.closure().r#type()));
                noted.add(declarations.build.types.env, 0);
            }
            View::EnvFill(it) => {
                it.set_suspect(holders.any_leads_to(&it.captures(), it.env().r#type()));
                noted.add(declarations.build.types.env, 0);
            }
            _ => (),
        }
    }
    objects::write(&mut declarations, Fact::Noted, &noted);
}

/// An object that is stored to: a type, and the number of the constructor.
type Stored = (usize, Option<u32>);

/// What values hold, by their types.
struct Holders<'c> {
    /// Field types of each constructor.
    datas: FxHashMap<&'c str, Vec<Vec<Type<'c>>>>,
    exceptions: Vec<Type<'c>>,
    /// What any function captures.
    captured: Vec<Type<'c>>,
    /// What functions of each closure type capture.
    closures: Vec<(Type<'c>, Vec<Type<'c>>)>,
    /// Answers: from a type to an object.
    known: FxHashMap<(usize, Stored), bool>,
}

impl<'c> Holders<'c> {
    fn new(declarations: &Declarations<'c>, ops: &[Op<'c>]) -> Self {
        let all = || ops_of(declarations.body);
        let funcs = declarations.by_name();
        let mut closures: Vec<(Type<'c>, Vec<Type<'c>>)> = Vec::new();
        for &op in ops {
            let Some(code) = view(op).new_closure_code() else { continue };
            let ty = result_of(op, 0).r#type();
            let at = closures.iter().position(|it| it.0 == ty).unwrap_or_else(|| {
                closures.push((ty, Vec::new()));
                closures.len() - 1
            });
            for held in funcs[code].captures().unwrap_or_default() {
                if !closures[at].1.contains(&held) {
                    closures[at].1.push(held);
                }
            }
        }
        let captures = declarations.funcs.iter().filter_map(|it| it.captures());
        Self {
            datas: all().filter_map(Data::cast).map(|it| (it.sym_name(), it.ctors())).collect(),
            exceptions: all().filter_map(Exception::cast).flat_map(Exception::fields).collect(),
            captured: captures.flatten().collect(),
            closures,
            known: FxHashMap::default(),
        }
    }

    fn any_leads_to(&mut self, values: &[Val<'c>], object: Type<'c>) -> bool {
        values.iter().any(|it| self.lead_to(it.r#type(), object, None))
    }

    /// Can a value of this type hold, at any depth, the object that is stored to?
    fn lead_to(&mut self, value: Type<'c>, object: Type<'c>, ctor: Option<u32>) -> bool {
        let question = (type_key(value), (type_key(object), ctor));
        if let Some(&answer) = self.known.get(&question) {
            return answer;
        }
        let mut seen = FxHashSet::default();
        let mut work = vec![value];
        let mut found = false;
        while let Some(ty) = work.pop() {
            if found || !seen.insert(type_key(ty)) {
                continue;
            }
            match ty.kind() {
                Kind::Foreign => work.extend(ty.pair_parts().into_iter().flatten()),
                Kind::Tuple => work.extend(ty.elements()),
                Kind::Array => work.push(ty.element()),
                Kind::Exn => work.extend(&self.exceptions),
                Kind::Env => work.extend(&self.captured),
                Kind::Closure => {
                    self.captures_of_type(ty, &mut work);
                    // An environment is an object of its own.
                    found |= object.kind() == Kind::Env;
                }
                Kind::Data => {
                    let ctors = self.datas.get(ty.data_name());
                    let held =
                        ctors.into_iter().flatten().enumerate().filter(|it| !it.1.is_empty());
                    for (at, fields) in held {
                        found |= ty == object && Some(at as u32) == ctor;
                        work.extend(fields);
                    }
                }
                Kind::Box | Kind::String | Kind::Region => (),
            }
            found |= ty == object && ty.kind() != Kind::Data;
        }
        self.known.insert(question, found);
        found
    }

    /// Adds what closures of this type hold: their captures, and arguments if they are applications to too few.
    fn captures_of_type(&self, ty: Type<'c>, work: &mut Vec<Type<'c>>) {
        let (inputs, result) = ty.signature();
        for (other, captures) in &self.closures {
            if *other == ty {
                work.extend(captures);
            }
            let (given, value) = other.signature();
            let fewer = given.len() > inputs.len() && given.ends_with(&inputs);
            if fewer && value == result {
                work.extend(&given[..given.len() - inputs.len()]);
                work.push(*other);
            }
        }
    }
}
