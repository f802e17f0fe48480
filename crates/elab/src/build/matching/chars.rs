//! Tests of characters.
//!
//! ```text
//! 'a' | 'e' | 'i' → x        switch c { 'a' → x | 'e' → x | 'i' → x | _ → … }
//! 'a'..'z' → x               if c < 'a' then … else if c < '{' then x else …
//! ```
//!
//! Few characters make a switch; long intervals are found by halving. What several keys
//! or intervals lead to is a join point.

use oxbow_psg::{Const, Key, NodeId, NodeKind, OrderOp, Prim};

use super::emit::Emission;
use super::tree::{Class, PlaceId};
use crate::build::Builder;

/// Up to so many characters besides the default are listed.
const LISTED: usize = 16;

/// How to get to a class: in place, once, or by a jump.
enum Way {
    Place(NodeId),
    Jump(oxbow_psg::JoinId),
}

impl Builder<'_> {
    pub(super) fn chars(
        &mut self,
        it: &mut Emission<'_, '_>,
        place: PlaceId,
        classes: &[Class<'_>],
    ) -> NodeId {
        let size = |class: &Class<'_>| -> usize {
            class.intervals.iter().map(|(low, high)| usize::from(high - low) + 1).sum()
        };
        let largest = (0..classes.len()).max_by_key(|&at| size(&classes[at])).unwrap_or(0);
        let listed: usize = 256 - classes.get(largest).map_or(0, size);
        let by_key = listed <= LISTED;

        let (mut ways, mut joins) = (Vec::new(), Vec::new());
        for (at, class) in classes.iter().enumerate() {
            let body = self.tree(it, &class.tree);
            let entries = match by_key {
                true if at == largest => 1,
                true => size(class),
                false => class.intervals.len(),
            };
            if entries > 1 {
                let join = self.join("chars", Vec::new());
                joins.push((join, body));
                ways.push(Way::Jump(join));
            } else {
                ways.push(Way::Place(body));
            }
        }
        let mut node = if by_key {
            self.by_key(it, place, classes, &ways, largest)
        } else {
            self.by_order(it, place, classes, &ways)
        };
        for (join, body) in joins {
            node = self.node(NodeKind::Join { join, body, rest: node }, it.site.ty, it.site.span);
        }
        node
    }

    fn go(&mut self, it: &Emission<'_, '_>, way: &Way) -> NodeId {
        match way {
            Way::Place(node) => *node,
            Way::Jump(join) => self.node(
                NodeKind::Jump { join: *join, args: Vec::new() },
                it.site.ty,
                it.site.span,
            ),
        }
    }

    fn by_key(
        &mut self,
        it: &Emission<'_, '_>,
        place: PlaceId,
        classes: &[Class<'_>],
        ways: &[Way],
        largest: usize,
    ) -> NodeId {
        let default = ways.get(largest).map(|way| self.go(it, way));
        if classes.len() == 1
            && let Some(only) = default
        {
            return only;
        }
        let mut cases = Vec::new();
        for (at, class) in classes.iter().enumerate().filter(|it| it.0 != largest) {
            for char in class.intervals.iter().flat_map(|&(low, high)| low..=high) {
                cases.push((Key::Char(char), self.go(it, &ways[at])));
            }
        }
        let value = self.read_place(it, place);
        self.node(NodeKind::Switch { value, cases, default }, it.site.ty, it.site.span)
    }

    fn by_order(
        &mut self,
        it: &Emission<'_, '_>,
        place: PlaceId,
        classes: &[Class<'_>],
        ways: &[Way],
    ) -> NodeId {
        let mut starts: Vec<(u8, usize)> = Vec::new();
        for (at, class) in classes.iter().enumerate() {
            starts.extend(class.intervals.iter().map(|interval| (interval.0, at)));
        }
        starts.sort_unstable();
        self.halve(it, place, &starts, ways)
    }

    fn halve(
        &mut self,
        it: &Emission<'_, '_>,
        place: PlaceId,
        starts: &[(u8, usize)],
        ways: &[Way],
    ) -> NodeId {
        if let [(_, class)] = starts {
            return self.go(it, &ways[*class]);
        }
        let (low, high) = starts.split_at(starts.len() / 2);
        let Some(&(bound, _)) = high.first() else { oxbow_diag::ice!("no characters are left") };
        let (then, otherwise) =
            (self.halve(it, place, low, ways), self.halve(it, place, high, ways));
        let (bool, char, span) = (self.program.types.bool, self.program.types.char, it.site.span);
        let bound = self.node(NodeKind::Const(Const::Char(bound)), char, span);
        let args = vec![self.read_place(it, place), bound];
        let cond = self.node(NodeKind::Prim { prim: Prim::Order(OrderOp::Lt), args }, bool, span);
        self.node(NodeKind::If { cond, then, otherwise }, it.site.ty, span)
    }
}
