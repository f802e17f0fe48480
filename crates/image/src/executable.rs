//! The executable in memory: where it lies, and who it is.

use std::ops::Range;

/// What the linker wrote down about the executable: a digest of its contents.
const BUILD_ID: u32 = 3;

/// Where the executable lies in this process.
#[derive(Default)]
pub(crate) struct Executable {
    /// By how much all of it has been moved.
    pub moved: usize,
    /// From the first to the last of its bytes.
    pub range: Range<usize>,
    identity: Vec<u8>,
}

impl Executable {
    /// That of this process.
    pub fn this() -> Self {
        let mut found = Self::default();
        // SAFETY: `visit` gets `found` back and has it for itself.
        unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
        found
    }
}

/// A digest of the contents of this executable, if the linker has made one.
pub fn identity() -> Option<Vec<u8>> {
    Some(Executable::this().identity).filter(|it| !it.is_empty())
}

/// Called for the executable first; what follows are its libraries.
unsafe extern "C" fn visit(
    info: *mut libc::dl_phdr_info,
    _size: libc::size_t,
    found: *mut libc::c_void,
) -> libc::c_int {
    // SAFETY: the system hands in a valid description, and what `this` gave it.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Executable>()) };
    // SAFETY: so many headers follow each other.
    let headers =
        unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    found.moved = info.dlpi_addr as usize;
    let (mut first, mut last) = (usize::MAX, 0);
    for header in headers {
        let start = found.moved + header.p_vaddr as usize;
        let end = start + header.p_memsz as usize;
        if header.p_type == libc::PT_LOAD {
            (first, last) = (first.min(start), last.max(end));
        } else if header.p_type == libc::PT_NOTE {
            // SAFETY: notes are loaded with the executable and never change.
            let notes = unsafe { std::slice::from_raw_parts(start as *const u8, end - start) };
            if let Some(identity) = build_id(notes) {
                found.identity = identity.to_vec();
            }
        }
    }
    found.range = first..last;
    1
}

/// The digest among the notes: each has the lengths of its name and contents and its kind, then both, padded.
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    loop {
        let (head, rest) = notes.split_at_checked(12)?;
        let word = |at: usize| head[at..].first_chunk().map(|it| u32::from_ne_bytes(*it));
        let (name, contents, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let (name, rest) = rest.split_at_checked(name.next_multiple_of(4))?;
        let (whole, rest) = rest.split_at_checked(contents.next_multiple_of(4))?;
        if kind == BUILD_ID && name == b"GNU\0" {
            return whole.get(..contents);
        }
        notes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_lies_in_the_executable() {
        static HERE: u8 = 1;
        let range = Executable::this().range;
        assert!(range.contains(&(&raw const HERE as usize)));
        let there = Box::new(1u8);
        assert!(!range.contains(&(&raw const *there as usize)));
    }

    #[test]
    fn the_digest_is_found_behind_other_notes() {
        let note = |kind: u32, contents: &[u8]| {
            let mut bytes = Vec::new();
            for word in [4, contents.len() as u32, kind] {
                bytes.extend(word.to_ne_bytes());
            }
            bytes.extend(b"GNU\0");
            bytes.extend(contents);
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let notes = [note(1, &[9; 16]), note(3, &[1, 2, 3, 4, 5])].concat();
        assert_eq!(build_id(&notes), Some(&[1, 2, 3, 4, 5][..]));
        assert_eq!(build_id(&note(1, &[9; 16])), None);
    }
}
