//! Each phrase runs in a copy of the process, which takes the place of the original if it survives.
//!
//! ```text
//! front ── command ──▶ worker ── fork ──▶ copy    compiles and runs the phrase
//!       ◀── event ───         ◀── K ────         "it is mine now": the worker goes
//!                             ◀ end of file ─     it has died: the worker goes on, as if there had been no phrase
//! ```
//!
//! A copy whose program reads the standard input asks the front end for the next line (`wanted_line`): that process has
//! the input, and what it has read of it are phrases.
//!
//! So an error, an interrupt, a stack that overflows and exhausted memory lose nothing of what was there before. The
//! front end (the terminal, the history) is a process of its own, which knows nothing of programs.

#![expect(unsafe_code, reason = "processes and pipes of the system")]

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

/// Nobody reads the output any more: the process ends, as other programs in a pipeline do.
pub fn end_with_the_reader() {
    // SAFETY: the default action replaces Rust's, which ignores the signal.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// The file stays open in the programs that this process starts, under its number.
pub fn keep_open(file: &File) -> std::io::Result<()> {
    // SAFETY: changes a flag of a descriptor that is open here.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFD, 0) } {
        -1 => Err(std::io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// What the front end asks for.
#[derive(Debug)]
pub enum Command {
    /// The name of a file, the line of it that the text begins on, and the text.
    Phrase(String, u32, String),
    Complete(String),
    Show(String),
    /// The phrases of a file.
    Split(String),
    /// The answer to [`Event::Line`]: a line of the input with its end; none if there is no more.
    Line(Option<Vec<u8>>),
    /// The input ends inside of this phrase.
    Unfinished(String, String),
}

/// What the worker says.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    Done,
    Failed,
    Exit(i32),
    Reply(String),
    /// The phrases of a file, with their lines.
    Phrases(Vec<(u32, String)>),
    /// The program reads its standard input.
    Line,
}

/// One side of two pipes.
pub struct Channel {
    reader: File,
    writer: File,
}

/// Two ends that are connected.
pub fn channel() -> std::io::Result<(Channel, Channel)> {
    let (first, second) = (pipe()?, pipe()?);
    let one = Channel { reader: first.0, writer: second.1 };
    Ok((one, Channel { reader: second.0, writer: first.1 }))
}

/// The end that is read, and the one that is written.
pub fn pipe() -> std::io::Result<(File, File)> {
    let (reader, writer) = std::io::pipe()?;
    Ok((OwnedFd::from(reader).into(), OwnedFd::from(writer).into()))
}

impl Channel {
    fn send(&mut self, kind: u8, parts: &[&[u8]]) -> std::io::Result<()> {
        let mut bytes = vec![kind, parts.len() as u8];
        for part in parts {
            bytes.extend((part.len() as u32).to_le_bytes());
            bytes.extend_from_slice(part);
        }
        self.writer.write_all(&bytes)
    }

    fn receive(&mut self) -> Option<(u8, Vec<Vec<u8>>)> {
        let mut head = [0; 2];
        self.reader.read_exact(&mut head).ok()?;
        let mut parts = Vec::new();
        for _ in 0..head[1] {
            let mut length = [0; 4];
            self.reader.read_exact(&mut length).ok()?;
            let mut part = vec![0; u32::from_le_bytes(length) as usize];
            self.reader.read_exact(&mut part).ok()?;
            parts.push(part);
        }
        Some((head[0], parts))
    }

    pub fn ask(&mut self, command: &Command) -> std::io::Result<()> {
        match command {
            Command::Phrase(name, line, text) => {
                self.send(b'p', &[name.as_bytes(), text.as_bytes(), &line.to_le_bytes()])
            }
            Command::Complete(text) => self.send(b'c', &[text.as_bytes()]),
            Command::Show(text) => self.send(b's', &[text.as_bytes()]),
            Command::Split(path) => self.send(b'u', &[path.as_bytes()]),
            Command::Line(Some(line)) => self.send(b'l', &[line]),
            Command::Line(None) => self.send(b'l', &[]),
            Command::Unfinished(name, text) => self.send(b'h', &[name.as_bytes(), text.as_bytes()]),
        }
    }

    pub fn command(&mut self) -> Option<Command> {
        let (kind, mut parts) = self.receive()?;
        if kind == b'l' {
            return Some(Command::Line(parts.pop()));
        }
        let line = if kind == b'p' { number(&parts.pop()?)? } else { 1 };
        let mut parts = parts.into_iter().map(|it| String::from_utf8_lossy(&it).into_owned());
        let first = parts.next()?;
        match kind {
            b'p' => Some(Command::Phrase(first, line, parts.next()?)),
            b'c' => Some(Command::Complete(first)),
            b's' => Some(Command::Show(first)),
            b'u' => Some(Command::Split(first)),
            b'h' => Some(Command::Unfinished(first, parts.next()?)),
            _ => None,
        }
    }

    pub fn tell(&mut self, event: &Event) {
        // A front end that has gone is found by the next command that does not come.
        let _ = match event {
            Event::Done => self.send(b'd', &[]),
            Event::Failed => self.send(b'f', &[]),
            Event::Exit(code) => self.send(b'x', &[&code.to_le_bytes()]),
            Event::Reply(text) => self.send(b'r', &[text.as_bytes()]),
            Event::Line => self.send(b'n', &[]),
            Event::Phrases(phrases) => {
                let mut bytes = Vec::new();
                for (line, text) in phrases {
                    bytes.extend(line.to_le_bytes());
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend_from_slice(text.as_bytes());
                }
                self.send(b'm', &[&bytes])
            }
        };
    }

    /// The next event; none if nobody is left to send one.
    pub fn event(&mut self) -> Option<Event> {
        let (kind, parts) = self.receive()?;
        match kind {
            b'd' => Some(Event::Done),
            b'f' => Some(Event::Failed),
            b'n' => Some(Event::Line),
            b'x' => Some(Event::Exit(number(parts.first()?)? as i32)),
            b'm' => {
                let (mut rest, mut phrases) = (&parts.first()?[..], Vec::new());
                while let (Some(line), Some(length)) =
                    (number(rest), rest.get(4..).and_then(number))
                {
                    let end = 8 + length as usize;
                    phrases.push((line, String::from_utf8_lossy(rest.get(8..end)?).into_owned()));
                    rest = &rest[end..];
                }
                Some(Event::Phrases(phrases))
            }
            b'r' => Some(Event::Reply(String::from_utf8_lossy(parts.first()?).into_owned())),
            _ => None,
        }
    }
}

/// The number that bytes begin with.
fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?))
}

