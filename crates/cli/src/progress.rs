//! What the compiler is doing, on one line of the terminal, if that takes longer than a second.
//!
//! ```text
//! compiling life.ml: jit (3 s)
//! ```
//!
//! A thread looks at the step that runs and rewrites the line; before anything else is printed the
//! line is taken away. Only whoever starts it decides that there is a terminal.

use std::io::Write as _;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Shorter compilations say nothing.
const PATIENCE: Duration = Duration::from_secs(1);
const PAUSE: Duration = Duration::from_millis(200);
/// To the first column, and what stands on the line is gone.
const CLEAR: &str = "\r\x1b[K";

struct State {
    running: bool,
    /// Whether the line is on the terminal.
    shown: bool,
}

static STATE: Mutex<State> = Mutex::new(State { running: false, shown: false });
static STOPPED: Condvar = Condvar::new();

/// A thread that panicked while it held the lock has left a state that is still true.
fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Begins to watch a compilation, until [`stop`].
pub fn start(file: &Path) {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    state().running = true;
    // Without a thread there is no line, which is no fault.
    let _ = std::thread::Builder::new().spawn(move || watch(&name, Instant::now()));
}

fn watch(name: &str, start: Instant) {
    let mut state = state();
    while state.running {
        let wait = PATIENCE.saturating_sub(start.elapsed()).max(PAUSE);
        let waited = STOPPED.wait_timeout(state, wait);
        state = waited.unwrap_or_else(std::sync::PoisonError::into_inner).0;
        if state.running && start.elapsed() >= PATIENCE {
            let (step, seconds) = (oxbow_driver::current_step(), start.elapsed().as_secs());
            state.shown = true;
            print(&format!("{CLEAR}compiling {name}: {step} ({seconds} s)"));
        }
    }
}

/// Takes the line away, because something else is printed; it may come back.
pub fn hide() {
    clear(&mut state());
}

/// Ends the watching and takes the line away.
pub fn stop() {
    let mut state = state();
    state.running = false;
    clear(&mut state);
    STOPPED.notify_all();
}

fn clear(state: &mut State) {
    if std::mem::take(&mut state.shown) {
        print(CLEAR);
    }
}

fn print(text: &str) {
    let mut terminal = std::io::stderr().lock();
    let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
}
