//! Interned names. A [`Symbol`] is a small copyable handle; equal text, equal
//! handle. The table lives as long as the process: names are few and short.
//! Names that the compiler makes up ([`Made`]) are equal to no text.

use std::cell::RefCell;
use std::fmt;

use rustc_hash::FxHashMap;

use crate::Made;

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
    by_origin: FxHashMap<Made, u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    text: &'static str,
    /// Of a name that the compiler has made up.
    origin: Option<Made>,
}

impl Table {
    fn add(&mut self, text: &str, origin: Option<Made>) -> Entry {
        let entry = Entry { text: Box::leak(text.into()), origin };
        self.entries.push(entry);
        entry
    }

    fn next(&self) -> u32 {
        u32::try_from(self.entries.len()).expect("fewer than 2^32 names")
    }
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
            if !table.entries.is_empty() {
                return Err(self);
            }
            *table = self.0;
            Ok(())
        })
    }

    /// Has this thread no names?
    pub fn is_empty() -> bool {
        TABLE.with_borrow(|table| table.entries.is_empty())
    }
}

impl Symbol {
    pub fn new(text: &str) -> Self {
        TABLE.with_borrow_mut(|table| {
            if let Some(&id) = table.by_text.get(text) {
                return Self(id);
            }
            let id = table.next();
            let entry = table.add(text, None);
            table.by_text.insert(entry.text, id);
            Self(id)
        })
    }

    /// A name that no program can write.
    pub fn made(origin: Made) -> Self {
        if let Some(id) = TABLE.with_borrow(|table| table.by_origin.get(&origin).copied()) {
            return Self(id);
        }
        // Its text has other names in it, which are looked up.
        let text = origin.to_string();
        TABLE.with_borrow_mut(|table| {
            let id = table.next();
            table.add(&text, Some(origin));
            table.by_origin.insert(origin, id);
            Self(id)
        })
    }

    /// What it is for, if the compiler has made it up.
    pub fn origin(self) -> Option<Made> {
        TABLE.with_borrow(|table| table.entries[self.0 as usize].origin)
    }

    /// Is it nothing that the user has called anything?
    pub fn is_hidden(self) -> bool {
        match self.origin() {
            None
            | Some(
                Made::Overload(..)
                | Made::Variable(..)
                | Made::Value(..)
                | Made::Setter(_)
                | Made::Class(_)
                | Made::Method(_)
                | Made::NoParameters,
            ) => false,
            Some(_) => true,
        }
    }

    /// As reports and pages for people show it ([`Made::shown`]).
    pub fn shown(self) -> String {
        self.origin().map_or_else(|| self.as_str().to_string(), Made::shown)
    }

    pub fn as_str(self) -> &'static str {
        TABLE.with_borrow(|table| table.entries[self.0 as usize].text)
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
