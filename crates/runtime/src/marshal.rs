//! Objects as bytes, and back.
//!
//! ```text
//! check  count  | header  words…  | header  words…  | …        each of 8 bytes
//! ```
//!
//! The objects that an array reaches, that array first. A header is an object's own without its count and place. Before
//! the words of a large object stands its descriptor; those of strings and arrays begin with their length. A
//! word that refers to an object is twice its number here, others are as they are. So what is shared is written
//! once, and cycles end. `check` is a sum over all that follows: bytes that were damaged are not looked at.
//!
//! Closures, exceptions and fibres hold addresses of the program, and are refused.

use oxbow_abi::{ObjectKind, Shape, header_kind};

use crate::addresses::Addresses;
use crate::copy::{descriptor, extent, is_large, new_large, own_header};
use crate::cycles::oxbow_suspect_later;
use crate::domain::{self, Reentrant};
use crate::grow::Grow;
use crate::heap::{add_references, allocate, header_of, nothing, visit_parts};
use crate::object::{contents, new_array, string_from};

/// In place of the object for places that hold no other yet.
const NOTHING: u64 = u64::MAX - 1;
/// What [`oxbow_marshal_write`] gives for what it refuses.
const FUNCTION: &[u8] = b"f";
const EXCEPTION: &[u8] = b"e";
const CONTINUATION: &[u8] = b"c";

