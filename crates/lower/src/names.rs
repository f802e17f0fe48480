//! Unique symbols. The first taker of a name has it plain; later ones get a number.

use oxbow_base::FxHashMap;

#[derive(Default)]
pub struct Names {
    /// How often each name has been asked for.
    taken: FxHashMap<String, u32>,
}

impl Names {
    pub fn new() -> Self {
        let mut names = Self::default();
        let others = [oxbow_abi::PROGRAM_FIBER, oxbow_abi::PROGRAM_DOMAIN];
        for it in oxbow_abi::PROGRAM_ENTRIES.into_iter().chain(others) {
            names.taken.insert(it.into(), 1);
        }
        names
    }

    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut symbol = wanted.to_string();
        loop {
            match self.taken.get_mut(&symbol) {
                None => {
                    self.taken.insert(symbol.clone(), 1);
                    return symbol;
                }
                Some(count) => {
                    *count += 1;
                    symbol = format!("{wanted}.{}", *count - 1);
                    if symbol == wanted {
                        continue;
                    }
                    // `x.1` may itself be a source name; the loop then tries its successor.
                    if !self.taken.contains_key(&symbol) {
                        self.taken.insert(symbol.clone(), 1);
                        return symbol;
                    }
                    symbol = wanted.to_string();
                }
            }
        }
    }
}
