//! The file of an arena.
//!
//! ```text
//! page 0       Header, then the identity of the executable
//! page 1 …     the arena; pages of zeros are holes of the file
//! behind it    for each pointer into the executable the number of its word in the arena, as u32
//! ```
//!
//! A word with the value of an address in the executable need not be a pointer: two numbers side by side may look like
//! one. So the arena is made twice, by processes whose executables lie at different places ([`tells_apart`]). A pointer
//! has moved by as much as the executable; a number has not. A file of the first process alone is a draft: it serves
//! executables that lie where it lay.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::ptr::NonNull;

use crate::arena::{self, BASE, SIZE};
use crate::executable::Executable;
use crate::identity;

const PAGE: usize = 4096;
const MAGIC: u64 = u64::from_ne_bytes(*b"oxbowdat");
const WORD: usize = size_of::<usize>();
/// Words of the header.
const WORDS: usize = 7;

/// The numbers at the beginning of a file.
struct Header {
    /// Bytes of the arena, a multiple of a page.
    length: usize,
    /// By how much the executable was moved when the file was written.
    moved: usize,
    /// How many pointers into the executable there are.
    pointers: usize,
    /// The address of what was kept.
    root: usize,
    state: State,
}

/// What is known of the pointers into the executable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// There may be numbers among them.
    Draft,
    /// They are those.
    Final,
}

impl Header {
    fn page(&self, identity: &[u8]) -> Vec<u8> {
        let words = [
            MAGIC,
            self.length as u64,
            self.moved as u64,
            self.pointers as u64,
            self.root as u64,
            u64::from(self.state == State::Final),
            identity.len() as u64,
        ];
        let mut page: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
        page.extend(identity);
        page.resize(PAGE, 0);
        page
    }

    /// What a page says, if this executable wrote it.
    fn read(page: &[u8; PAGE]) -> Option<Self> {
        let mut words = [0; WORDS];
        for (word, bytes) in words.iter_mut().zip(page.as_chunks::<8>().0) {
            *word = u64::from_ne_bytes(*bytes) as usize;
        }
        let [magic, length, moved, pointers, root, state, digest] = words;
        let state = if state == 1 { State::Final } else { State::Draft };
        let wrote = page.get(WORDS * 8..)?.get(..digest)?;
        let fits = magic as u64 == MAGIC && length <= SIZE && root.wrapping_sub(BASE) < length;
        (fits && identity()? == wrote).then_some(Self { length, moved, pointers, root, state })
    }
}

/// A file of this executable that is open, with its header.
fn open(path: &Path) -> Option<(File, Header)> {
    let mut file = File::open(path).ok()?;
    let mut page = [0; PAGE];
    file.read_exact(&mut page).ok()?;
    let header = Header::read(&page)?;
    let whole = PAGE + header.length + header.pointers * size_of::<u32>();
    (file.metadata().ok()?.len() == whole as u64).then_some((file, header))
}

/// What there is at this path of this executable.
pub fn state(path: &Path) -> Option<State> {
    open(path).map(|it| it.1.state)
}

