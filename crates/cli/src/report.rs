//! Messages to the user: on the standard error, for people or as JSON.

use std::io::{IsTerminal as _, Write as _};
use std::time::Duration;

use oxbow_diag::{
    Diagnostic, RenderOptions, Severity, render, render_json, render_plain, render_plain_json,
};
use oxbow_driver::{Error, Session};

use crate::args::{Color, Flags, MessageFormat};
use crate::progress;

/// More reports than this help no one: most follow from the first.
const MAX_SHOWN: usize = 100;

/// How this run talks to the user.
pub struct Reporter {
    json: bool,
    time_passes: bool,
    options: RenderOptions,
}

impl Reporter {
    pub fn new(flags: &Flags) -> Self {
        let color = match flags.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => color_by_itself(),
        };
        Self {
            json: flags.message_format == MessageFormat::Json,
            time_passes: flags.time_passes,
            options: RenderOptions { color },
        }
    }

    /// Whether a person waits at a terminal.
    pub fn shows_progress(&self) -> bool {
        !self.json && std::io::stderr().is_terminal()
    }

    /// Shows the diagnostics that have not been shown yet.
    pub fn reports(&self, session: &mut Session) {
        let reports = session.reports();
        let most = if self.json { reports.len() } else { MAX_SHOWN };
        let mut text = String::new();
        let shown = worth_showing(&reports, most);
        for report in &shown {
            if self.json {
                text += &render_json(report, &session.sources);
            } else {
                text += &render(report, &session.sources, self.options);
            }
            text.push('\n');
        }
        if shown.len() < reports.len() {
            text += &format!("… and {} more\n", reports.len() - shown.len());
        }
        print_error(&text);
    }

    /// Shows everything that is left to show.
    pub fn finish(&self, session: &mut Session) {
        progress::stop();
        self.reports(session);
        if self.time_passes && !session.timings.is_empty() {
            self.timings(session);
            session.timings.clear();
        }
    }

    pub fn world(&self, error: &Error) {
        let message = error.to_string();
        print_error(&if self.json {
            render_plain_json(Severity::Error, &message) + "\n"
        } else {
            render_plain(Severity::Error, &message, self.options)
        });
    }

    /// A table of the steps in order; steps of one name are summed.
    fn timings(&self, session: &Session) {
        let mut rows: Vec<(&str, Duration)> = Vec::new();
        for &(name, time) in &session.timings {
            match rows.iter_mut().find(|it| it.0 == name) {
                Some(row) => row.1 += time,
                None => rows.push((name, time)),
            }
        }
        let total: Duration = rows.iter().map(|it| it.1).sum();
        let mut text = format!("{:24} {:>10} {:>6}\n", "step", "ms", "%");
        for (name, time) in rows.into_iter().chain([("total", total)]) {
            let milliseconds = time.as_secs_f64() * 1e3;
            let part = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(1e-9);
            text += &format!("{name:24} {milliseconds:10.2} {part:6.1}\n");
        }
        print_error(&text);
    }
}

/// As many reports as may be shown, in their order: errors, and warnings where there is room for them.
fn worth_showing(reports: &[Diagnostic], most: usize) -> Vec<&Diagnostic> {
    let errors = reports.iter().filter(|it| it.severity == Severity::Error).count();
    let mut room = [errors.min(most), most.saturating_sub(errors)];
    let mut has_room = |it: &&Diagnostic| {
        let room = &mut room[usize::from(it.severity == Severity::Warning)];
        let had = *room > 0;
        *room = room.saturating_sub(1);
        had
    };
    reports.iter().filter(|it| has_room(it)).collect()
}

/// An error before there is a [`Reporter`].
pub fn world(error: &Error) {
    let options = RenderOptions { color: color_by_itself() };
    print_error(&render_plain(Severity::Error, &error.to_string(), options));
}

fn color_by_itself() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// A closed standard error leaves nowhere to complain.
pub fn print_error(text: &str) {
    if !text.is_empty() {
        progress::hide();
    }
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}
