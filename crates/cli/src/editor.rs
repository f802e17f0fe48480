//! `oxbow lsp`, the server that editors start, and `oxbow index`, the process that it starts for each question.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use oxbow_driver::index::{self, Answer, Request};

pub fn serve(include: Vec<PathBuf>) -> i32 {
    let Ok(executable) = std::env::current_exe() else {
        crate::report::print_error("error: the place of the compiler is not known\n");
        return 2;
    };
    // Whoever goes without a word is not told.
    i32::from(!oxbow_lsp::serve(executable, include))
}

pub fn index() -> i32 {
    let mut text = String::new();
    let request = match std::io::stdin().read_to_string(&mut text) {
        Ok(_) => serde_json::from_str::<Request>(&text).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let request = match request {
        Ok(request) => request,
        Err(error) => {
            crate::report::print_error(&format!("error: {error}\n"));
            return 2;
        }
    };
    let mut give = |answer: Answer| {
        let mut line = serde_json::to_string(&answer).unwrap_or_default();
        line.push('\n');
        let mut out = std::io::stdout().lock();
        // Nobody reads it any more: the next text is being looked at.
        if out.write_all(line.as_bytes()).and_then(|()| out.flush()).is_err() {
            std::process::exit(0);
        }
    };
    index::answer(request, &mut give);
    0
}
