//! Child processes that end: by themselves, or for want of time or memory.

use std::io::{Read, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// More resident memory than this is taken for a leak.
const MEMORY_LIMIT: u64 = 8 << 30;
/// More output than this is taken for an endless loop.
const OUTPUT_LIMIT: u64 = 64 << 20;

/// How a process ended and what it wrote.
#[derive(Debug)]
pub struct Output {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub end: End,
}

#[derive(Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
    Stopped(String),
}

impl Output {
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    /// The exit code, or what happened instead with the end of the standard error.
    pub fn code(&self) -> Result<i32, String> {
        match &self.end {
            End::Code(code) => Ok(*code),
            End::Signal(signal) => Err(format!("ended by signal {signal}\n{}", self.stderr_text())),
            End::Stopped(why) => Err(format!("stopped: {why}\n{}", self.stderr_text())),
        }
    }
}

/// How long a process may take.
pub fn time_limit() -> Duration {
    let seconds = std::env::var("OXBOW_TEST_TIMEOUT").ok().and_then(|it| it.parse().ok());
    Duration::from_secs(seconds.unwrap_or(120))
}

/// Runs a command to its end.
pub fn run(command: &mut Command, stdin: &[u8]) -> Result<Output, String> {
    run_within(command, stdin, time_limit())
}

/// The same with a limit of its own.
pub fn run_within(command: &mut Command, stdin: &[u8], limit: Duration) -> Result<Output, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("RUST_BACKTRACE", "0").env("NO_COLOR", "1");
    let mut child =
        command.spawn().map_err(|error| format!("{:?}: {error}", command.get_program()))?;
    let (input, out, err) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if let Some(mut input) = input {
                // A program need not read what it is given.
                let _ = input.write_all(stdin);
            }
        });
        let out = scope.spawn(move || read(out));
        let err = scope.spawn(move || read(err));
        let end = wait(&mut child, limit)?;
        let stdout = out.join().map_err(|_| "the reader of the standard output failed")?;
        let stderr = err.join().map_err(|_| "the reader of the standard error failed")?;
        Ok(Output { stdout, stderr, end })
    })
}

fn read(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        // What came before a failure is what there is. Past the limit the pipe is closed.
        let _ = from.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
    }
    bytes
}

fn wait(child: &mut Child, limit: Duration) -> Result<End, String> {
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            return Ok(match (status.code(), status.signal()) {
                (Some(code), _) => End::Code(code),
                (None, signal) => End::Signal(signal.unwrap_or(0)),
            });
        }
        let why = if Instant::now() > deadline {
            Some("out of time")
        } else if resident(child.id()) > MEMORY_LIMIT {
            Some("too much memory")
        } else {
            None
        };
        if let Some(why) = why {
            // It may just have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
            return Ok(End::Stopped(why.into()));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Bytes of resident memory, or 0 where that is not known.
fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    text.split(' ').nth(1).and_then(|it| it.parse::<u64>().ok()).unwrap_or(0) * 4096
}
