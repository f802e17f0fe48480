//! Renaming, checked by the compiler: the program is looked at with the new name before the editor gets the change. If
//! there are errors that were not there, or if some name means something else then, it is refused.
//!
//! ```text
//! let f x = { x; y = x }        x to z        let f z = { x = z; y = z }
//! f ~x                          x to z        f ~x:z
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use oxbow_driver::Language;
use oxbow_driver::index::{Index, Kind, Request, Want};
use serde_json::{Value, json};

use crate::protocol::{Position, REQUEST_FAILED};
use crate::server::{Server, State, Task, TaskKind};
use crate::text::Text;
use crate::view::View;
use crate::{analysis, complete, navigate, project};

/// Bytes that are replaced, and by what.
type Change = (u32, u32, String);

/// A change that is being checked.
pub struct Checking {
    changes: BTreeMap<String, Vec<Change>>,
    /// The programs that have not been looked at, the one at hand first.
    mains: Vec<PathBuf>,
    new_name: String,
}

pub fn prepare(view: &View<'_>, at: u32) -> Value {
    match target(view, at) {
        Ok((start, end, number)) => json!({
            "range": view.range((start, end)),
            "placeholder": view.definition(number).name,
        }),
        Err(_) => Value::Null,
    }
}

/// The mention that is renamed, or why it cannot be.
fn target(view: &View<'_>, at: u32) -> Result<(u32, u32, u32), String> {
    let mentions = view.mentions_at(at);
    // `{ x }` is a field and a variable.
    let value = mentions.iter().find(|it| view.definition(it.2).kind == Kind::Value);
    let Some(&(start, end, number)) = value.or(mentions.first()) else {
        return Err("there is no name here".into());
    };
    let definition = view.definition(number);
    let name = &definition.name;
    let all = &view.index.definitions;
    let is_library = all
        .iter()
        .filter(|it| it.group == definition.group)
        .any(|it| view.index.files[it.place.file as usize].is_library);
    if is_library {
        return Err(format!("`{name}` belongs to the library"));
    }
    match definition.kind {
        Kind::Module => return Err("a module has the name of its file or of other uses".into()),
        Kind::ModuleType | Kind::Macro => {
            return Err(format!("`{name}` is of a kind that is not renamed"));
        }
        Kind::Value | Kind::Type | Kind::Constructor | Kind::Field | Kind::Method => (),
    }
    if !name.starts_with(|it: char| it.is_alphabetic() || it == '_') {
        return Err(format!("`{name}` is an operator"));
    }
    Ok((start, end, number))
}

/// Is this the name of such a thing in the language?
fn check_name(language: Language, kind: Kind, name: &str) -> Result<(), String> {
    let is_part = complete::is_part(language);
    let first = name.chars().next().unwrap_or(' ');
    let is_name = name.chars().all(is_part) && !first.is_ascii_digit() && first != '\'';
    if !is_name || complete::is_keyword(language, name) {
        return Err(format!("`{name}` is not a name"));
    }
    let wants_upper = kind == Kind::Constructor;
    if language == Language::Ocaml && first.is_uppercase() != wants_upper {
        let case = if wants_upper { "an upper-case" } else { "a lower-case" };
        return Err(format!("such a name begins with {case} letter"));
    }
    Ok(())
}

pub fn start(server: &mut Server, id: Value, (path, mains): (&Path, &[PathBuf]), params: &Value) {
    match checking(&server.state, (path, mains), params) {
        Ok(checking) => next(server, id, Box::new(checking)),
        Err(why) => refuse(server, id, why),
    }
}

fn refuse(server: &mut Server, id: Value, why: String) {
    server.fail(&id, REQUEST_FAILED, &why);
}

/// Lets a process look at the next program with the new name.
pub fn next(server: &mut Server, id: Value, checking: Box<Checking>) {
    let Some(main) = checking.mains.first().cloned() else {
        let edit = checking.edit(&server.state);
        return server.respond(&id, edit);
    };
    let request = checking.request(&server.state, &main);
    let number = server.next_number();
    let executable = &server.state.world.executable;
    match analysis::start(executable, &request, (number, 0), server.events.clone()) {
        Ok(running) => {
            let kind = TaskKind::Rename(checking);
            server.tasks.insert(number, Task { id, running, kind });
        }
        Err(error) => refuse(server, id, error.to_string()),
    }
}

fn checking(
    state: &State,
    (path, mains): (&Path, &[PathBuf]),
    params: &Value,
) -> Result<Checking, String> {
    let position: Position = serde_json::from_value(params["position"].clone()).unwrap_or_default();
    let new_name = params["newName"].as_str().unwrap_or_default().to_string();
    let view = View::new(state, path).ok_or("the file cannot be looked at")?;
    let at = view.offset(position);
    let (_, _, number) = target(&view, at)?;
    let language = project::language(path).unwrap_or_default();
    let kind = view.definition(number).kind;
    check_name(language, kind, &new_name)?;
    let mut changes: BTreeMap<String, BTreeSet<Change>> = BTreeMap::new();
    let mut concerned = Vec::new();
    for (other, group) in navigate::of_programs(&view, (path, mains), number) {
        for file in other.index.files.iter().filter(|it| !it.is_library) {
            let own = file.mentions.iter().filter(|it| other.group(it.2) == group);
            let Some(text) = state.text_of(&file.name) else { continue };
            for mention in own {
                let rest = file.mentions.iter().find(|it| {
                    (it.0, it.1) == (mention.0, mention.1) && other.group(it.2) != group
                });
                let pun = rest.map(|it| other.definition(it.2).kind);
                let change = change(&text, (mention.0, mention.1), pun, &new_name);
                changes.entry(file.name.clone()).or_default().insert(change);
            }
        }
    }
    for main in mains {
        let index = state.programs.get(main).and_then(|it| it.index.as_ref());
        let has = |it: &Rc<Index>| it.files.iter().any(|it| changes.contains_key(&it.name));
        if index.is_some_and(has) {
            concerned.push(main.clone());
        }
    }
    let changes = changes.into_iter().map(|it| (it.0, it.1.into_iter().collect())).collect();
    Ok(Checking { changes, mains: concerned, new_name })
}

