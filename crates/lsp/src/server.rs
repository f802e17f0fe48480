//! The loop of the server: what the editor says, what processes say, and who waits for what.
//!
//! ```text
//! didChange ──▶ the programs of the file are stale; their processes are killed
//! a request ──▶ waits until the programs that it is about have been looked at
//! an index  ──▶ answers those who waited, reports are published
//! ```

mod publish;
mod schedule;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Instant;

use oxbow_driver::index::{self, Answer, Index, Report, Want};
use serde_json::{Value, json};

use crate::analysis::{Event, Running};
use crate::protocol::{self, Message, path_of};
use crate::text::Text;
use crate::view::View;
use crate::{World, complete, convert, hints, project, rename};

/// What the server hears.
pub enum Heard {
    Editor(Message),
    /// The editor has gone away.
    Silence,
    Process(Event),
}

/// Talks to an editor until it says goodbye or goes away; whether it said goodbye as it should.
pub fn serve(executable: PathBuf, folders: Vec<PathBuf>) -> bool {
    let folders = folders.iter().map(|it| std::path::absolute(it).unwrap_or(it.clone())).collect();
    let (events, heard) = channel();
    let editor = events.clone();
    std::thread::spawn(move || {
        let mut input = std::io::stdin().lock();
        while let Some(message) = protocol::read(&mut input) {
            if editor.send(Heard::Editor(message)).is_err() {
                return;
            }
        }
        let _ = editor.send(Heard::Silence);
    });
    let mut server = Server {
        state: State::new(World { executable, folders }),
        events,
        waiting: Vec::new(),
        tasks: BTreeMap::new(),
        numbers: 0,
        published: BTreeMap::new(),
        phase: Phase::Unborn,
        refreshes_hints: false,
    };
    server.run(&heard);
    server.phase != Phase::Gone
}

/// How far the talk with the editor has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It has not been greeted.
    Unborn,
    Alive,
    /// It has said that it will go.
    Leaving,
    /// It went without a word in the middle of the talk.
    Gone,
}

/// A document that the editor has open.
pub struct Document {
    pub version: i32,
    pub text: Rc<Text>,
}

/// A program, and what is known of it.
#[derive(Default)]
pub struct Program {
    pub index: Option<Rc<Index>>,
    /// The state of the documents that the index is about.
    known: u64,
    /// The last change that it has to do with.
    changed: u64,
    running: Option<Running>,
    reports: Vec<Report>,
    /// Have stages behind inference reported something of the last text that they have seen?
    has_late_reports: bool,
    /// Does an open document belong to it?
    is_open: bool,
    explaining: Option<Running>,
    pub explanation: Option<Value>,
    explained: u64,
    /// All stages have looked at it and found no error.
    is_whole: bool,
}

impl Program {
    fn is_stale(&self) -> bool {
        self.known < self.changed
    }

    /// Is the explanation about the last text?
    pub fn is_explained(&self) -> bool {
        !self.is_stale() && self.explained == self.known && self.explaining.is_none()
    }
}

/// What the server knows.
pub struct State {
    pub world: World,
    pub documents: BTreeMap<PathBuf, Document>,
    pub programs: BTreeMap<PathBuf, Program>,
    pub hints: hints::Wanted,
    revision: u64,
    last_change: Instant,
}

impl State {
    fn new(world: World) -> Self {
        let (documents, programs) = (BTreeMap::new(), BTreeMap::new());
        let hints = hints::Wanted::default();
        Self { world, documents, programs, hints, revision: 1, last_change: Instant::now() }
    }

    pub fn is_file(&self, path: &Path) -> bool {
        self.documents.contains_key(path) || path.is_file()
    }

    pub fn main_of(&self, path: &Path) -> PathBuf {
        project::main_of(path, |it| self.is_file(it))
    }

    pub fn index_of(&self, path: &Path) -> Option<Rc<Index>> {
        self.programs.get(&self.main_of(path))?.index.clone()
    }

    /// The text of a file: the editor's, the library's, or what is on the disk.
    pub fn text_of(&self, name: &str) -> Option<Rc<Text>> {
        if let Some(document) = self.documents.get(Path::new(name)) {
            return Some(document.text.clone());
        }
        if let Some(text) = index::library_text(name) {
            return Some(Rc::new(Text::new(text.into())));
        }
        Some(Rc::new(Text::new(index::text_of(Path::new(name))?)))
    }

