//! Items: what is known of global variables, and bindings that move to the top level.

use oxbow_psg::{ItemKind, NodeId, NodeKind, VarId};

use super::{Atom, Fact, Simplify};

impl Simplify {
    /// The value of an item. Bindings before a function become items of their own
    /// later (`hoist`).
    pub(super) fn item_value(&mut self, var: VarId, value: NodeId) -> NodeId {
        if self.waits_for_its_call(var, value) {
            return value;
        }
        let value = self.simplify(value);
        if self.program.vars[var].mutable {
            return value;
        }
        let is_global = |pass: &Self, it: &NodeId| match pass.atom(*it) {
            Some(Atom::Var(var)) if !pass.program.vars[var].global => None,
            other => other,
        };
        let fact = match self.kind(value) {
            NodeKind::Lambda(lambda) => Some(Fact::Lambda(*lambda)),
            NodeKind::Tuple(args) => Some(Fact::Object {
                ctor: None,
                fields: args.iter().map(|it| is_global(self, it)).collect(),
            }),
            NodeKind::Construct { args, .. } | NodeKind::Record(args) => {
                let ctor = match self.kind(value) {
                    NodeKind::Construct { ctor, .. } => *ctor,
                    _ => 0,
                };
                let mutable = self.mutable_fields(self.program.ty(value), ctor);
                let field = |(it, &mutable): (&NodeId, &bool)| {
                    if mutable { None } else { is_global(self, it) }
                };
                Some(Fact::Object {
                    ctor: Some(ctor),
                    fields: args.iter().zip(&mutable).map(field).collect(),
                })
            }
            _ => is_global(self, &value).map(Fact::Atom),
        };
        if let Some(fact) = fact {
            self.facts.insert(var, fact);
        }
        value
    }

    /// Splits the bindings off the front of an item whose value is a function or an
    /// object, so that the function captures nothing.
    pub(super) fn hoist(&mut self, kind: ItemKind, out: &mut Vec<ItemKind>) {
        let ItemKind::Let { var: name, mut value } = kind else {
            out.push(kind);
            return;
        };
        let mut end = value;
        loop {
            end = match self.kind(end) {
                NodeKind::Let { var, body, .. } if !self.program.vars[*var].mutable => *body,
                NodeKind::LetRec { body, .. } => *body,
                _ => break,
            };
        }
        if matches!(self.kind(end), NodeKind::Lambda(_)) {
            while value != end {
                match self.kind(value).clone() {
                    NodeKind::Let { var, value: bound, body } => {
                        self.program.vars[var].global = true;
                        self.changed = true;
                        out.push(ItemKind::Let { var, value: bound });
                        value = body;
                    }
                    NodeKind::LetRec { vars, values, body } => {
                        for &var in &vars {
                            self.program.vars[var].global = true;
                        }
                        self.changed = true;
                        out.push(ItemKind::LetRec { vars, values });
                        value = body;
                    }
                    _ => break,
                }
            }
        }
        out.push(ItemKind::Let { var: name, value });
    }
}
