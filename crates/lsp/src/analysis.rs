//! The processes that look at programs (`oxbow_driver::index::ask`). One that is not wanted any more is killed.

use std::path::Path;
use std::process::Child;
use std::sync::mpsc::Sender;
use std::time::Instant;

use oxbow_driver::index::{Answer, Request, ask};

use crate::server::Heard;

/// What a process has said.
pub struct Event {
    /// The number of the process.
    pub number: u64,
    /// None: it has ended.
    pub answer: Option<Answer>,
}

/// A process that is looking at something; it ends when this is dropped.
pub struct Running {
    pub number: u64,
    /// The state of the documents that it looks at.
    pub revision: u64,
    pub since: Instant,
    child: Child,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a process; its events carry its number.
pub fn start(
    executable: &Path,
    request: &Request,
    (number, revision): (u64, u64),
    events: Sender<Heard>,
) -> std::io::Result<Running> {
    let (child, answers) = ask(executable, request)?;
    std::thread::spawn(move || {
        for answer in answers {
            if events.send(Heard::Process(Event { number, answer: Some(answer) })).is_err() {
                return;
            }
        }
        let _ = events.send(Heard::Process(Event { number, answer: None }));
    });
    Ok(Running { number, revision, since: Instant::now(), child })
}
