//! Interned names. A [`Symbol`] is a small copyable handle; equal text, equal
//! handle. The table lives as long as the process: names are few and short.

use std::cell::RefCell;
use std::fmt;

use rustc_hash::FxHashMap;

/// An interned name. Ordering follows creation, never the text: sort by
/// [`Symbol::as_str`] where an order is shown to anyone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u32);

/// All names so far.
#[derive(Default)]
pub struct Names(Table);

#[derive(Default)]
struct Table {
    by_text: FxHashMap<&'static str, u32>,
    texts: Vec<&'static str>,
}

thread_local! {
    static TABLE: RefCell<Table> = RefCell::default();
}

impl Names {
    /// Takes them from this thread, whose symbols mean nothing from here on.
    pub fn take() -> Self {
        Self(TABLE.take())
    }

    /// Gives them to this thread, if it has none of its own that would be other names then.
    pub fn set(self) -> Result<(), Self> {
        TABLE.with_borrow_mut(|table| {
            if !table.texts.is_empty() {
                return Err(self);
            }
            *table = self.0;
            Ok(())
        })
    }

    /// Has this thread no names?
    pub fn is_empty() -> bool {
        TABLE.with_borrow(|table| table.texts.is_empty())
    }
}

impl Symbol {
    pub fn new(text: &str) -> Self {
        TABLE.with_borrow_mut(|table| {
            if let Some(&id) = table.by_text.get(text) {
                return Self(id);
            }
            let id = u32::try_from(table.texts.len()).expect("fewer than 2^32 names");
            let text: &'static str = Box::leak(text.into());
            table.by_text.insert(text, id);
            table.texts.push(text);
            Self(id)
        })
    }

    pub fn as_str(self) -> &'static str {
        TABLE.with_borrow(|table| table.texts[self.0 as usize])
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl From<&str> for Symbol {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_to_another_thread() {
        let symbol = Symbol::new("kept");
        let names = Names::take();
        assert!(Names::is_empty());
        // The table is handed over; its texts live as long as the process.
        names.set().ok().expect("this thread has no names");
        assert_eq!(symbol.as_str(), "kept");
        assert_eq!(Symbol::new("kept"), symbol);
        assert!(Names(Table::default()).set().is_err());
    }
}
