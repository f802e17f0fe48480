//! The protocol: frames, requests and responses, positions, ranges, addresses of files.
//!
//! ```text
//! Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}
//! ```

use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A line and UTF-16 units in it, from 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Position {
    pub line: u32,
    pub character: u32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    pub start: Position,
    pub end: Position,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Location {
    pub uri: String,
    pub range: Range,
}

/// A message of the editor.
#[derive(Clone, Debug)]
pub struct Message {
    /// Only requests have one.
    pub id: Option<Value>,
    /// Responses have none.
    pub method: String,
    pub params: Value,
}

pub const PARSE_ERROR: i32 = -32700;
pub const INVALID_REQUEST: i32 = -32600;
pub const NOT_INITIALIZED: i32 = -32002;
pub const METHOD_NOT_FOUND: i32 = -32601;
pub const CANCELLED: i32 = -32800;
pub const REQUEST_FAILED: i32 = -32803;

/// A larger message is no text of a person.
const MOST: usize = 256 << 20;

/// The method of what is no message: it is told, so that nobody waits for an answer.
pub const UNREADABLE: &str = "$/unreadable";

/// The next message; none at the end.
pub fn read(input: &mut impl BufRead) -> Option<Message> {
    loop {
        let mut length = None;
        loop {
            let mut line = Vec::new();
            if input.read_until(b'\n', &mut line).ok()? == 0 {
                return None;
            }
            let line = String::from_utf8_lossy(&line);
            let line = line.trim();
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse::<usize>().ok();
            }
        }
        let Some(length) = length.filter(|it| *it <= MOST) else { continue };
        let mut bytes = vec![0; length];
        input.read_exact(&mut bytes).ok()?;
        let value = serde_json::from_slice::<Value>(&bytes)
            .or_else(|_| serde_json::from_str(&mended(&String::from_utf8_lossy(&bytes))));
        let Ok(mut value) = value else {
            let method = UNREADABLE.to_string();
            return Some(Message { id: None, method, params: Value::Null });
        };
        if !value.is_object() {
            continue;
        }
        let id = value.get("id").cloned().filter(|it| it.is_number() || it.is_string());
        let method = value["method"].as_str().unwrap_or_default().to_string();
        return Some(Message { id, method, params: value["params"].take() });
    }
}

/// Halves of surrogate pairs that stand alone, which editors have in texts for a moment, become a character of the same
/// width: otherwise the whole change would be lost.
fn mended(text: &str) -> String {
    let half = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok().filter(|it| (0xD800..0xE000).contains(it))
    };
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        out += &text[at..at + found];
        at += found;
        let is_pair = |it: &u32| *it < 0xDC00 && half(at + 6).is_some_and(|it| it >= 0xDC00);
        let length = match half(at) {
            Some(high) if is_pair(&high) => 12,
            Some(_) => {
                out += "\\ufffd";
                at += 6;
                continue;
            }
            // Of an escape sequence at least two characters belong together.
            None => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        };
        out += &text[at..at + length];
        at += length;
    }
    out + &text[at..]
}

/// Writes a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

pub fn response(id: &Value, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// A request without parameters.
pub fn request(id: &Value, method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method })
}

pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// `file:///a%20b.ml`
pub fn uri_of(path: &Path) -> String {
    let mut uri = String::from("file://");
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            it if it.is_ascii_alphanumeric() => uri.push(char::from(it)),
            it => {
                let _ = write!(uri, "%{it:02X}");
            }
        }
    }
    uri
}

/// The path of an address, if it is one of a file.
pub fn path_of(uri: &Value) -> Option<PathBuf> {
    let rest = uri.as_str()?.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    if !rest.starts_with('/') {
        return None;
    }
    let mut bytes = Vec::new();
    let mut todo = rest.bytes();
    while let Some(byte) = todo.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [todo.next()?, todo.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_pairs() {
        let text = r#"{"a":"\ud83d\ude00 \ud83d \ude00\\ud83d \ud83d\ud83d\ude00é"}"#;
        let value: Value = serde_json::from_str(&mended(text)).expect("it can be read");
        assert_eq!(value["a"], "😀 \u{fffd} \u{fffd}\\ud83d \u{fffd}😀é");
    }

    #[test]
    fn addresses() {
        let path = Path::new("/a b/é#.ml");
        assert_eq!(uri_of(path), "file:///a%20b/%C3%A9%23.ml");
        assert_eq!(path_of(&json!(uri_of(path))).as_deref(), Some(path));
        for bad in ["http://a/b", "file://host/b", "file:///a%4", "file:///a%zz", ""] {
            assert_eq!(path_of(&json!(bad)), None, "{bad}");
        }
    }

    #[test]
    fn frames() {
        let mut bytes = Vec::new();
        write(&mut bytes, &notification("a", json!({ "x": "é" }))).expect("memory");
        bytes.extend(b"Content-Length: 4\r\n\r\nnull");
        bytes.extend(b"content-length:  3\r\nOther: 1\r\n\r\n{]}");
        write(&mut bytes, &json!({ "id": "q", "method": "b" })).expect("memory");
        bytes.extend(b"Content-Length: 99\r\n\r\nhalf");
        let mut input = bytes.as_slice();
        let first = read(&mut input).expect("a message");
        assert_eq!((first.method.as_str(), &first.params["x"]), ("a", &json!("é")));
        let unreadable = read(&mut input).expect("what is no message is told");
        assert_eq!((unreadable.method.as_str(), unreadable.id), (UNREADABLE, None));
        let second = read(&mut input).expect("a message");
        assert_eq!((second.method.as_str(), second.id), ("b", Some(json!("q"))));
        assert!(read(&mut input).is_none());
    }
}
