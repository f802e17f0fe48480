//! Child processes that end by themselves or for want of time.

use std::io::Read;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// More output than this is taken for an endless loop.
const OUTPUT_LIMIT: u64 = 16 << 20;

/// How much longer than its limit of processor time a process may be there: on a busy machine it waits for its turn.
const PATIENCE: u32 = 60;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Code(i32),
    Signal(i32),
    Timeout,
}

/// What a process wrote, and how it ended.
#[derive(Clone, Debug)]
pub struct Output {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub end: End,
}

/// Runs a command to its end, without input, for so much processor time.
pub fn run(command: &mut Command, limit: Duration) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.env("RUST_BACKTRACE", "0").env("NO_COLOR", "1").env_remove("OCAMLRUNPARAM");
    let mut child = command.spawn()?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    std::thread::scope(|scope| {
        let out = scope.spawn(move || read(out));
        let err = scope.spawn(move || read(err));
        let deadline = Instant::now() + limit * PATIENCE;
        let begin = Instant::now();
        let mut pause = Duration::from_micros(300);
        let end = loop {
            if let Some(status) = child.try_wait()? {
                break match (status.code(), status.signal()) {
                    (Some(code), _) => End::Code(code),
                    (None, signal) => End::Signal(signal.unwrap_or(0)),
                };
            }
            let is_over = begin.elapsed() > limit && processor_time(child.id()) > Some(limit);
            if is_over || Instant::now() > deadline {
                // It may just have ended by itself.
                let _ = child.kill();
                let _ = child.wait();
                break End::Timeout;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(10));
        };
        Ok(Output {
            stdout: out.join().unwrap_or_default(),
            stderr: err.join().unwrap_or_default(),
            end,
        })
    })
}

/// What a process has used of the processor, with what it has waited for, as Linux tells it.
fn processor_time(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, which may hold anything, is in parentheses; times are in hundredths of a second.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(11..15)?.iter().filter_map(|it| it.parse::<u64>().ok()).sum::<u64>();
    Some(Duration::from_millis(10 * ticks))
}

fn read(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        // What came before a failure is what there is.
        let _ = from.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_sleeps_uses_no_time() {
        let limit = Duration::from_millis(50);
        let sleeps = run(Command::new("sleep").arg("0.3"), limit).expect("it runs");
        assert_eq!(sleeps.end, End::Code(0));
        let turns = run(Command::new("sh").args(["-c", "while :; do :; done"]), limit);
        assert_eq!(turns.expect("it runs").end, End::Timeout);
    }
}
