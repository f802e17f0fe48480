//! Runs programs in every way there is and compares what comes out.

pub mod compare;
pub mod mode;
pub mod process;

/// How many can run at a time.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
