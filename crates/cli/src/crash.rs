//! The crash report: what is shown when the compiler itself is at fault.
//!
//! ```text
//! internal error: the graph is broken after `simplify`: n42: …
//!   step     simplify
//!   at       crates/driver/src/session.rs:171
//!   version  oxbow 0.1.0, x86_64 linux
//!   command  oxbow run main.ml
//! This is a fault of the compiler, not of your program. …
//! ```

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;

use oxbow_diag::InternalError;
use oxbow_driver::current_step;

use crate::report::print_error;

/// Replaces Rust's own message for panics. Who catches the panic exits with 101.
pub fn install() {
    std::panic::set_hook(Box::new(|info| print_error(&report(info))));
}

fn report(info: &PanicHookInfo) -> String {
    let payload = info.payload();
    let (message, place) = if let Some(error) = payload.downcast_ref::<InternalError>() {
        (error.message.clone(), format!("{}:{}", error.file, error.line))
    } else {
        let message = payload
            .downcast_ref::<&str>()
            .map(|it| (*it).to_string())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "panic".to_string());
        let place =
            info.location().map_or("unknown".into(), |it| format!("{}:{}", it.file(), it.line()));
        (message, place)
    };
    let step = current_step();
    let command: Vec<String> =
        std::env::args_os().map(|it| it.to_string_lossy().into_owned()).collect();
    let mut text = format!(
        "internal error: {message}\n  step     {step}\n  at       {place}\n  version  oxbow {}, {} {}\n  command  {}\n",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        command.join(" "),
    );
    text += "\
This is a fault of the compiler, not of your program. To find the step that broke something, run
  oxbow check --verify FILE
and to see the program as a step left it
  oxbow emit --dump-after=PASS FILE
Please report it with these lines and the program.
";
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        text += &format!("{backtrace}\n");
    }
    text
}

/// Fails as asked, for the tests of this report.
pub fn on_purpose(kind: &str) -> i32 {
    match kind {
        "ice" => oxbow_diag::ice!("on purpose"),
        _ => panic!("on purpose: {kind}"),
    }
}
