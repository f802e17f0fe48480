//! Libraries as dune installs them: modules with longer names than their files.
//!
//! ```text
//! yojson/common.ml   yojson/yojson__Common.cmi      the module Yojson__Common
//! yojson/yojson.ml   include Common                 `Common` is that one, in the files of this folder alone
//! ```
//!
//! The compiled interfaces beside the sources tell the names. The module that has names for the others (`Yojson__`) is
//! made here, with those whose sources are there; every file of the folder opens it, as dune compiles them. So a file
//! of a library never hides a module of another one that it does not know of (decision 212).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oxbow_base::Symbol;

/// A folder of such files.
pub struct Wrapped {
    folder: PathBuf,
    /// `Yojson__`
    pub names: Symbol,
    /// The modules with their files, `Yojson__Common` with `common.ml`.
    files: BTreeMap<String, PathBuf>,
    /// What the files are called, without their endings.
    stems: Vec<String>,
    /// The text of the module of names.
    pub text: String,
}

impl Wrapped {
    /// What a folder holds, if it is one of those.
    pub fn find(folder: &Path) -> Option<Self> {
        let mut compiled: Vec<String> = std::fs::read_dir(folder)
            .ok()?
            .filter_map(|it| it.ok()?.file_name().into_string().ok())
            .filter_map(|it| Some(it.strip_suffix(".cmi")?.to_string()))
            .filter(|it| it.split_once("__").is_some_and(|it| !it.1.is_empty()))
            .collect();
        compiled.sort_unstable();
        let prefix = compiled.first()?.split_once("__")?.0.to_string();
        let (mut files, mut stems, mut text) = (BTreeMap::new(), Vec::new(), String::new());
        for name in &compiled {
            let Some((_, short)) = name.split_once("__").filter(|it| it.0 == prefix) else {
                continue;
            };
            let lower = with_first(short, str::make_ascii_lowercase);
            let is_source = |stem: &&str| {
                ["ml", "mli"].iter().any(|it| folder.join(format!("{stem}.{it}")).is_file())
            };
            let Some(stem) = [lower.as_str(), short].into_iter().find(is_source) else { continue };
            let name = with_first(name, str::make_ascii_uppercase);
            let short = with_first(short, str::make_ascii_uppercase);
            text.push_str(&format!("module {short} = {name}\n"));
            files.insert(name, folder.join(stem));
            stems.push(stem.to_string());
        }
        if files.is_empty() {
            return None;
        }
        let names = Symbol::new(&format!("{}__", with_first(&prefix, str::make_ascii_uppercase)));
        Some(Self { folder: folder.to_path_buf(), names, files, stems, text })
    }

    pub fn holds(&self, path: &Path) -> bool {
        path.parent() == Some(&self.folder)
    }

    /// The file of a module by its long name, without its ending.
    pub fn file(&self, module: Symbol) -> Option<&Path> {
        self.files.get(module.as_str()).map(PathBuf::as_path)
    }

    /// Does a file without its ending belong to a module with a longer name?
    pub fn hides(&self, folder: &Path, stem: &str) -> bool {
        folder == self.folder && self.stems.iter().any(|it| it == stem)
    }
}

fn with_first(name: &str, change: fn(&mut str)) -> String {
    let mut name = name.to_string();
    if let Some(first) = name.get_mut(0..1) {
        change(first);
    }
    name
}
