//! The processes that look at programs: each gets a request, writes answers, and ends. One that is not wanted any more
//! is killed.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::Instant;

use oxbow_driver::index::{Answer, Request};

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
    let mut child = Command::new(executable)
        .arg("index")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let input = child.stdin.take();
    let output = child.stdout.take();
    let text = serde_json::to_vec(request)?;
    std::thread::spawn(move || {
        // A process that dies early reads nothing; that it ended is heard below.
        if let Some(mut input) = input {
            let _ = input.write_all(&text);
        }
        for line in output.into_iter().flat_map(|it| BufReader::new(it).lines()) {
            let Ok(line) = line else { break };
            if let Ok(answer) = serde_json::from_str(&line)
                && events.send(Heard::Process(Event { number, answer: Some(answer) })).is_err()
            {
                return;
            }
        }
        let _ = events.send(Heard::Process(Event { number, answer: None }));
    });
    Ok(Running { number, revision, since: Instant::now(), child })
}
