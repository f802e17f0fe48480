//! Other names for modules, and what depends on them.
//!
//! ```text
//! l__.ml    module A = L__A  module B = L__B      names only: depends on neither
//! l__A.ml   open! L__  let f x = B.g x            depends on L__, and by the name B on L__B
//! ```
//!
//! `module A = Path` as an item of a file makes no dependency; who uses `A` depends on what it stands for. So files
//! may open the module that has names for all of them. Modules that a file only has names for are loaded at the end
//! with the others that the program has, unless the file has nothing but names, as the head of a library does.

use std::collections::VecDeque;

use oxbow_base::{FxHashMap, FxHashSet, Span, Symbol};
use oxbow_elab::ast::{Item, ItemKind, ModuleExprKind};
use oxbow_elab::mentions::{Alias, Mention, Needs};

use crate::Error;
use crate::load::{Loader, State};

/// The names for modules in the files that have been read.
#[derive(Default)]
pub struct Aliases {
    files: FxHashMap<Symbol, Names>,
    /// Modules that nothing has needed so far, but that a file has a name for.
    unused: VecDeque<(Symbol, Span)>,
}

#[derive(Clone, Default)]
struct Names {
    aliases: FxHashMap<Symbol, Vec<Symbol>>,
    opened: Vec<Vec<Symbol>>,
}

/// Paths followed so far: names may lead back to themselves.
type Seen = FxHashSet<(Symbol, Vec<Symbol>)>;

/// The files that paths mean; none while that is being found out.
type Answers = FxHashMap<(Symbol, Vec<Symbol>), Vec<Symbol>>;

/// `module A = B.A` and `module B = A.B` in two files make ever longer paths of nothing.
const LONGEST: usize = 16;

/// The scope of `B` in `module B = B`: the file's own names are not meant.
const OUTSIDE: &str = "";

/// Does a file consist of names for other modules alone?
pub fn names_only(structure: &[Item]) -> bool {
    structure.iter().all(|it| match &it.kind {
        ItemKind::Module { body, .. } => matches!(body.kind, ModuleExprKind::Path(_)),
        ItemKind::Attribute(_) => true,
        _ => false,
    })
}

