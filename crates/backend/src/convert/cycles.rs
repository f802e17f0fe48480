//! Code that notes objects for the scan for cycles, behind stores that are suspect.
//!
//! ```text
//! node.next <- x          {suspect}
//!     object = node
//!     if x is an object and node is counted and not noted yet: oxbow_suspect(node)
//! ```

use oxbow_abi::{FRAME_BIT, INFO_OFFSET, STATIC_BIT, SUSPECT_BIT};
use oxbow_dialect::inspect::key;
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::{Likely, OcamlType, Predicate, Val};

use super::Converter;
use super::body::Body;
use super::llvm_ops::{Access, Convention, TailKind, Target};
use super::statics::Constant;

const SUSPECT: &str = "oxbow.note.suspect";

/// Objects that are noted, lie in a frame, or are always there.
const NOTHING_TO_DO: u64 = (1 << SUSPECT_BIT | 1 << FRAME_BIT | 1 << STATIC_BIT) >> 32;

impl<'c> Converter<'c> {
    /// Behind a suspect store of a value (of the old module) to an object.
    pub fn note_store(&mut self, body: &Body<'c>, value: Val<'c>, object: Val<'c>) {
        if matches!(
            body.constants.get(&key(value)),
            Some(Constant::Immediate(_) | Constant::Word(_) | Constant::Object(_))
        ) {
            return;
        }
        let ty = value.r#type();
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

    /// The same for an object that gets its captures after it exists. Others of its group may have none yet.
    pub fn note_fill(&mut self, object: Val<'c>) {
        self.runtime_call("oxbow_suspect_later", &[object]);
    }

    pub fn note_object(&mut self, body: &Body<'c>, object: Val<'c>) {
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
        let mut known = self.icmp(Predicate::Ne, bits, self.int(i32, 0));
        if self.domains {
            // Shared objects are not scanned.
            let shared = self.is_shared(object);
            known = self.binary("or", known, shared);
        }
        let [note, done] = [(); 2].map(|()| self.build.new_block(&[]));
        self.build.cond_br(known, done, note, Likely::First);
        self.start(body, note);
        let call = Target::Symbol(SUSPECT);
        self.call(call, &[object], None, Convention::PreserveMost, TailKind::None);
        self.build.br(done, &[]);
        self.start(body, done);
    }
}
