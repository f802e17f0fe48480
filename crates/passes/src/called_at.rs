//! Where code of the library stands that was moved or copied into the program.
//!
//! ```text
//! (map car x)   →   if is_pair x then … else improper "map" x      with the place of the call
//! ```
//!
//! Whoever asks for the program's own place of something in such code is told that of the next node around it that is
//! the program's (decision 132): without a place of its own the code would seem to be what stands around the call. What
//! makes an object keeps its place, which explanations show.

use oxbow_base::{FileId, IdSet, Span};
use oxbow_psg::{Mono, NodeId, NodeKind, Program};

/// The files of the library.
pub struct Library(IdSet<FileId>);

impl Library {
    pub fn of(program: &Program<Mono>) -> Self {
        Self(program.items.iter().filter(|it| it.library).map(|it| it.span.file).collect())
    }

    /// `body` is what a call at `span` has become.
    pub fn place(&self, program: &mut Program<Mono>, body: NodeId, span: Span) {
        let node = &mut program.nodes[body];
        let is_code = matches!(
            node.kind,
            NodeKind::Apply { .. }
                | NodeKind::If { .. }
                | NodeKind::Switch { .. }
                | NodeKind::Let { .. }
                | NodeKind::LetRec { .. }
                | NodeKind::Seq(_)
                | NodeKind::Join { .. }
                | NodeKind::Try { .. }
        );
        if is_code && self.0.contains(node.span.file) && !self.0.contains(span.file) {
            node.span = span;
        }
    }
}
