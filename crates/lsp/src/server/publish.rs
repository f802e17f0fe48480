//! Which reports the editor is told of, and when they are taken back.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use oxbow_driver::index::Report;
use serde_json::{Value, json};

use super::Server;
use crate::{convert, protocol};

impl Server {
    /// Publishes the reports of the open programs that have been looked at, where they differ from what the editor
    /// knows.
    pub(super) fn publish(&mut self) {
        let mut files: BTreeMap<PathBuf, Vec<&Report>> =
            self.state.documents.keys().map(|it| (it.clone(), Vec::new())).collect();
        files.extend(self.published.keys().map(|it| (it.clone(), Vec::new())));
        let mut stale: BTreeSet<PathBuf> = BTreeSet::new();
        for (main, program) in self.state.programs.iter().filter(|it| it.1.is_open) {
            if program.is_stale() {
                stale.insert(main.clone());
                let index = program.index.iter().flat_map(|it| &it.files);
                stale.extend(index.map(|it| PathBuf::from(&it.name)));
            }
            for report in &program.reports {
                let file = report.primary.as_ref().map(|it| PathBuf::from(&it.file));
                let all = files.entry(file.unwrap_or_else(|| main.clone())).or_default();
                if !all.contains(&report) {
                    all.push(report);
                }
            }
        }
        let mut said: Vec<(PathBuf, Value)> = Vec::new();
        for (path, reports) in files.into_iter().filter(|it| !stale.contains(&it.0)) {
            // A document of another program waits for that.
            let main = self.state.main_of(&path);
            if self.state.documents.contains_key(&path) && stale.contains(&main) {
                continue;
            }
            let Some(uri) = path.to_str().and_then(|it| self.state.uri_of(it)) else { continue };
            let shown: Vec<Value> =
                reports.iter().map(|it| convert::diagnostic(&self.state, it)).collect();
            let version = self.state.documents.get(&path).map(|it| it.version);
            let params = json!({ "uri": uri, "diagnostics": shown, "version": version });
            if self.published.get(&path) != Some(&params) {
                said.push((path, params));
            }
        }
        for (path, params) in said {
            self.send(&protocol::notification("textDocument/publishDiagnostics", params.clone()));
            let is_known = self.state.documents.contains_key(&path);
            let is_empty = params["diagnostics"].as_array().is_some_and(Vec::is_empty);
            match is_empty && !is_known {
                true => self.published.remove(&path),
                false => self.published.insert(path, params),
            };
        }
    }
}