    /// The address of a file. One of the library is written out, so that editors can open it.
    pub fn uri_of(&self, name: &str) -> Option<String> {
        match index::library_text(name) {
            Some(text) => convert::library_file(name, text),
            None => Some(protocol::uri_of(Path::new(name))),
        }
    }

    /// The reports of the program that a file belongs to.
    pub fn reports_of(&self, name: &str) -> &[Report] {
        let program = self.programs.get(&self.main_of(Path::new(name)));
        program.map(|it| it.reports.as_slice()).unwrap_or_default()
    }

    /// What a process is asked.
    pub fn request(&self, main: &Path, want: Want) -> index::Request {
        let texts = self.documents.iter();
        index::Request {
            main: main.to_path_buf(),
            folders: self.world.folders.clone(),
            texts: texts.map(|it| (it.0.clone(), it.1.text.as_str().to_string())).collect(),
            want,
        }
    }

    /// A document has changed, or a file on the disk.
    fn touch(&mut self, path: Option<&Path>) {
        self.revision += 1;
        self.last_change = Instant::now();
        let name = path.and_then(Path::to_str);
        for (main, program) in &mut self.programs {
            let has =
                |index: &Rc<Index>| index.files.iter().any(|it| Some(it.name.as_str()) == name);
            let beside = path.is_some_and(|it| it.parent() == main.parent());
            if name.is_none() || beside || program.index.as_ref().is_none_or(has) {
                program.changed = self.revision;
                program.running = None;
                program.explaining = None;
            }
        }
    }
}

/// A request whose programs have not all been looked at.
struct Waiting {
    id: Value,
    method: String,
    params: Value,
    mains: Vec<PathBuf>,
}

/// A question of one request, with a process of its own.
pub struct Task {
    pub id: Value,
    pub running: Running,
    pub kind: TaskKind,
}

pub enum TaskKind {
    Completion(complete::Place),
    Rename(Box<rename::Checking>),
}

pub struct Server {
    pub state: State,
    pub events: Sender<Heard>,
    waiting: Vec<Waiting>,
    pub tasks: BTreeMap<u64, Task>,
    numbers: u64,
    /// What the editor knows of each file.
    published: BTreeMap<PathBuf, Value>,
    phase: Phase,
    /// Does the editor ask for hints again when it is told to?
    refreshes_hints: bool,
}