/// Starts a worker; in it, this never returns.
pub fn start(work: impl FnOnce(Channel) -> i32) -> std::io::Result<Channel> {
    let (front, worker) = channel()?;
    let _ = std::io::stdout().flush();
    // SAFETY: workers that outlive those that started them belong to this process.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
    // SAFETY: the child goes on in this thread, the only one that does anything.
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        0 => {
            drop(front);
            ignore_interrupts();
            let code = work(worker);
            exit(code)
        }
        _ => Ok(front),
    }
}

/// Waits for processes that have ended.
pub fn reap() {
    // SAFETY: asks for nothing but that.
    while unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) } > 0 {}
}

/// The signal that has ended one of the workers, of which none is left.
pub fn fatal_signal() -> Option<i32> {
    let mut found = None;
    loop {
        let mut status = 0;
        // SAFETY: waits for any child, and the status is a variable of this frame.
        if unsafe { libc::waitpid(-1, &mut status, 0) } <= 0 {
            return found;
        }
        if libc::WIFSIGNALED(status) {
            found = Some(libc::WTERMSIG(status));
        }
    }
}

/// Ends this process by a signal, as another one was.
pub fn end_by(signal: i32) -> ! {
    // SAFETY: both have no condition.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        libc::raise(signal);
    }
    exit(2)
}

/// Writes to the standard output. If that cannot be done, nothing can: the prompt ends.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        crate::report::print_error(&format!("error: the output cannot be written: {error}\n"));
        let mut bytes = vec![b'X'];
        bytes.extend(2i32.to_le_bytes());
        say(&bytes);
        // SAFETY: what a process leaves behind is the system's. What is still in a buffer cannot be written.
        unsafe { libc::_exit(2) }
    }
}

pub fn ignore_interrupts() {
    // SAFETY: to ignore a signal has no condition.
    unsafe { libc::signal(libc::SIGINT, libc::SIG_IGN) };
}

