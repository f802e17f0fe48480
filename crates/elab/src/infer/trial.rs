//! Inference on trial: what it found out is kept or forgotten, all of it.
//!
//! ```text
//! let trial = begin_trial()
//! …                              types, variables, overloads, notes and reports are added and changed
//! holds(&trial)                  has nothing gone wrong?
//! keep_trial(trial)              it was no trial
//! forget_trial(trial)            nothing has happened
//! ```
//!
//! Trials may stand in each other. Variables and overloads have numbers that others hold, so those of a trial that is
//! forgotten stay, and mean nothing. Environments are values: who tries something keeps the one before.

use crate::types::{Type, TypeId};

use super::Infer;
use super::notes::Notes;

/// What there was before.
#[must_use = "a trial is kept or forgotten"]
pub(super) struct Trial {
    errors: usize,
    reports: usize,
    overloads: usize,
    vars: usize,
    notes: Option<Box<Notes>>,
    /// What the trial around this one has changed.
    outer: Option<Vec<(TypeId, Type)>>,
    too_early: bool,
}

impl Infer<'_> {
    pub(super) fn begin_trial(&mut self) -> Trial {
        Trial {
            errors: self.diagnostics.error_count(),
            reports: self.diagnostics.mark(),
            overloads: self.clef.overloads.len(),
            vars: self.types.vars.len(),
            notes: self.notes.clone(),
            outer: self.branches.trail.replace(Vec::new()),
            too_early: std::mem::take(&mut self.clef.too_early),
        }
    }

    /// Is there no error, and was nothing wanted that was not there yet?
    pub(super) fn holds(&self, trial: &Trial) -> bool {
        self.diagnostics.error_count() == trial.errors && !self.clef.too_early
    }

    /// Does an operator of the trial wait for a type that has become a parameter of its function?
    pub(super) fn trial_waits(&mut self, trial: &Trial) -> bool {
        self.waits_for_generic(trial.overloads)
    }

    pub(super) fn keep_trial(&mut self, trial: Trial) {
        let changed = std::mem::replace(&mut self.branches.trail, trial.outer).unwrap_or_default();
        if let Some(outer) = &mut self.branches.trail {
            outer.extend(changed);
        }
        self.clef.too_early |= trial.too_early;
    }

    pub(super) fn forget_trial(&mut self, trial: Trial) {
        let changed = std::mem::replace(&mut self.branches.trail, trial.outer).unwrap_or_default();
        for (ty, old) in changed.into_iter().rev() {
            self.types.nodes[ty] = old;
        }
        // The graph declares all variables, also those that nothing mentions any more.
        for var in self.types.vars.ids().skip(trial.vars) {
            self.types.vars[var].ty = self.builtins.unit;
            self.types.vars[var].tyvars.clear();
        }
        self.notes = trial.notes;
        self.diagnostics.rollback(trial.reports);
        self.forget_overloads(trial.overloads);
        self.clef.too_early = trial.too_early;
    }
}
