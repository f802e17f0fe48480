//! A client of the language server, over pipes.

use std::io::{BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Long enough for a loaded machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    pub child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next: i64,
    pub folder: PathBuf,
    /// The last reports of each document.
    reports: Vec<(String, Value)>,
    /// Responses that were not asked for yet.
    early: Vec<Value>,
}

impl Client {
    /// Starts a server that looks at a folder.
    pub fn start(folder: &Path) -> Self {
        let mut client = Self::unborn(folder);
        let answer = client.request("initialize", json!({ "capabilities": {} }));
        assert_eq!(answer["serverInfo"]["name"], "oxbow");
        client.notify("initialized", json!({}));
        client
    }

    /// A server that has not been greeted.
    pub fn unborn(folder: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_oxbow"))
            .arg("lsp")
            .current_dir(folder)
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let output = child.stdout.take().expect("a pipe");
        let input = child.stdin.take();
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let folder = folder.to_path_buf();
        Self { child, input, messages, next: 0, folder, reports: Vec::new(), early: Vec::new() }
    }

    pub fn uri(&self, file: &str) -> String {
        format!("file://{}", self.folder.join(file).display())
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server listens");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The response to a request.
    pub fn response(&mut self, id: i64) -> Value {
        if let Some(at) = self.early.iter().position(|it| it["id"] == id) {
            return self.early.remove(at);
        }
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.early.push(message);
        }
    }

    /// The next message without a receiver: about what could not be read.
    pub fn response_to_nobody(&mut self) -> Value {
        loop {
            let message = self.receive();
            if message["id"].is_null() && message["method"].is_null() {
                return message;
            }
            self.early.push(message);
        }
    }

    /// The next message that is no report; reports are kept.
    fn receive(&mut self) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("the server answers");
            if message["method"] != "textDocument/publishDiagnostics" {
                return message;
            }
            self.keep(message);
        }
    }

    fn keep(&mut self, message: Value) {
        let uri = message["params"]["uri"].as_str().unwrap_or_default().to_string();
        self.reports.retain(|it| it.0 != uri);
        self.reports.push((uri, message["params"].clone()));
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let response = self.response(id);
        assert!(response["error"].is_null(), "{method}: {response}");
        response["result"].clone()
    }

    /// The message of an error that a request ends in.
    pub fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.ask(method, params);
        let response = self.response(id);
        response["error"]["message"].as_str().unwrap_or_else(|| panic!("{response}")).to_string()
    }

    pub fn open(&mut self, file: &str, text: &str) {
        let uri = self.uri(file);
        let document = json!({ "uri": uri, "languageId": "x", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&mut self, file: &str, version: i64, changes: Value) {
        let uri = self.uri(file);
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.notify("textDocument/didChange", params);
    }

    pub fn close(&mut self, file: &str) {
        let uri = self.uri(file);
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Waits for the reports of a version of a document: codes and lines.
    pub fn reports(&mut self, file: &str, version: i64) -> Vec<(String, u64)> {
        let uri = self.uri(file);
        loop {
            let known = self.reports.iter().find(|it| it.0 == uri);
            if let Some((_, params)) = known
                && (params["version"] == version || version == 0)
            {
                return shown(params);
            }
            let message = self.messages.recv_timeout(PATIENCE).expect("the server reports");
            if message["method"] == "textDocument/publishDiagnostics" {
                self.keep(message);
            } else {
                self.early.push(message);
            }
        }
    }

    /// Waits until something is reported of a document: stages behind inference take longer.
    pub fn some_reports(&mut self, file: &str, version: i64) -> Vec<(String, u64)> {
        loop {
            let found = self.reports(file, version);
            if !found.is_empty() {
                return found;
            }
            self.forget_reports();
        }
    }

    pub fn forget_reports(&mut self) {
        self.reports.clear();
    }

    /// A request about a place.
    pub fn at(&mut self, method: &str, file: &str, position: Value) -> Value {
        let params = json!({ "textDocument": { "uri": self.uri(file) }, "position": position });
        self.request(&format!("textDocument/{method}"), params)
    }

    pub fn about(&mut self, method: &str, file: &str) -> Value {
        let params = json!({ "textDocument": { "uri": self.uri(file) } });
        self.request(&format!("textDocument/{method}"), params)
    }

    /// Says goodbye; the server ends by itself.
    pub fn end(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }

    /// Goes away without a word; how the server ends.
    pub fn die(mut self) -> Option<i32> {
        self.input = None;
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn shown(params: &Value) -> Vec<(String, u64)> {
    let all = params["diagnostics"].as_array().cloned().unwrap_or_default();
    let one = |it: &Value| {
        let code = it["code"].as_str().unwrap_or_default().to_string();
        (code, it["range"]["start"]["line"].as_u64().unwrap_or(0))
    };
    all.iter().map(one).collect()
}

fn read(output: &mut impl std::io::BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(text) = line.strip_prefix("Content-Length: ") {
            length = text.parse().ok()?;
        }
    }
    let mut bytes = vec![0; length];
    output.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// The position of the `nth` occurrence of a text, `ahead` characters into it.
pub fn place(text: &str, wanted: &str, nth: usize, ahead: usize) -> Value {
    let (start, _) = text.match_indices(wanted).nth(nth).unwrap_or_else(|| panic!("no {wanted}"));
    let before = &text[..start];
    let line = before.matches('\n').count();
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
    json!({ "line": line, "character": column + ahead })
}

/// `line:column` of the ranges in a list.
pub fn starts(found: &Value) -> Vec<String> {
    let one = |it: &Value| {
        let start = &it["range"]["start"];
        format!("{}:{}", start["line"], start["character"])
    };
    found.as_array().cloned().unwrap_or_default().iter().map(one).collect()
}

/// A text after the edits of a document.
pub fn edited(text: &str, edits: &Value) -> String {
    let mut all: Vec<(usize, usize, String)> = Vec::new();
    for edit in edits.as_array().into_iter().flatten() {
        let offset = |at: &Value| {
            let line = at["line"].as_u64().unwrap_or(0) as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            start + at["character"].as_u64().unwrap_or(0) as usize
        };
        let new = edit["newText"].as_str().unwrap_or_default().to_string();
        all.push((offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), new));
    }
    all.sort();
    let mut text = text.to_string();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
    text
}
