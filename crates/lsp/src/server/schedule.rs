//! When programs are looked at: soon after the last change, at once if somebody waits, and what became of functions
//! when the text rests.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use oxbow_driver::index::Want;

use super::{Program, Server, Task};
use crate::analysis::{self, Event};

/// How long the text must rest before it is looked at, if nobody waits.
const REST: Duration = Duration::from_millis(15);
/// How long before what became of functions is looked at, which takes longer.
const LONG_REST: Duration = Duration::from_millis(600);
/// Processes that look at programs at once.
const AT_ONCE: usize = 2;
/// A process that takes longer is killed.
const PATIENCE: Duration = Duration::from_secs(30);

impl Server {
    /// How long nothing needs to be done if nobody says anything.
    pub(super) fn pause(&self) -> Duration {
        let open = || self.state.programs.values().filter(|it| it.is_open);
        let rests = self.state.last_change.elapsed();
        if rests < REST && open().any(Program::is_stale) {
            return REST - rests;
        }
        let explains = open().any(|it| it.is_whole && it.explained < it.known);
        let is_busy = !self.waiting.is_empty() || explains || open().any(Program::is_stale);
        Duration::from_millis(if is_busy { 20 } else { 1000 })
    }

    /// Starts the processes whose time has come.
    pub(super) fn start_due(&mut self) {
        let late = |it: (&u64, &Task)| (it.1.running.since.elapsed() > PATIENCE).then_some(*it.0);
        for number in self.tasks.iter().filter_map(late).collect::<Vec<u64>>() {
            self.task_event(Event { number, answer: None });
        }
        let rests = self.state.last_change.elapsed();
        let asked: BTreeSet<PathBuf> =
            self.waiting.iter().flat_map(|it| it.mains.iter().cloned()).collect();
        for main in &asked {
            let revision = self.state.revision;
            let program = self.state.programs.entry(main.clone()).or_default();
            if program.known == 0 && program.changed == 0 {
                program.changed = revision;
            }
        }
        let mut running = self.state.programs.values().filter(|it| it.running.is_some()).count();
        let mut due: Vec<PathBuf> = Vec::new();
        for (main, program) in &mut self.state.programs {
            if program.running.as_ref().is_some_and(|it| it.since.elapsed() > PATIENCE) {
                program.running = None;
                program.known = program.changed;
            }
            let wanted = asked.contains(main) || program.is_open && rests >= REST;
            if program.is_stale() && program.running.is_none() && wanted && running < AT_ONCE {
                running += 1;
                due.push(main.clone());
            }
        }
        for main in due {
            self.start(&main, Want::Index);
        }
        let explained: Vec<PathBuf> = self
            .state
            .programs
            .iter()
            .filter(|(_, it)| {
                it.is_open
                    && it.is_whole
                    && !it.is_stale()
                    && it.explained < it.known
                    && it.explaining.is_none()
            })
            .map(|it| it.0.clone())
            .collect();
        if rests >= LONG_REST
            && running == 0
            && let Some(main) = explained.first()
        {
            self.start(main, Want::Explanation);
        }
    }

    pub(super) fn start(&mut self, main: &Path, want: Want) {
        let number = self.next_number();
        let is_index = want == Want::Index;
        let request = self.state.request(main, want);
        let numbers = (number, self.state.revision);
        let started =
            analysis::start(&self.state.world.executable, &request, numbers, self.events.clone());
        let Some(program) = self.state.programs.get_mut(main) else { return };
        match (started.ok(), is_index) {
            (Some(running), true) => program.running = Some(running),
            (Some(running), false) => {
                program.explained = program.known;
                program.explaining = Some(running);
            }
            // There are no processes to be had: what is known has to do.
            (None, true) => program.known = program.changed,
            (None, false) => program.explained = program.known,
        }
    }
}