/// Ends the recording and writes the arena to a file, which appears as a whole or not at all: a draft, or if there is
/// one already, what both have in common. The process must not use what it has recorded any longer, `root` least of
/// all: it belongs to those who restore it.
pub fn keep<T>(root: Box<T>, path: &Path) -> io::Result<()> {
    let root = Box::into_raw(root) as usize;
    let length = arena::stop().next_multiple_of(PAGE);
    let identity = identity().ok_or_else(|| io::Error::other("the executable has no identity"))?;
    let executable = Executable::this();
    // SAFETY: the arena is mapped from here to its end, and nobody writes to it any longer.
    let arena = unsafe { std::slice::from_raw_parts(BASE as *const u8, length) };
    let words = arena.as_chunks::<WORD>().0;
    let mut pointers: Vec<u32> = Vec::new();
    for (at, bytes) in words.iter().enumerate() {
        if executable.range.contains(&usize::from_ne_bytes(*bytes)) {
            pointers.push(u32::try_from(at).expect("an arena has fewer than 2^32 words"));
        }
    }
    let mut state = State::Draft;
    if let Some((mut draft, header)) = open(path)
        && tells_apart(executable.moved.wrapping_sub(header.moved))
    {
        if (header.length, header.root) != (length, root) {
            return Err(io::Error::other("two processes have made different things"));
        }
        let mut other = vec![0; length];
        draft.read_exact(&mut other)?;
        let moved = executable.moved.wrapping_sub(header.moved);
        let other = other.as_chunks::<WORD>().0;
        pointers.retain(|&at| {
            let [here, there] = [words, other].map(|it| usize::from_ne_bytes(it[at as usize]));
            here == there.wrapping_add(moved)
        });
        state = State::Final;
    }
    let header = Header { length, moved: executable.moved, pointers: pointers.len(), root, state };
    let unfinished = path.with_extension(format!("{}", std::process::id()));
    let write = || {
        let mut file = File::create(&unfinished)?;
        file.write_all(&header.page(&identity))?;
        for (number, page) in arena.chunks(PAGE).enumerate() {
            if page.iter().any(|&it| it != 0) {
                file.seek(SeekFrom::Start((PAGE + number * PAGE) as u64))?;
                file.write_all(page)?;
            }
        }
        file.seek(SeekFrom::Start((PAGE + length) as u64))?;
        let bytes: Vec<u8> = pointers.iter().flat_map(|it| it.to_ne_bytes()).collect();
        file.write_all(&bytes)?;
        // With no pointers, nothing has been written behind the holes.
        file.set_len((PAGE + length + bytes.len()) as u64)?;
        fs::rename(&unfinished, path)
    };
    let written = write();
    if written.is_err() {
        // What is left of it is of no use, and there may be nothing.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

/// Whether words that two processes have in common tell pointers from all else, if one's executable lies so far from
/// the other's. What a word holds besides data are remains of other values, among them pointers into the executable:
///
/// ```text
/// 00 00 55 d1 4e 86 01 07        two bytes of data, and the rest of a pointer
/// ```
///
/// Where data are the lower or the upper part of the word, that part is the same in both processes, and must not be for
/// a pointer. One byte of data at the lower end may be taken for a part of a pointer: executables are moved by pages,
/// which does not change it.
fn tells_apart(moved: usize) -> bool {
    (moved >> 12) & 0xf != 0 && moved >> 32 != 0 && moved >> 32 != u32::MAX as usize
}

/// May this process make files in a folder?
pub fn can_write(folder: &Path) -> bool {
    let Ok(folder) = CString::new(folder.as_os_str().as_bytes()) else { return false };
    // SAFETY: the name ends with a zero.
    unsafe { libc::access(folder.as_ptr(), libc::W_OK | libc::X_OK) == 0 }
}

/// What this executable has kept in a file, once in a process. None if there is no such file, if another executable
/// wrote it, or if its addresses are taken.
///
/// # Safety
/// `T` is the type that was kept under this name.
pub unsafe fn restore<T>(path: &Path) -> Option<Box<T>> {
    let (mut file, header) = open(path)?;
    let moved = Executable::this().moved.wrapping_sub(header.moved);
    if moved != 0 && header.state == State::Draft {
        return None;
    }
    file.seek(SeekFrom::Start((PAGE + header.length) as u64)).ok()?;
    let mut pointers = Vec::with_capacity(header.pointers * size_of::<u32>());
    file.read_to_end(&mut pointers).ok()?;
    // SAFETY: asks for addresses that nobody has; the file is never written to once it has its name.
    let got = unsafe {
        libc::mmap(
            BASE as *mut libc::c_void,
            header.length,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_FIXED_NOREPLACE,
            file.as_raw_fd(),
            PAGE as libc::off_t,
        )
    };
    if got as usize != BASE {
        return None;
    }
    if moved != 0 {
        for number in pointers.as_chunks().0 {
            let at = BASE + u32::from_ne_bytes(*number) as usize * WORD;
            if at < BASE + header.length {
                let word = at as *mut usize;
                // SAFETY: a word of the mapped arena, which is this process's own.
                unsafe { word.write(word.read().wrapping_add(moved)) };
            }
        }
    }
    let root = NonNull::new(header.root as *mut T)?;
    // SAFETY: a box of this type, by the caller's promise and the identity of the executable; giving back its memory
    // does nothing.
    Some(unsafe { Box::from_raw(root.as_ptr()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_beside_a_pointers_remains_are_no_pointers() {
        let remains = 0x55d1_4e86_b000_usize;
        let moved = 0x00ac_8a21_3000;
        assert!(tells_apart(moved) && !tells_apart(0x00ac_8a21_0000) && !tells_apart(0x3000));
        for mask in [0xffff, 0xff_ffff, 0xffff_ffff, !0xffff_ffff] {
            let [here, there] = [remains + moved, remains].map(|it| it & !mask | 0x0107 & mask);
            assert_ne!(here, there.wrapping_add(moved), "{mask:x}");
        }
    }
}
