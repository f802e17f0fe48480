//! The process that knows the program: it compiles and runs phrases.

use oxbow_diag::{RenderOptions, render};
use oxbow_driver::prompt::{Host, Outcome, Prompt, Text};
use oxbow_driver::{Language, Options, Stop};

use super::process::{self, After, Channel, Command, Event, Loss};

pub fn run(mut channel: Channel, language: Language) -> i32 {
    let mut options = Options::new("-");
    options.language = language;
    process::ask_for_input_by(&channel);
    let exit = process::sys_exit as *const () as usize;
    let mut prompt = Prompt::new(options, Host { exit, line: process::wanted_line });
    while let Some(command) = channel.command() {
        match command {
            Command::Phrase(name, line, text) => {
                let text = Text { name: &name, line, text: &text };
                let event = run_in_copy(|| evaluate(&mut prompt, &text));
                channel.tell(&event);
                if let Event::Exit(code) = event {
                    return code;
                }
            }
            Command::Complete(text) => {
                channel.tell(&Event::Reply(prompt.complete(&text).join("\n")));
            }
            Command::Show(name) => channel.tell(&Event::Reply(prompt.show(&name))),
            Command::Split(path) => {
                let event = match prompt.phrases_of(std::path::Path::new(&path)) {
                    Ok(phrases) => Event::Phrases(phrases),
                    Err(error) => {
                        process::print(&format!("{error}\n"));
                        Event::Failed
                    }
                };
                channel.tell(&event);
            }
            Command::Unfinished(name, text) => {
                let text = Text { name: &name, line: 1, text: &text };
                let event = run_in_copy(|| {
                    prompt.unfinished(&text);
                    report(&mut prompt);
                    false
                });
                channel.tell(&event);
            }
            // Nobody has asked for it.
            Command::Line(_) => (),
        }
    }
    0
}

fn run_in_copy(work: impl FnOnce() -> bool) -> Event {
    match process::attempt(work) {
        After::Ran => Event::Done,
        After::Lost(Loss::Told) => Event::Failed,
        After::Lost(Loss::Exit(code)) => Event::Exit(code),
        After::Lost(Loss::Signal(signal)) => {
            match signal {
                libc::SIGINT => process::print("Interrupted.\n"),
                libc::SIGKILL => process::print("The phrase was killed.\n"),
                // Nobody reads the output: that ends the prompt as well.
                libc::SIGPIPE => process::end_by(signal),
                _ => process::print(&format!("The phrase has crashed (signal {signal}).\n")),
            }
            Event::Failed
        }
    }
}

/// Says what there is to say about a phrase.
fn report(prompt: &mut Prompt) {
    let color = std::io::IsTerminal::is_terminal(&std::io::stdout());
    for report in &prompt.session.reports() {
        process::print(&render(report, &prompt.session.sources, RenderOptions { color }));
    }
}

/// Whether this process goes on with what the phrase has made of it.
fn evaluate(prompt: &mut Prompt, text: &Text<'_>) -> bool {
    let outcome = prompt.phrase(text);
    report(prompt);
    match outcome {
        Ok(Outcome::Done(text)) => {
            process::print(&text);
            true
        }
        Ok(Outcome::Raised(text)) => {
            process::print(&format!("{text}\n"));
            true
        }
        Err(Stop::World(error)) => {
            process::print(&format!("error: {error}\n"));
            false
        }
        Err(Stop::Reported | Stop::Dumped) => false,
    }
}
