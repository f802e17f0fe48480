//! Levels: how many derivatives are taken around a number, and in which mode each.
//!
//! ```text
//! depth 0          float                   outside of every derivative
//! depth 1, F       float * float           value and tangent
//! depth 1, R       float * int             value and node of a tape
//! depth 2, F R     (float * float) * int   a tape of dual numbers
//! ```
//!
//! The first derivative entered is at position 0. A number of a lower level is turned into one of
//! a higher level by adding zero tangents; two levels that meet agree in the modes of the
//! positions that they share.

/// More derivatives inside each other than this are taken to be without end.
pub const MAX_DEPTH: u8 = 10;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Level {
    pub depth: u8,
    /// Bit `i`: position `i` is in reverse mode, else in forward mode.
    pub reverse: u16,
}

impl Level {
    pub const GROUND: Level = Level { depth: 0, reverse: 0 };

    pub fn is_ground(self) -> bool {
        self.depth == 0
    }

    /// The mode of the innermost derivative.
    pub fn is_reverse(self) -> bool {
        self.depth > 0 && self.reverse >> (self.depth - 1) & 1 == 1
    }

    /// The level around the innermost derivative.
    pub fn outer(self) -> Level {
        let depth = self.depth.saturating_sub(1);
        Level { depth, reverse: self.reverse & mask(depth) }
    }

    /// The greater depth with the modes of both.
    pub fn join(self, other: Level) -> Level {
        Level { depth: self.depth.max(other.depth), reverse: self.reverse | other.reverse }
    }

    /// This level with the modes that `other` has at its positions.
    pub fn with_modes_of(self, other: Level) -> Level {
        Level { depth: self.depth, reverse: self.reverse | other.reverse & mask(self.depth) }
    }

    /// One derivative further in; its mode is added by `mode_bit`.
    pub fn inner(self) -> Level {
        Level { depth: self.depth + 1, reverse: self.reverse }
    }

    /// Reverse mode at the position after the last one.
    pub fn mode_bit(self) -> Level {
        Level { depth: 0, reverse: 1 << self.depth }
    }

    /// The outer part of this level, not deeper than `depth`.
    pub fn cut(self, depth: u8) -> Level {
        let depth = depth.min(self.depth);
        Level { depth, reverse: self.reverse & mask(depth) }
    }

    /// This level with reverse mode at all positions from `depth` on.
    pub fn reversed_from(self, depth: u8) -> Level {
        let above = mask(self.depth) & !mask(depth.min(self.depth));
        Level { depth: self.depth, reverse: self.reverse | above }
    }

    pub fn without_modes(self) -> Level {
        Level { depth: self.depth, reverse: 0 }
    }

    /// For the names of generated functions: `FR`.
    pub fn suffix(self) -> String {
        (0..self.depth).map(|it| if self.reverse >> it & 1 == 1 { 'R' } else { 'F' }).collect()
    }
}

fn mask(depth: u8) -> u16 {
    (1 << depth) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_meet_agree_in_their_modes() {
        let forward = Level::GROUND.inner();
        let mixed = forward.inner().join(forward.mode_bit());
        assert_eq!(mixed.suffix(), "FR");
        assert!(mixed.is_reverse() && !mixed.outer().is_reverse());
        assert_eq!(mixed.outer(), forward);
        let other = Level { depth: 1, reverse: 1 };
        assert_eq!(mixed.join(other).suffix(), "RR");
        assert_eq!(forward.with_modes_of(other), other);
        assert_eq!(forward.inner().inner().reversed_from(1).suffix(), "FRR");
        assert_eq!(forward.reversed_from(3), forward);
        assert_eq!(mixed.cut(1), forward);
    }
}
