//! The process that knows the program: it compiles and runs phrases.

use std::io::Write as _;

use oxbow_diag::{RenderOptions, render};
use oxbow_driver::prompt::{Outcome, Prompt};
use oxbow_driver::{Language, Options, Stop};

use super::process::{self, After, Channel, Command, Event, Loss};

pub fn run(mut channel: Channel, language: Language) -> i32 {
    let mut options = Options::new("-");
    options.language = language;
    let mut prompt = Prompt::new(options, process::sys_exit as *const () as usize);
    while let Some(command) = channel.command() {
        match command {
            Command::Phrase(name, text) => {
                let event = phrase(&mut prompt, &name, &text);
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
                    Ok(phrases) => Event::Reply(phrases.join("\u{0}")),
                    Err(error) => {
                        println!("{error}");
                        let _ = std::io::stdout().flush();
                        Event::Failed
                    }
                };
                channel.tell(&event);
            }
        }
    }
    0
}

fn phrase(prompt: &mut Prompt, name: &str, text: &str) -> Event {
    match process::attempt(|| evaluate(prompt, name, text)) {
        After::Ran => Event::Done,
        After::Lost(Loss::Told) => Event::Failed,
        After::Lost(Loss::Exit(code)) => Event::Exit(code),
        After::Lost(Loss::Signal(signal)) => {
            match signal {
                libc::SIGINT => println!("Interrupted."),
                libc::SIGKILL => println!("The phrase was killed."),
                _ => println!("The phrase has crashed (signal {signal})."),
            }
            let _ = std::io::stdout().flush();
            Event::Failed
        }
    }
}

/// Whether this process goes on with what the phrase has made of it.
fn evaluate(prompt: &mut Prompt, name: &str, text: &str) -> bool {
    let outcome = prompt.phrase(name, text);
    let reports = prompt.session.reports();
    let color = std::io::IsTerminal::is_terminal(&std::io::stdout());
    for report in &reports {
        print!("{}", render(report, &prompt.session.sources, RenderOptions { color }));
    }
    let goes_on = match outcome {
        Ok(Outcome::Done(text)) => {
            print!("{text}");
            true
        }
        Ok(Outcome::Raised(text)) => {
            println!("{text}");
            true
        }
        Err(Stop::World(error)) => {
            println!("error: {error}");
            false
        }
        Err(Stop::Reported | Stop::Dumped) => false,
    };
    let _ = std::io::stdout().flush();
    goes_on
}
