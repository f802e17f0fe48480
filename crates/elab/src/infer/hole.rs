//! Where something is to be completed: a name that nothing else has stands there, and inference notes what it could be
//! where it is looked up (`notes`).

use serde::{Deserialize, Serialize};

/// A place that is to be completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hole {
    /// The name that stands there, and nowhere else.
    pub name: String,
    /// What has been typed so far; others than names that begin with it are not wanted. Case makes no difference.
    pub prefix: String,
}

impl Hole {
    pub(super) fn wants(&self, name: &str) -> bool {
        let mut found = name.chars().flat_map(char::to_lowercase);
        self.prefix.chars().flat_map(char::to_lowercase).all(|it| found.next() == Some(it))
    }
}
