//! The processes that look at programs: `oxbow index` gets a request, writes answers, and ends.

use std::io::{self, BufRead as _, BufReader, Lines, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::{Answer, Request};

/// What a process says, as soon as it says it; what is no answer is left out. It gets its request when the first answer
/// is asked for.
pub struct Answers {
    request: Option<(ChildStdin, Vec<u8>)>,
    lines: Option<Lines<BufReader<ChildStdout>>>,
}

/// Starts a process of this executable, which ends by itself when it has said all, or when it is killed.
pub fn ask(executable: &Path, request: &Request) -> io::Result<(Child, Answers)> {
    let text = serde_json::to_vec(request)?;
    let mut child = Command::new(executable)
        .arg("index")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let request = child.stdin.take().map(|it| (it, text));
    let lines = child.stdout.take().map(|it| BufReader::new(it).lines());
    Ok((child, Answers { request, lines }))
}

impl Iterator for Answers {
    type Item = Answer;

    fn next(&mut self) -> Option<Answer> {
        if let Some((mut input, text)) = self.request.take() {
            // A process that dies early reads nothing; that it ended is seen below.
            let _ = input.write_all(&text);
        }
        let lines = self.lines.as_mut()?;
        lines.map_while(Result::ok).find_map(|it| serde_json::from_str(&it).ok())
    }
}
