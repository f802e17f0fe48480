//! Where the variables of threads and fibres lie that assembly knows, in bytes. The runtime checks that its structures
//! are laid out so (`runtime::thread`, `runtime::switch`).
//!
//! ```text
//! thread   domain │ turn │ stack limit │ aside │ root: a turn │ place │ site │ caller
//! turn     stack │ parent │ limit │ is away
//! ```

/// Of a thread's variables.
pub mod thread {
    pub const TURN: usize = 8;
    pub const STACK_LIMIT: usize = 16;
    pub const ASIDE: usize = 24;
    pub const PLACE: usize = 64;
    /// What `functions::SITE` and `functions::CALLER` are, in a program with domains.
    pub const SITE: usize = 72;
    pub const CALLER: usize = 80;
    pub const SIZE: usize = 88;
}

/// Of what changes of stacks know of a fibre.
pub mod turn {
    pub const STACK: usize = 0;
    pub const PARENT: usize = 8;
    pub const LIMIT: usize = 16;
    pub const IS_AWAY: usize = 24;
}