impl Loader<'_> {
    /// Loads what a file depends on. The answer are the modules that it has names for and that come after it.
    pub(crate) fn needed(
        &mut self,
        unit: Symbol,
        needs: Needs,
        names_only: bool,
    ) -> Result<Vec<Symbol>, Error> {
        let aliases = needs.aliases.iter().map(|it| (it.name, it.target.clone())).collect();
        self.aliases.files.insert(unit, Names { aliases, opened: needs.opened });
        for mention in needs.mentions {
            self.mentioned(mention, unit)?;
        }
        for (path, span) in &needs.paths {
            self.follow(unit, (unit, path), *span, &mut Seen::default())?;
        }
        let mut named: Vec<Symbol> = Vec::new();
        for alias in &needs.aliases {
            named.extend(self.named(unit, alias, names_only));
        }
        // The program's own file comes last.
        if self.chain.len() == 1 {
            while let Some((name, span)) = self.aliases.unused.pop_front() {
                if !self.state.contains_key(&name) {
                    self.user_file(name, span)?;
                }
            }
        }
        named.retain(|it| self.state.get(it) != Some(&State::Loaded));
        Ok(named)
    }

    /// A module that a file gives a name to: a user's one is not loaded for that.
    fn named(&mut self, unit: Symbol, alias: &Alias, names_only: bool) -> Option<Symbol> {
        let &head = alias.target.first()?;
        if head != unit && (self.state.contains_key(&head) || self.find_user_file(head).is_some()) {
            if !names_only {
                self.aliases.unused.push_back((head, alias.span));
            }
            return Some(head);
        }
        let inside = alias.target.get(1).filter(|_| head.as_str() == "Stdlib");
        self.library(*inside.unwrap_or(&head));
        None
    }

    /// Loads the modules that the names in a path stand for, as a file of the path's scope sees them.
    fn follow(
        &mut self,
        from: Symbol,
        (scope, path): (Symbol, &[Symbol]),
        span: Span,
        seen: &mut Seen,
    ) -> Result<(), Error> {
        if !seen.insert((scope, path.to_vec())) {
            return Ok(());
        }
        for (scope, path) in self.steps(scope, path, &mut Answers::default()) {
            if let Some(&name) = path.first() {
                self.mentioned(Mention { name, within: None, span }, from)?;
            }
            if let [within, name, ..] = path[..] {
                self.mentioned(Mention { name, within: Some(within), span }, from)?;
            }
            self.follow(from, (scope, &path), span, seen)?;
        }
        Ok(())
    }

    /// What a path is with its first name replaced by what it stands for, and the files whose names that is written in.
    fn steps(
        &self,
        scope: Symbol,
        path: &[Symbol],
        answers: &mut Answers,
    ) -> Vec<(Symbol, Vec<Symbol>)> {
        let Some((head, rest)) = path.split_first() else { return Vec::new() };
        let replaced = |target: &[Symbol], rest: &[Symbol]| [target, rest].concat();
        let mut steps = Vec::new();
        let names = self.aliases.files.get(&scope);
        if let Some(target) = names.and_then(|it| it.aliases.get(head)) {
            let is_itself = target.first() == Some(head);
            let scope = if is_itself { Symbol::new(OUTSIDE) } else { scope };
            steps.push((scope, replaced(target, rest)));
        }
        // A file's own name for another module hides what it opens.
        let own = names.and_then(|it| it.aliases.get(head)?.first());
        if own.is_none_or(|it| it == head) {
            for (file, target) in self.opened_names(scope, *head, answers) {
                steps.push((file, replaced(&target, rest)));
            }
        }
        // The file's own name for another module is not the file of that name.
        if let Some((inner, rest)) = rest.split_first()
            && own.is_none_or(|it| it == head)
            && let Some(target) = self.aliases.files.get(head).and_then(|it| it.aliases.get(inner))
        {
            let is_itself = target.first() == Some(inner);
            let scope = if is_itself { Symbol::new(OUTSIDE) } else { *head };
            steps.push((scope, replaced(target, rest)));
            // `open L__ module B = B`
            for (file, target) in self.opened_names(*head, *inner, answers) {
                steps.push((file, replaced(&target, rest)));
            }
        }
        steps.retain(|it| it.1.len() <= LONGEST);
        steps
    }

    /// What a name stands for in the modules that a file opens, with the files that say it.
    fn opened_names(
        &self,
        scope: Symbol,
        name: Symbol,
        answers: &mut Answers,
    ) -> Vec<(Symbol, Vec<Symbol>)> {
        let mut found = Vec::new();
        for opened in self.aliases.files.get(&scope).into_iter().flat_map(|it| &it.opened) {
            for file in self.files_of(scope, opened, answers) {
                let names = self.aliases.files.get(&file);
                if let Some(target) = names.and_then(|it| it.aliases.get(&name)) {
                    found.push((file, target.clone()));
                }
            }
        }
        found
    }

    /// The files that a path may mean, with those that they include.
    fn files_of(&self, scope: Symbol, path: &[Symbol], answers: &mut Answers) -> Vec<Symbol> {
        let question = (scope, path.to_vec());
        if let Some(known) = answers.get(&question) {
            return known.clone();
        }
        answers.insert(question.clone(), Vec::new());
        let mut files = Vec::new();
        if let [only] = path
            && let Some(names) = self.aliases.files.get(only)
        {
            files.push(*only);
            for opened in &names.opened {
                files.extend(self.files_of(*only, opened, answers));
            }
        }
        for (scope, path) in self.steps(scope, path, answers) {
            files.extend(self.files_of(scope, &path, answers));
        }
        files.sort_unstable();
        files.dedup();
        answers.insert(question, files.clone());
        files
    }
}