/// The new text of a mention, where a name stands for two things, too.
fn change(text: &Text, (start, end): (u32, u32), pun: Option<Kind>, new: &str) -> Change {
    let old = text.slice(start as usize, end as usize);
    let before = text.as_str().get(..start as usize).unwrap_or("");
    match pun {
        Some(Kind::Field) => return (start, end, format!("{old} = {new}")),
        Some(Kind::Value) => return (start, end, format!("{new} = {old}")),
        _ => (),
    }
    if before.ends_with(['~', '?']) {
        return (start, end, format!("{old}:{new}"));
    }
    if before.ends_with("~(") || before.ends_with("?(") {
        return (start - 1, end, format!("{old}:({new}"));
    }
    (start, end, new.to_string())
}

impl Checking {
    fn request(&self, state: &State, main: &Path) -> Request {
        let mut request = state.request(main, Want::Index);
        for (file, changes) in &self.changes {
            let Some(text) = state.text_of(file) else { continue };
            let mut text = text.as_str().to_string();
            for (start, end, new) in changes.iter().rev() {
                text.replace_range(*start as usize..*end as usize, new);
            }
            request.texts.insert(PathBuf::from(file), text);
        }
        request
    }

    /// What a program with the new name says of it.
    pub fn verdict(&mut self, state: &State, new: &Index) -> Result<(), String> {
        let main = self.mains.remove(0);
        let old = state.programs.get(&main).and_then(|it| it.index.clone());
        let old = old.ok_or("the program has changed meanwhile")?;
        let errors = |index: &Index| index.reports.iter().filter(|it| it.is_error).count();
        if errors(new) > errors(&old) {
            let said = new.reports.iter().find(|it| it.is_error).map(|it| it.message.as_str());
            return Err(format!(
                "with the name `{}` the program has an error: {}",
                self.new_name,
                said.unwrap_or_default()
            ));
        }
        let (before, after) = (self.meanings(&old, true), self.meanings(new, false));
        match before.symmetric_difference(&after).next() {
            None => Ok(()),
            Some(_) => Err(format!("`{}` means something else already", self.new_name)),
        }
    }

    /// Which definition each mention means, at their places in the new text.
    fn meanings(&self, index: &Index, is_old: bool) -> BTreeSet<(String, u32, String, u32)> {
        let moved = |file: &str, at: u32| if is_old { self.moved(file, at) } else { Some(at) };
        let mut found = BTreeSet::new();
        for file in index.files.iter().filter(|it| !it.is_library) {
            for &(start, _, number) in &file.mentions {
                let definition = &index.definitions[number as usize];
                let target = &index.files[definition.place.file as usize].name;
                let to = definition.place.start;
                if !is_old && (self.is_pun(&file.name, start) || self.is_pun(target, to)) {
                    continue;
                }
                let at = moved(&file.name, start);
                if let (Some(at), Some(to)) = (at, moved(target, to)) {
                    found.insert((file.name.clone(), at, target.clone(), to));
                }
            }
        }
        found
    }

    /// Where a place is after the change; nowhere, if a name for two things was there.
    fn moved(&self, file: &str, at: u32) -> Option<u32> {
        let mut offset = i64::from(at);
        for (start, end, new) in self.changes.get(file).into_iter().flatten() {
            if *start <= at && at < *end {
                return (*new == self.new_name).then_some(offset as u32);
            }
            if *end <= at {
                offset += new.len() as i64 - i64::from(end - start);
            }
        }
        Some(offset as u32)
    }

    /// Is the place of the new text inside of what a name for two things has become?
    fn is_pun(&self, file: &str, at: u32) -> bool {
        let mut offset: i64 = 0;
        for (start, end, new) in self.changes.get(file).into_iter().flatten() {
            let begin = i64::from(*start) + offset;
            let inside = begin <= i64::from(at) && i64::from(at) < begin + new.len() as i64;
            if inside && *new != self.new_name {
                return true;
            }
            offset += new.len() as i64 - i64::from(end - start);
        }
        false
    }

    fn edit(&self, state: &State) -> Value {
        let mut changes: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for (file, edits) in &self.changes {
            let (Some(text), Some(uri)) = (state.text_of(file), state.uri_of(file)) else {
                continue;
            };
            let edits = edits.iter().map(|(start, end, new)| {
                json!({ "range": text.range(*start as usize, *end as usize), "newText": new })
            });
            changes.insert(uri, edits.collect());
        }
        json!({ "changes": changes })
    }
}