fn allow_interrupts() {
    // SAFETY: as above; and interrupts may be blocked in this thread.
    unsafe {
        libc::signal(libc::SIGINT, libc::SIG_DFL);
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        libc::sigaddset(&mut set, libc::SIGINT);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &set, std::ptr::null_mut());
    }
}

pub fn exit(code: i32) -> ! {
    let _ = std::io::stdout().flush();
    // SAFETY: what a process leaves behind is the system's.
    unsafe { libc::_exit(code) }
}

/// Where the copy that runs a phrase tells what becomes of it.
static PARENT: AtomicI32 = AtomicI32::new(-1);

/// In which process the prompt goes on.
pub enum After {
    /// In the copy: the phrase has run.
    Ran,
    /// In the original: the copy has ended.
    Lost(Loss),
}

/// How a copy ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It has said why.
    Told,
    /// The program has ended itself.
    Exit(i32),
    Signal(i32),
}

/// The phrase was refused, and the copy has said why.
const REFUSED: i32 = 76;

/// Runs something in a copy of the process. What it gives says whether the copy goes on.
pub fn attempt(run: impl FnOnce() -> bool) -> After {
    let _ = std::io::stdout().flush();
    let Ok((mut reader, writer)) = pipe() else { return After::Lost(Loss::Told) };
    // SAFETY: as in `start`.
    match unsafe { libc::fork() } {
        -1 => {
            let error = std::io::Error::last_os_error();
            print(&format!("error: no process for the phrase: {error}\n"));
            After::Lost(Loss::Told)
        }
        0 => {
            drop(reader);
            PARENT.store(writer.into_raw_fd(), Ordering::Relaxed);
            allow_interrupts();
            let goes_on = run();
            ignore_interrupts();
            if !goes_on {
                exit(REFUSED);
            }
            let _ = std::io::stdout().flush();
            say(b"K");
            After::Ran
        }
        child => {
            drop(writer);
            let mut said = Vec::new();
            let _ = reader.read_to_end(&mut said);
            match said[..] {
                [b'K', ..] => exit(0),
                [b'X', a, b, c, d, ..] => {
                    wait(child);
                    After::Lost(Loss::Exit(i32::from_le_bytes([a, b, c, d])))
                }
                _ => After::Lost(wait(child)),
            }
        }
    }
}

fn say(bytes: &[u8]) {
    let fd = PARENT.swap(-1, Ordering::Relaxed);
    if fd >= 0 {
        // SAFETY: the descriptor is that of the pipe, and nobody else's; it is closed here.
        let mut pipe = unsafe { File::from_raw_fd(fd) };
        let _ = pipe.write_all(bytes);
    }
}

fn wait(child: i32) -> Loss {
    let mut status = 0;
    // SAFETY: the child is ours, and the status is a variable of this frame.
    unsafe { libc::waitpid(child, &mut status, 0) };
    match libc::WIFSIGNALED(status) {
        true => Loss::Signal(libc::WTERMSIG(status)),
        false => Loss::Told,
    }
}

/// Where a program's questions for input go.
static INPUT: Mutex<Option<Channel>> = Mutex::new(None);

/// Copies ask for input through this channel.
pub fn ask_for_input_by(channel: &Channel) {
    let copied = channel.reader.try_clone().and_then(|reader| {
        let writer = channel.writer.try_clone()?;
        Ok(Channel { reader, writer })
    });
    if let (Ok(copied), Ok(mut input)) = (copied, INPUT.lock()) {
        *input = Some(copied);
    }
}

/// The next line of the input; empty at its end.
pub fn wanted_line() -> Vec<u8> {
    let Ok(mut input) = INPUT.lock() else { return Vec::new() };
    let Some(channel) = input.as_mut() else { return Vec::new() };
    channel.tell(&Event::Line);
    match channel.command() {
        Some(Command::Line(line)) => line.unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// What programs at a prompt call to end themselves.
pub extern "C" fn sys_exit(code: i64) -> ! {
    let code = code as i32;
    let mut bytes = vec![b'X'];
    bytes.extend(code.to_le_bytes());
    say(&bytes);
    // SAFETY: null means all of C's files.
    unsafe { libc::fflush(std::ptr::null_mut()) };
    exit(code & 0xff)
}
