//! Levels: how many derivatives are taken around a number, and in which mode each.
//!
//! ```text
//! depth 0          float                   outside of every derivative
//! depth 1, F       float * float           value and tangent
//! depth 1, R       float * int             value and node of a tape
//! depth 1, T       float array             coefficients of a power series
//! depth 2, F R     (float * float) * int   a tape of dual numbers
//! ```
//!
//! The first derivative entered is at position 0. A number of a lower level is turned into one of
//! a higher level by adding zero tangents; two levels that meet agree in the modes of the
//! positions that they share.

/// More derivatives inside each other than this are taken to be without end.
pub const MAX_DEPTH: u8 = 10;

/// How a derivative is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A value and its tangent.
    Forward,
    /// A value and its node on a tape. What could be forward may be this as well.
    Reverse,
    /// The coefficients of a power series. What could be forward may be this as well.
    Taylor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, PartialOrd, Ord)]
pub struct Level {
    pub depth: u8,
    /// Bit `i`: position `i` is in this mode; in forward mode if in none.
    reverse: u16,
    taylor: u16,
}

impl Level {
    pub const GROUND: Level = Level { depth: 0, reverse: 0, taylor: 0 };

    pub fn is_ground(self) -> bool {
        self.depth == 0
    }

    /// The mode of the innermost derivative.
    pub fn mode(self) -> Mode {
        let last = |modes: u16| self.depth > 0 && modes >> (self.depth - 1) & 1 == 1;
        if last(self.reverse) {
            Mode::Reverse
        } else if last(self.taylor) {
            Mode::Taylor
        } else {
            Mode::Forward
        }
    }

    pub fn is_reverse(self) -> bool {
        self.mode() == Mode::Reverse
    }

    pub fn is_taylor(self) -> bool {
        self.mode() == Mode::Taylor
    }

    /// A derivative would have to be in two modes.
    pub fn is_contradictory(self) -> bool {
        self.reverse & self.taylor != 0
    }

    /// The level around the innermost derivative.
    pub fn outer(self) -> Level {
        self.cut(self.depth.saturating_sub(1))
    }

    /// The greater depth with the modes of both.
    pub fn join(self, other: Level) -> Level {
        Level {
            depth: self.depth.max(other.depth),
            reverse: self.reverse | other.reverse,
            taylor: self.taylor | other.taylor,
        }
    }

    /// This level with the modes that `other` has at its positions.
    pub fn with_modes_of(self, other: Level) -> Level {
        let own = mask(self.depth);
        Level {
            depth: self.depth,
            reverse: self.reverse | other.reverse & own,
            taylor: self.taylor | other.taylor & own,
        }
    }

    /// One derivative further in; its mode is added by `mode_bit`.
    pub fn inner(self) -> Level {
        Level { depth: self.depth + 1, ..self }
    }

    /// A mode at the position after the last one.
    pub fn mode_bit(self, mode: Mode) -> Level {
        let bit = 1 << self.depth;
        match mode {
            Mode::Forward => Level::GROUND,
            Mode::Reverse => Level { reverse: bit, ..Level::GROUND },
            Mode::Taylor => Level { taylor: bit, ..Level::GROUND },
        }
    }

    /// The outer part of this level, not deeper than `depth`.
    pub fn cut(self, depth: u8) -> Level {
        let depth = depth.min(self.depth);
        let kept = mask(depth);
        Level { depth, reverse: self.reverse & kept, taylor: self.taylor & kept }
    }

    /// This level with reverse mode at all positions from `depth` on.
    pub fn reversed_from(self, depth: u8) -> Level {
        let above = mask(self.depth) & !mask(depth.min(self.depth));
        Level { reverse: self.reverse | above, ..self }
    }

    pub fn without_modes(self) -> Level {
        Level { depth: self.depth, ..Level::GROUND }
    }

    /// For the names of generated functions: `FR`.
    pub fn suffix(self) -> String {
        let letter = |it: u8| match self.cut(it + 1).mode() {
            Mode::Forward => 'F',
            Mode::Reverse => 'R',
            Mode::Taylor => 'T',
        };
        (0..self.depth).map(letter).collect()
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
        let mixed = forward.inner().join(forward.mode_bit(Mode::Reverse));
        assert_eq!(mixed.suffix(), "FR");
        assert!(mixed.is_reverse() && !mixed.outer().is_reverse());
        assert_eq!(mixed.outer(), forward);
        let other = Level { depth: 1, reverse: 1, taylor: 0 };
        assert_eq!(mixed.join(other).suffix(), "RR");
        assert_eq!(forward.with_modes_of(other), other);
        assert_eq!(forward.inner().inner().reversed_from(1).suffix(), "FRR");
        assert_eq!(forward.reversed_from(3), forward);
        assert_eq!(mixed.cut(1), forward);
    }
}