fn check(words: &[u64]) -> u64 {
    words.iter().fold(0xCBF2_9CE4_8422_2325, |sum: u64, &word| {
        let sum = (sum ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        sum ^ sum >> 29
    })
}

struct Writer {
    objects: Grow<*mut u8>,
    /// The objects that were met; none if each way to an object writes it anew.
    numbers: Option<Addresses>,
    out: Grow<u64>,
}

impl Writer {
    /// The word for a value that an object holds.
    fn word(&mut self, value: *mut u8) -> u64 {
        let address = value as usize;
        if address & 1 != 0 {
            return address as u64;
        }
        if value == nothing() {
            return NOTHING;
        }
        let known = self.numbers.as_ref().and_then(|it| it.get(address));
        let number = known.unwrap_or_else(|| {
            let number = self.objects.len();
            self.objects.push(value);
            if let Some(numbers) = &mut self.numbers {
                numbers.set(address, number);
            }
            number
        });
        2 * number as u64
    }

    /// Writes an object whose parts may be new; says why not.
    unsafe fn object(&mut self, object: *mut u8) -> Result<(), &'static [u8]> {
        // SAFETY: by the contract the object is what its header says; the words that are copied are its own, and those
        // of its descriptor.
        unsafe {
            let mut header = header_of(object);
            match header_kind(header) {
                it if it == ObjectKind::Closure as u8 => return Err(FUNCTION),
                it if it == ObjectKind::Exception as u8 => return Err(EXCEPTION),
                it if it == ObjectKind::Fiber as u8 => return Err(CONTINUATION),
                _ => (),
            }
            header = own_header(header);
            self.out.push(header);
            let from =
                if is_large(header) { descriptor(object) } else { object.cast_const().cast() };
            let Some((before, count)) = extent(header, |at| Some(from.add(at).read())) else {
                return Err(CONTINUATION);
            };
            for at in 0..before {
                self.out.push(from.add(at).read());
            }
            let first = self.out.len();
            for at in 0..count {
                self.out.push(object.cast::<u64>().add(at).read());
            }
            visit_parts(object, header, &mut |part| {
                let at = part.cast::<u64>().offset_from(object.cast::<u64>()) as usize;
                let word = self.word(part.read());
                self.out.as_mut_slice()[first + at] = word;
            });
        }
        Ok(())
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_marshal_write(array: *mut u8, shares: i64) -> *mut u8 {
    let numbers = (shares != 0).then(Addresses::new);
    let (objects, out) = (Grow::new(), Grow::new());
    let mut writer = Writer { objects, numbers, out };
    writer.out.push(0);
    writer.out.push(0);
    writer.word(array);
    let mut next = 0;
    let mut refused = None;
    while refused.is_none() && next < writer.objects.len() {
        let object = writer.objects.as_slice()[next];
        // SAFETY: the array is alive, and so is all that it reaches.
        refused = unsafe { writer.object(object) }.err();
        next += 1;
    }
    let words = writer.out.as_mut_slice();
    words[1] = next as u64;
    words[0] = check(&words[1..]);
    // SAFETY: any words are bytes.
    let result = unsafe {
        match refused {
            Some(why) => string_from(why),
            None => {
                string_from(core::slice::from_raw_parts(words.as_ptr().cast(), 8 * words.len()))
            }
        }
    };
    writer.objects.free();
    if let Some(numbers) = writer.numbers {
        numbers.free();
    }
    writer.out.free();
    result
}

struct Reader<'a> {
    words: &'a [u64],
    at: usize,
    /// The objects that were made, and whether somebody has the reference that they were made with.
    objects: Grow<(*mut u8, bool)>,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<&[u64]> {
        let taken = self.words.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(taken)
    }

    /// Makes the next object; its references are still numbers.
    unsafe fn object(&mut self) -> Option<()> {
        let header = *self.take(1)?.first()?;
        let rest = self.words.get(self.at..)?;
        let (before, count) = extent(header, |at| rest.get(at).copied())?;
        let descriptor = self.take(before)?.as_ptr();
        let words = self.take(count)?;
        // SAFETY: the object is new and has so many words; a large one begins behind its descriptor's address, which is
        // that of a copy that stays.
        unsafe {
            let object = if before == 0 {
                allocate(8 * count as u64, header)
            } else {
                let copy = known_descriptor(core::slice::from_raw_parts(descriptor, before));
                new_large(header, count, copy)
            };
            core::ptr::copy_nonoverlapping(words.as_ptr(), object.cast(), count);
            self.objects.push((object, false));
        }
        Some(())
    }

    /// Makes references of the numbers in an object, which is the one of number `at`. One that leads back may close a
    /// cycle, which the scan is to hear of.
    unsafe fn connect(&mut self, object: *mut u8, at: usize) {
        let mut leads_back = false;
        // SAFETY: the object has the words that its header says, each of which is odd or twice the number of an object,
        // since the bytes are those that were written.
        unsafe {
            visit_parts(object, header_of(object), &mut |part| {
                let word = part.cast::<u64>().read();
                if word & 1 != 0 {
                    return;
                }
                leads_back |= word as usize / 2 <= at;
                let known = self.objects.as_mut_slice().get_mut(word as usize / 2);
                let value = match known {
                    Some((object, taken)) => {
                        if *taken {
                            add_references(*object, 1);
                        }
                        *taken = true;
                        *object
                    }
                    None => nothing(),
                };
                part.write(value);
            });
            if leads_back {
                oxbow_suspect_later(object);
            }
        }
    }
}

/// Descriptors of large objects that were read, each once; as those of the program they are always there.
static mut DESCRIPTORS: Grow<*const u64> = Grow::new();
/// Who uses them, if there are domains.
static LOCK: Reentrant = Reentrant::new();

unsafe fn known_descriptor(words: &[u64]) -> *const u64 {
    let is_shared = domain::are_there();
    if is_shared {
        LOCK.lock();
    }
    // SAFETY: one thread at a time uses the list.
    let known = unsafe { found_descriptor(words) };
    if is_shared {
        LOCK.unlock();
    }
    known
}

unsafe fn found_descriptor(words: &[u64]) -> *const u64 {
    // SAFETY: whoever calls has the list for itself; what is in it are descriptors, which are never freed and whose
    // length follows from their first word.
    unsafe {
        let known = &mut *(&raw mut DESCRIPTORS);
        let same = |it: &&*const u64| {
            (**it).read() == words[0] && core::slice::from_raw_parts(**it, words.len()) == words
        };
        if let Some(&found) = known.as_slice().iter().find(same) {
            return found;
        }
        let mut copy = Grow::new();
        words.iter().for_each(|&it| copy.push(it));
        let start = copy.as_slice().as_ptr();
        known.push(start);
        start
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_marshal_read(string: *mut u8, start: i64) -> *mut u8 {
    // SAFETY: compiled code passes a string, which does not change meanwhile.
    let bytes = unsafe { contents(string) }.get(start as usize..).unwrap_or(&[]);
    let mut words: Grow<u64> = Grow::new();
    for chunk in bytes.chunks_exact(8) {
        words.push(chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)));
    }
    // SAFETY: the words are looked at if they are those that were written.
    let result = unsafe { read(words.as_slice()) };
    words.free();
    result.unwrap_or_else(|| {
        let shape = Shape::array(ObjectKind::ScalarArray, 8, 0);
        // SAFETY: an array without elements has nothing to fill in.
        unsafe { new_array(0, shape.header()) }
    })
}

unsafe fn read(words: &[u64]) -> Option<*mut u8> {
    let (&sum, rest) = words.split_first()?;
    let (&count, objects) = rest.split_first()?;
    if sum != check(rest) {
        return None;
    }
    let mut reader = Reader { words: objects, at: 0, objects: Grow::new() };
    // SAFETY: the sum says that nobody has changed what was written.
    unsafe {
        for _ in 0..count {
            reader.object()?;
        }
        // The first is the caller's.
        reader.objects.as_mut_slice().first_mut()?.1 = true;
        for at in 0..reader.objects.len() {
            let object = reader.objects.as_slice()[at].0;
            reader.connect(object, at);
        }
    }
    let first = reader.objects.as_slice().first()?.0;
    reader.objects.free();
    Some(first)
}
