//! One run of a process: how long it took by the clock on the wall, and how much memory it had.

#![expect(unsafe_code, reason = "wait4 is the only way to the memory of one child")]

use std::io::Read as _;
use std::mem::MaybeUninit;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A run that takes longer is ended.
const LIMIT: Duration = Duration::from_secs(300);

pub struct Run {
    /// By the clock on the wall.
    pub seconds: f64,
    /// Of the processor, in the program and for it.
    pub processor: f64,
    /// The largest resident set in bytes.
    pub memory: u64,
    pub output: Vec<u8>,
}

/// Runs a command to its end; it must end well.
pub fn measure(command: &mut Command) -> Result<Run, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let start = Instant::now();
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let id = child.id() as libc::pid_t;
    let out = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut out) = out {
            // What came before a failure is what there is.
            let _ = out.read_to_end(&mut bytes);
        }
        bytes
    });
    let (ended, wait) = mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        if wait.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
            // SAFETY: the child has not been waited for, so its id is still its own.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
    });
    let mut status = 0;
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: both pointers are valid; nothing else waits for this child.
    let waited = unsafe { libc::wait4(id, &mut status, 0, usage.as_mut_ptr()) };
    let seconds = start.elapsed().as_secs_f64();
    drop(ended);
    let _ = watchdog.join();
    let output = reader.join().unwrap_or_default();
    if waited != id {
        return Err("wait4 failed".into());
    }
    if libc::WIFSIGNALED(status) {
        return Err(format!("ended by signal {}", libc::WTERMSIG(status)));
    }
    if libc::WEXITSTATUS(status) != 0 {
        return Err(format!("exit code {}", libc::WEXITSTATUS(status)));
    }
    // SAFETY: zeroes are a valid value, and wait4 has filled it.
    let usage = unsafe { usage.assume_init() };
    let time = |it: libc::timeval| it.tv_sec as f64 + it.tv_usec as f64 * 1e-6;
    let processor = time(usage.ru_utime) + time(usage.ru_stime);
    Ok(Run { seconds, processor, memory: usage.ru_maxrss as u64 * 1024, output })
}
