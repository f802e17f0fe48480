//! Parts of the top level that capture nothing, as procedures of bounded size.
//!
//! ```text
//! (define t (vector 1 2))          (define (piece) (set! t (vector 1 2)) (display t))
//! (display t)                 ⇒    (define (piece) (check 1 2))
//! (check 1 2)
//! (set! k (call/cc f))             (piece) (piece) (set! k (call/cc f))
//! ```
//!
//! The rests of a top level in continuation-passing style are functions, each compiled as a whole. What stands in a
//! piece is start code as everything at the top level of other programs, and so are the rests (decisions 131, 170). An
//! expression with procedures in it has a piece for itself: it may become a loop, which is optimised.

use super::Cps;
use crate::core::{Core, CoreKind, Item, Lambda};

/// How large the expressions of a piece are together.
const PIECE: usize = 120;

impl Cps {
    /// Puts the steps that capture nothing into procedures, which are added to `items`.
    pub(super) fn in_pieces(&mut self, steps: Vec<Core>, items: &mut Vec<Item>) -> Vec<Core> {
        let mut made = Vec::new();
        let mut piece = Vec::new();
        let mut room = 0;
        for step in steps {
            let captures = self.captures(&step);
            let mut size = 0;
            let mut has_procedures = false;
            step.walk(|it| {
                size += 1;
                has_procedures |= matches!(it.kind, CoreKind::Lambda(_) | CoreKind::CaseLambda(_));
            });
            if captures || has_procedures || size > room {
                made.extend(self.piece(&mut piece, items));
                room = PIECE;
            }
            if captures {
                made.push(step);
                continue;
            }
            piece.push(self.direct(step));
            room = if has_procedures { 0 } else { room.saturating_sub(size) };
        }
        made.extend(self.piece(&mut piece, items));
        made
    }

    /// A call of a procedure with these steps.
    fn piece(&mut self, steps: &mut Vec<Core>, items: &mut Vec<Item>) -> Option<Core> {
        let mut steps = std::mem::take(steps);
        let span = steps.first()?.span;
        steps.push(Core::new(CoreKind::Unspecified, span));
        let body = Core::new(CoreKind::Seq(steps), span);
        let lambda = Lambda {
            params: Vec::new(),
            rest: None,
            body,
            name: None,
            span,
            takes_continuation: false,
        };
        let var = self.var("piece", span);
        self.functions.insert(var);
        self.program.pieces.insert(var);
        let value = Core::new(CoreKind::Lambda(Box::new(lambda)), span);
        items.push(Item { var: Some(var), value });
        let callee = self.reference(var, span);
        Some(Core::new(CoreKind::Call(Box::new(callee), Vec::new()), span))
    }
}
