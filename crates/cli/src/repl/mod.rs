//! `oxbow repl`: a prompt in each language (decision 236).
//!
//! ```text
//! mod        the front end: what is typed becomes phrases and directives
//! split      where phrases end
//! editor     the line editor: history, completion, colours
//! process    phrases run in copies of the process
//! worker     what compiles and runs them
//! eshkol     the prompt of Eshkol, which is a program of its own
//! ```

mod editor;
mod eshkol;
mod process;
mod split;
mod worker;

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Instant;

use oxbow_driver::Language;

use process::{Channel, Command, Event};
use split::{First, first_phrase};

/// The name of what is typed, in diagnostics.
const TYPED: &str = "//toplevel//";

/// What the line editor works for.
trait Prompt {
    /// Runs all that has been typed.
    fn all(&mut self, text: &str) -> Next;
    /// What could stand at the end of a text.
    fn complete(&mut self, text: &str) -> Vec<String>;
    /// The code that the process ends with.
    fn end(&mut self) -> i32;
}

impl Prompt for Front {
    fn all(&mut self, text: &str) -> Next {
        self.phrases(text).0
    }

    fn complete(&mut self, text: &str) -> Vec<String> {
        let names = self.reply(Command::Complete(text.into())).unwrap_or_default();
        names.lines().map(str::to_string).collect()
    }

    fn end(&mut self) -> i32 {
        Self::end(self)
    }
}

/// What runs phrases, seen from the front end.
pub struct Front {
    worker: Channel,
    language: Language,
    times: bool,
    /// What has been accepted, for `#explain`.
    history: String,
}

/// Whether the prompt goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    Phrase,
    /// A phrase of a file was refused: the rest of the file is left.
    Refused,
    Exit(i32),
}

pub fn run(language: Language) -> i32 {
    // Its front end looks at whole programs: the form of a variable follows from all its uses.
    if language == Language::Eshkol {
        return eshkol::run();
    }
    process::end_with_the_reader();
    let worker = match process::start(move |channel| worker::run(channel, language)) {
        Ok(worker) => worker,
        Err(error) => {
            crate::report::print_error(&format!("error: no process for the prompt: {error}\n"));
            return 2;
        }
    };
    process::ignore_interrupts();
    let mut front = Front { worker, language, times: false, history: String::new() };
    match std::io::stdin().is_terminal() {
        true => editor::run(Box::new(front), language),
        false => match front.piped() {
            Next::Exit(code) => code,
            Next::Phrase | Next::Refused => front.end(),
        },
    }
}

/// The next line of the standard input, with its end; empty if there is no more.
fn next_line() -> std::io::Result<Vec<u8>> {
    let mut line = Vec::new();
    std::io::stdin().lock().read_until(b'\n', &mut line)?;
    Ok(line)
}

impl Front {
    /// Runs the phrases of the standard input. What follows the line of a phrase is left to its program.
    fn piped(&mut self) -> Next {
        let mut text = String::new();
        loop {
            let line = match next_line() {
                Ok(line) => line,
                Err(error) => {
                    let error = format!("error: the input cannot be read: {error}\n");
                    crate::report::print_error(&error);
                    return Next::Exit(2);
                }
            };
            if line.is_empty() {
                return self.rest(&text);
            }
            let line = String::from_utf8_lossy(&line);
            // A long phrase is not looked at again for each of its lines.
            let may_end = text.trim().is_empty() || line.contains(";;") || line.contains('#');
            text.push_str(&line);
            if may_end {
                let (next, done) = self.phrases(&text);
                if let it @ Next::Exit(_) = next {
                    return it;
                }
                text.drain(..done);
            }
        }
    }

    /// What stands behind the last phrase: F#'s prompt runs it, OCaml's says that it does not end.
    fn rest(&mut self, text: &str) -> Next {
        match (first_phrase(self.language, text), self.language) {
            (First::Nothing | First::Ends(..), _) => Next::Phrase,
            (First::Begins, Language::Clef | Language::ClefProject) => self.phrase(TYPED, text),
            (First::Begins, _) => {
                let text = text.trim_start().to_string();
                self.ask(&Command::Unfinished(TYPED.into(), text));
                Next::Phrase
            }
        }
    }

    /// Runs all phrases of a text; and where the last one ends.
    fn phrases(&mut self, text: &str) -> (Next, usize) {
        let mut at = 0;
        loop {
            match first_phrase(self.language, &text[at..]) {
                First::Ends(end, next) => {
                    let phrase = text[at..at + end].trim_start();
                    if let it @ Next::Exit(_) = self.phrase(TYPED, phrase) {
                        return (it, text.len());
                    }
                    at += next;
                }
                First::Nothing => return (Next::Phrase, text.len()),
                First::Begins => return (Next::Phrase, at),
            }
        }
    }

    /// A phrase or a directive.
    pub fn phrase(&mut self, name: &str, text: &str) -> Next {
        match directive(text) {
            Some((word, argument)) => self.directive(word, argument),
            None => self.evaluate(name, 1, text),
        }
    }

    /// Asks the worker, and gives the program the lines of the input that it wants meanwhile.
    fn ask(&mut self, command: &Command) -> Option<Event> {
        self.worker.ask(command).ok()?;
        loop {
            match self.worker.event()? {
                Event::Line => {
                    let line = next_line().ok().filter(|it| !it.is_empty());
                    self.worker.ask(&Command::Line(line)).ok()?;
                }
                event => return Some(event),
            }
        }
    }

