//! Which stores can make a cycle of references, and code that notes the object for the scan.
//!
//! ```text
//! node.next <- x          if `x` can hold, at any depth, the constructor that `node` is
//!     object = node
//!     if x is an object and node is counted and not noted yet: oxbow_suspect(node)
//! ```
//!
//! An object is made after everything it holds, so only a store can close a cycle, and then its value leads back to
//! the object. The question is asked of types: what a constructor holds, what functions of a closure type capture.
//! Programs whose types have no way back get no code at all.

use std::collections::{HashMap, HashSet};

use oxbow_abi::{FRAME_BIT, INFO_OFFSET, STATIC_BIT, SUSPECT_BIT};
use oxbow_dialect::inspect::{body_ops, key};
use oxbow_dialect::melior::ir::{Type, TypeLike, ValueLike};
use oxbow_dialect::op::{View, view};
use oxbow_dialect::{Kind, Likely, OcamlType, Op, Predicate, Val, result_of};

use super::Converter;
use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::statics::Constant;

const SUSPECT: &str = "oxbow.note.suspect";

/// Objects that are noted, lie in a frame, or are always there.
const NOTHING_TO_DO: u64 = (1 << SUSPECT_BIT | 1 << FRAME_BIT | 1 << STATIC_BIT) >> 32;

/// What leads to what, found when it is asked for.
#[derive(Default)]
pub struct Cycles<'c> {
    /// What functions of each closure type capture.
    captures: Vec<(Type<'c>, Vec<Type<'c>>)>,
    /// Answers: from a type to an object.
    known: HashMap<(usize, Stored), bool>,
    /// Constructors that stores note.
    noted: HashSet<Stored>,
    /// Closures or environments are noted when they are filled.
    fills: bool,
}

/// An object that is stored to: a type, and the number of the constructor.
type Stored = (usize, Option<u32>);

impl<'c> Converter<'c> {
    pub fn plan_cycles(&mut self, ops: &[Op<'c>]) {
        let all = || ops.iter().flat_map(|it| body_ops(*it));
        for op in all() {
            let Some(code) = view(op).new_closure_code() else { continue };
            let ty = result_of(op, 0).r#type();
            let held = self.funcs[code].captures.clone().unwrap_or_default();
            let at = match self.cycles.captures.iter().position(|it| it.0 == ty) {
                Some(at) => at,
                None => {
                    self.cycles.captures.push((ty, Vec::new()));
                    self.cycles.captures.len() - 1
                }
            };
            let known = &mut self.cycles.captures[at].1;
            for ty in held {
                if !known.contains(&ty) {
                    known.push(ty);
                }
            }
        }
        for op in all() {
            match view(op) {
                View::BlockStore(it) if !it.acyclic() => {
                    let (value, object) = (it.value().r#type(), it.block().r#type());
                    let ctor = Some(it.ctor());
                    if self.leads_to(value, object, ctor) {
                        self.cycles.noted.insert((id(object), ctor));
                    }
                }
                View::ClosureFill(_) | View::EnvFill(_) => self.cycles.fills = true,
                _ => (),
            }
        }
    }

    /// May an object that is taken apart be noted?
    pub fn is_noted(&self, ty: Type<'c>, ctor: u32) -> bool {
        match ty.kind() {
            Kind::Env => self.cycles.fills,
            _ => self.cycles.noted.contains(&(id(ty), Some(ctor))),
        }
    }

    /// Can a value of this type hold, at any depth, the object that is stored to?
    fn leads_to(&mut self, value: Type<'c>, object: Type<'c>, ctor: Option<u32>) -> bool {
        let question = (id(value), (id(object), ctor));
        if let Some(&answer) = self.cycles.known.get(&question) {
            return answer;
        }
        let mut seen = HashSet::new();
        let mut work = vec![value];
        let mut found = false;
        while let Some(ty) = work.pop() {
            if found || !seen.insert(id(ty)) {
                continue;
            }
            match ty.kind() {
                Kind::Foreign => work.extend(ty.pair_parts().into_iter().flatten()),
                Kind::Tuple => work.extend(ty.elements()),
                Kind::Array => work.push(ty.element()),
                Kind::Exn => work.extend(self.exceptions.values().flatten()),
                Kind::Env => {
                    work.extend(self.funcs.values().flat_map(|it| it.captures.iter()).flatten())
                }
                Kind::Closure => {
                    found |= self.captures_of_type(ty, &mut work, object);
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
        self.cycles.known.insert(question, found);
        found
    }

    /// Adds what closures of this type hold: their captures, and arguments if they are applications to too few.
    fn captures_of_type(&self, ty: Type<'c>, work: &mut Vec<Type<'c>>, object: Type<'c>) -> bool {
        let (inputs, result) = ty.signature();
        for (other, captures) in &self.cycles.captures {
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
        // An environment is an object of its own.
        object.kind() == Kind::Env
    }

    /// Behind a store of a value (of the old module) to an object: is the object to be noted?
    pub fn note_store(
        &mut self,
        body: &Body<'c>,
        value: Val<'c>,
        object: Val<'c>,
        ctor: Option<u32>,
    ) {
        if matches!(
            body.constants.get(&key(value)),
            Some(Constant::Immediate(_) | Constant::Word(_) | Constant::Object(_))
        ) {
            return;
        }
        let ty = value.r#type();
        if !self.leads_to(ty, object.r#type(), ctor) {
            return;
        }
        let done = match ty.pair_parts() {
            Some(_) => None,
            None => self.skip_immediate(body, ty, body.get(value)),
        };
        self.note_object(body, body.get(object));
        if let Some(done) = done {
            self.build.br(done, &[]);
            self.start(body, done);
        }
    }

    /// The same where elements of one array go to another.
    pub fn note_blit(&mut self, body: &Body<'c>, array: Val<'c>) {
        let ty = array.r#type();
        if self.leads_to(ty.element(), ty, None) {
            self.note_object(body, body.get(array));
        }
    }

    /// The same for an object that gets its captures after it exists. Others of its group may have none yet.
    pub fn note_fill(&mut self, values: &[Val<'c>], ty: Type<'c>, object: Val<'c>) {
        if values.iter().any(|it| self.leads_to(it.r#type(), ty, None)) {
            self.runtime_call("oxbow_suspect_later", &[object]);
        }
    }

    fn note_object(&mut self, body: &Body<'c>, object: Val<'c>) {
        if self.made.insert(SUSPECT.into()) {
            self.helper(SUSPECT, |this, object| {
                this.runtime_call("oxbow_suspect", &[object]);
                this.ret(None);
            });
        }
        let i32 = self.layout.types.i32;
        let info = self.offset(object, INFO_OFFSET);
        let info = self.load_raw(i32, info, 4, Access::Header);
        let bits = self.binary("and", info, self.int(i32, NOTHING_TO_DO as i64));
        let known = self.icmp(Predicate::Ne, bits, self.int(i32, 0));
        let [note, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(known, done, note, Likely::First);
        self.start(body, note);
        let call = Target::Symbol(SUSPECT);
        self.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
        self.build.br(done, &[]);
        self.start(body, done);
    }
}

fn id(ty: Type<'_>) -> usize {
    ty.to_raw().ptr as usize
}
