//! Golden files and programs, see `oxbow_golden`.

use oxbow_golden::{Arguments, Config};

fn main() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let config = Config {
        oxbow: env!("CARGO_BIN_EXE_oxbow").into(),
        native: cfg!(feature = "native"),
        root: std::path::Path::new(root).canonicalize().unwrap_or_else(|_| root.into()),
        all: std::env::var_os("OXBOW_TEST_ALL").is_some_and(|it| it == "1"),
        scratch: env!("CARGO_TARGET_TMPDIR").into(),
    };
    oxbow_golden::run(config, &Arguments::from_args()).exit();
}