    fn evaluate(&mut self, name: &str, line: u32, text: &str) -> Next {
        let start = Instant::now();
        let event = self.ask(&Command::Phrase(name.into(), line, text.into()));
        if event.is_none()
            && let Some(signal) = process::fatal_signal()
        {
            process::end_by(signal);
        }
        process::reap();
        if self.times {
            process::print(&format!("time: {:.1} ms\n", start.elapsed().as_secs_f64() * 1e3));
        }
        match event {
            Some(Event::Done) => {
                self.history.push_str(text);
                self.history.push_str(if self.language == Language::Eshkol {
                    "\n"
                } else {
                    ";;\n"
                });
                Next::Phrase
            }
            Some(Event::Exit(code)) => Next::Exit(code),
            Some(Event::Failed | Event::Reply(_) | Event::Phrases(_) | Event::Line) => {
                Next::Refused
            }
            None => {
                crate::report::print_error("error: the prompt has ended by itself\n");
                Next::Exit(2)
            }
        }
    }

    fn reply(&mut self, command: Command) -> Option<String> {
        match self.ask(&command)? {
            Event::Reply(text) => Some(text),
            Event::Done | Event::Failed | Event::Exit(_) | Event::Phrases(_) | Event::Line => None,
        }
    }

    fn directive(&mut self, word: &str, argument: &str) -> Next {
        let plain = argument.trim().trim_matches('"');
        match word {
            "quit" => return Next::Exit(self.end()),
            "help" => process::print(HELP),
            "time" => {
                self.times = match plain {
                    "on" => true,
                    "off" => false,
                    _ => !self.times,
                };
            }
            "show" => {
                let shown = self.reply(Command::Show(plain.into())).unwrap_or_default();
                match shown.is_empty() {
                    true => process::print("Unknown element.\n"),
                    false => process::print(&shown),
                }
            }
            "explain" => self.explain(plain),
            "use" => return self.use_file(plain),
            "load" | "mod_use" => return self.load(plain),
            _ => process::print(&format!("Unknown directive `{word}`.\n")),
        }
        Next::Phrase
    }

    /// Runs the phrases of a file as if they were typed, up to one that is refused.
    fn use_file(&mut self, path: &str) -> Next {
        let Some(Event::Phrases(phrases)) = self.ask(&Command::Split(path.into())) else {
            return Next::Refused;
        };
        for (line, phrase) in phrases {
            match self.evaluate(path, line, &phrase) {
                Next::Phrase => (),
                other => return other,
            }
        }
        Next::Phrase
    }

    /// Reads a file as a module.
    fn load(&mut self, path: &str) -> Next {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(_) => {
                process::print(&format!("Cannot find file {path}.\n"));
                return Next::Refused;
            }
        };
        let stem = std::path::Path::new(path).file_stem().and_then(|it| it.to_str());
        let mut module = stem.unwrap_or("Loaded").to_string();
        if let Some(first) = module.get_mut(0..1) {
            first.make_ascii_uppercase();
        }
        match self.language {
            Language::Ocaml => {
                self.evaluate(path, 1, &format!("module {module} = struct {text}\nend"))
            }
            _ => self.evaluate(path, 1, &text),
        }
    }

    /// What became of a function, if all that was accepted were one program.
    fn explain(&self, name: &str) {
        let ending = match self.language {
            Language::Clef | Language::ClefProject => "clef",
            Language::Eshkol => "esk",
            Language::Ocaml | Language::Mlir => "ml",
        };
        let file = std::env::temp_dir().join(format!("prompt-{}.{ending}", std::process::id()));
        let shown = std::fs::write(&file, &self.history).ok().and_then(|()| {
            let executable = std::env::current_exe().ok()?;
            let mut command = std::process::Command::new(executable);
            command.arg("explain").arg(&file).output().ok()
        });
        let _ = std::fs::remove_file(&file);
        let Some(output) = shown else {
            return process::print(&format!("Cannot explain `{name}`.\n"));
        };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let sections: Vec<&str> = text.split("\n\n").collect();
        let own = sections.iter().filter(|it| mentions(it, name));
        let own: Vec<&str> = own.copied().collect();
        let text = match own.is_empty() {
            true => format!("Nothing is left of `{name}` in the code, or it is no function."),
            false => own.join("\n\n").trim_end().to_string(),
        };
        process::print(&(text + "\n"));
    }

    /// The end of the program: what it has left for that moment is done.
    pub fn end(&mut self) -> i32 {
        if self.language == Language::Ocaml {
            match self.evaluate(TYPED, 1, "exit 0") {
                Next::Exit(code) => return code,
                Next::Phrase | Next::Refused => (),
            }
        }
        0
    }
}

/// Is the first line of an explanation about this function?
fn mentions(section: &str, name: &str) -> bool {
    let first = section.trim_start().lines().next().unwrap_or_default();
    first.split(|it: char| !(it.is_alphanumeric() || it == '_' || it == '\'')).any(|it| it == name)
}

/// The word and the argument of a directive.
fn directive(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim().strip_prefix('#')?;
    if !rest.starts_with(|it: char| it.is_ascii_alphabetic()) {
        return None;
    }
    Some(rest.split_once(char::is_whitespace).unwrap_or((rest, "")))
}

const HELP: &str = "\
#help               this list
#use \"file\"         run the phrases of a file as if they were typed
#load \"file\"        read a file as a module
#show name          the type or declaration of a name
#explain name       what became of a function: captures, representation, storage
#time               show how long each phrase takes, or stop it
#quit               leave the prompt
";