impl Server {
    fn run(&mut self, heard: &Receiver<Heard>) {
        loop {
            self.start_due();
            let pause = self.pause();
            let mut next = match heard.recv_timeout(pause) {
                Ok(it) => Some(it),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            // All that has been said is heard before anything is started.
            while let Some(it) = next {
                match it {
                    Heard::Editor(message) => {
                        if !self.message(message) {
                            return;
                        }
                    }
                    Heard::Silence => {
                        if self.phase == Phase::Alive {
                            self.phase = Phase::Gone;
                        }
                        return;
                    }
                    Heard::Process(event) => self.event(event),
                }
                next = heard.try_recv().ok();
            }
            self.answer_waiting();
        }
    }

    /// Whether the talk goes on.
    fn message(&mut self, it: Message) -> bool {
        let Message { id, method, params } = it;
        match (id, method.as_str()) {
            (None, "exit") => {
                // Without a `shutdown` before it, also before `initialize`, that is a fault.
                if self.phase != Phase::Leaving {
                    self.phase = Phase::Gone;
                }
                return false;
            }
            (None, protocol::UNREADABLE) => {
                self.fail(&Value::Null, protocol::PARSE_ERROR, "the message is not JSON");
            }
            (Some(id), "initialize") => {
                self.phase = Phase::Alive;
                self.settings(&params["initializationOptions"]);
                let client = &params["capabilities"]["workspace"]["inlayHint"];
                self.refreshes_hints = client["refreshSupport"] == true;
                let answer = json!({
                    "capabilities": convert::capabilities(),
                    "serverInfo": { "name": "oxbow", "version": env!("CARGO_PKG_VERSION") },
                });
                self.respond(&id, answer);
            }
            (Some(id), "shutdown") => {
                self.phase = Phase::Leaving;
                self.respond(&id, Value::Null);
            }
            (Some(id), _) if self.phase == Phase::Unborn => {
                self.fail(&id, protocol::NOT_INITIALIZED, "the server has not been initialized");
            }
            // What is said before the greeting is not heard.
            (None, _) if self.phase == Phase::Unborn => (),
            (Some(id), _) if self.phase != Phase::Alive => {
                self.fail(&id, protocol::INVALID_REQUEST, "the server is not there for requests");
            }
            // A response: nothing was asked.
            (_, "") => (),
            (Some(id), _) => self.request(id, method, params),
            (None, _) => self.notification(&method, &params),
        }
        true
    }

    fn send(&mut self, message: &Value) {
        // An editor that has gone away is noticed when it is listened to.
        let _ = protocol::write(&mut std::io::stdout().lock(), message);
    }

    pub fn respond(&mut self, id: &Value, result: Value) {
        self.send(&protocol::response(id, result));
    }

    pub fn fail(&mut self, id: &Value, code: i32, message: &str) {
        self.send(&protocol::failure(id, code, message));
    }

    pub fn next_number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    fn notification(&mut self, method: &str, params: &Value) {
        match method {
            "textDocument/didOpen" => self.opened(&params["textDocument"]),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => {
                if let Some(path) = path_of(&params["textDocument"]["uri"]) {
                    self.state.documents.remove(&path);
                    self.state.touch(Some(&path));
                    self.find_open();
                }
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => self.state.touch(None),
            "workspace/didChangeConfiguration" => self.settings(&params["settings"]),
            "$/cancelRequest" => self.cancel(&params["id"]),
            _ => (),
        }
    }

    fn settings(&mut self, settings: &Value) {
        if let Some(wanted) = hints::Wanted::of(settings).filter(|it| *it != self.state.hints) {
            self.state.hints = wanted;
            self.refresh_hints();
        }
    }

    /// There are other hints than the editor has been given.
    fn refresh_hints(&mut self) {
        if self.refreshes_hints {
            let id = format!("hints-{}", self.next_number());
            self.send(&protocol::request(&json!(id), "workspace/inlayHint/refresh"));
        }
    }

    fn opened(&mut self, document: &Value) {
        let (Some(path), Some(text)) = (path_of(&document["uri"]), document["text"].as_str())
        else {
            return;
        };
        if project::language(&path).is_none() {
            return;
        }
        let version = document["version"].as_i64().unwrap_or(0) as i32;
        let text = Rc::new(Text::new(text.into()));
        self.state.documents.insert(path.clone(), Document { version, text });
        self.state.touch(Some(&path));
        self.find_open();
    }

    fn changed(&mut self, params: &Value) {
        let Some(path) = path_of(&params["textDocument"]["uri"]) else { return };
        // A change of what is not open is out of order.
        let Some(document) = self.state.documents.get_mut(&path) else { return };
        document.version =
            params["textDocument"]["version"].as_i64().map_or(document.version, |it| it as i32);
        let text = Rc::make_mut(&mut document.text);
        for change in params["contentChanges"].as_array().into_iter().flatten() {
            let Some(new) = change["text"].as_str() else { continue };
            match serde_json::from_value(change["range"].clone()) {
                Ok(range) => text.edit(range, new),
                Err(_) => *text = Text::new(new.into()),
            }
        }
        self.state.touch(Some(&path));
    }

    /// Which programs open documents belong to; reports of others are taken back.
    fn find_open(&mut self) {
        let open: BTreeSet<PathBuf> =
            self.state.documents.keys().map(|it| self.state.main_of(it)).collect();
        let revision = self.state.revision;
        for main in &open {
            let program = self.state.programs.entry(main.clone()).or_default();
            if program.known == 0 {
                program.changed = revision;
            }
        }
        self.state.programs.retain(|main, _| open.contains(main));
        for program in self.state.programs.values_mut() {
            program.is_open = true;
        }
        self.publish();
    }

    fn cancel(&mut self, id: &Value) {
        let before = self.waiting.len() + self.tasks.len();
        self.waiting.retain(|it| it.id != *id);
        self.tasks.retain(|_, it| it.id != *id);
        if self.waiting.len() + self.tasks.len() < before {
            self.fail(id, protocol::CANCELLED, "cancelled");
        }
    }

    fn request(&mut self, id: Value, method: String, params: Value) {
        let Some(path) = path_of(&params["textDocument"]["uri"]) else {
            return match method.as_str() {
                "workspace/symbol" => {
                    let mains = self.state.programs.keys().cloned().collect();
                    self.waiting.push(Waiting { id, method, params, mains });
                }
                _ => self.unknown(&id, &method),
            };
        };
        if !convert::METHODS.contains(&method.as_str()) {
            return self.unknown(&id, &method);
        }
        if !self.state.documents.contains_key(&path) {
            return self.respond(&id, Value::Null);
        }
        let mains = match method.as_str() {
            "textDocument/references" | "textDocument/rename" => {
                project::around(&path, |it| self.state.is_file(it))
            }
            // It looks at a text of its own.
            "textDocument/completion" => Vec::new(),
            _ => vec![self.state.main_of(&path)],
        };
        self.waiting.push(Waiting { id, method, params, mains });
    }

    fn unknown(&mut self, id: &Value, method: &str) {
        self.fail(id, protocol::METHOD_NOT_FOUND, &format!("`{method}` is not known"));
    }

    fn event(&mut self, event: Event) {
        if self.tasks.contains_key(&event.number) {
            return self.task_event(event);
        }
        let of = |it: &Option<Running>| it.as_ref().is_some_and(|it| it.number == event.number);
        let found =
            self.state.programs.values_mut().find(|it| of(&it.running) || of(&it.explaining));
        // One that was killed may still have had something to say.
        let Some(program) = found else { return };
        let is_open = program.is_open;
        let revision = program.running.as_ref().map_or(program.known, |it| it.revision);
        match event.answer {
            Some(Answer::Index(index)) => {
                program.known = revision;
                program.reports.clone_from(&index.reports);
                program.is_whole = false;
                let has_errors = index.reports.iter().any(|it| it.is_error);
                program.index = Some(Rc::new(index));
                // What later stages had to say of the last text they will likely say of this one, too: it shall not
                // vanish for a moment.
                if is_open && (has_errors || !program.has_late_reports) {
                    self.publish();
                }
            }
            Some(Answer::Checked(reports)) => {
                program.is_whole = !reports.iter().any(|it| it.is_error);
                program.has_late_reports = reports.len() > program.reports.len();
                program.reports = reports;
                if is_open {
                    self.publish();
                }
            }
            Some(Answer::Explanation(value)) => program.explanation = Some(value),
            Some(Answer::Failed(_)) if of(&program.running) => {
                // A file is gone, or cannot be read.
                program.known = revision;
                program.index = None;
                program.reports.clear();
                self.publish();
            }
            Some(Answer::Failed(_) | Answer::Completion(_)) => (),
            None if of(&program.running) => {
                program.running = None;
                // It has died without an answer: the last index has to do.
                program.known = program.known.max(revision);
            }
            None => {
                program.explaining = None;
                if self.state.hints != hints::Wanted::default() {
                    self.refresh_hints();
                }
            }
        }
    }

    /// Answers the requests whose programs have been looked at.
    fn answer_waiting(&mut self) {
        let is_ready = |it: &Waiting| {
            it.mains.iter().all(|main| {
                self.state.programs.get(main).is_some_and(|it| !it.is_stale() && it.known > 0)
            })
        };
        let (ready, rest): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(is_ready);
        self.waiting = rest;
        for it in ready {
            self.answer(it);
        }
        // Programs that were looked at for one request only are not kept.
        if self.waiting.is_empty() && self.tasks.is_empty() {
            self.state.programs.retain(|_, it| it.is_open);
        }
    }

    fn answer(&mut self, it: Waiting) {
        let Waiting { id, method, params, mains } = it;
        if method == "workspace/symbol" {
            let query = params["query"].as_str().unwrap_or_default();
            let found = crate::symbols::of_workspace(&self.state, &mains, query);
            return self.respond(&id, found);
        }
        let Some(path) = path_of(&params["textDocument"]["uri"]) else { return };
        match method.as_str() {
            "textDocument/completion" => return complete::start(self, id, &path, &params),
            "textDocument/rename" => return rename::start(self, id, (&path, &mains), &params),
            _ => (),
        }
        let found = match View::new(&self.state, &path) {
            Some(view) => convert::answer(&view, &path, &method, &params, &mains),
            None => Value::Null,
        };
        self.respond(&id, found);
    }
}
