//! The `oxbow` command.

use oxbow_diag::{RenderOptions, render};
use oxbow_driver::{Options, Session};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let code = oxbow_driver::with_big_stack(move || {
        let mut session = Session::new(Options::new(&args[2]));
        let poly = match session.front_end() {
            Ok(it) => it,
            Err(error) => {
                eprintln!("error: {error}");
                return 2;
            }
        };
        let result = poly.and_then(|it| if args[1] == "poly" { Err(it).map_err(|p| { interp(&p); oxbow_driver::Stopped }) } else { session.middle_end(it) });
        for report in session.reports() {
            eprint!("{}", render(&report, &session.sources, RenderOptions { color: false }));
        }
        for (name, time) in &session.timings {
            if std::env::var("TIME").is_ok() { eprintln!("{name:20} {time:?}"); }
        }
        match result {
            Ok(program) => { if args[1] == "run" { interp(&program) } else { 0 } }
            Err(_) => 1,
        }
    });
    std::process::exit(code);
}

fn interp<P>(program: &oxbow_psg::Program<P>) -> i32 {
    let mut host = oxbow_psg::interp::StdHost::new(vec![]);
    match oxbow_psg::interp::run(program, &mut host, Default::default()) {
        oxbow_psg::interp::Outcome::Exit(code) => code,
        other => { eprintln!("{other:?}"); 99 }
    }
}
