//! Runs programs in every way there is and compares what comes out.

pub mod compare;
pub mod mode;
pub mod process;
