//! The world around an interpreted program: files, arguments, environment, clocks.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// What primitives of the program ask of the world. Results of file operations are
/// not negative, or minus the error number.
pub trait Host {
    fn args(&self) -> &[Vec<u8>];
    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> i64;
    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> i64;
    fn open(&mut self, path: &[u8], flags: i64, permissions: i64) -> i64;
    fn close(&mut self, descriptor: i64) -> i64;
    fn seek(&mut self, descriptor: i64, offset: i64, whence: i64) -> i64;
    fn remove(&mut self, path: &[u8]) -> i64;

    fn env(&self, name: &[u8]) -> Option<Vec<u8>> {
        std::env::var_os(std::ffi::OsStr::from_bytes(name)).map(OsStringExt::into_vec)
    }
    fn exists(&self, path: &[u8]) -> bool {
        path_of(path).exists()
    }
    fn is_directory(&self, path: &[u8]) -> bool {
        path_of(path).is_dir()
    }
    fn wall_time(&self) -> f64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |it| it.as_secs_f64())
    }
    /// Seconds of work; the interpreter has no better measure than elapsed time.
    fn time(&self) -> f64;
    fn entropy(&self) -> i64 {
        use std::hash::{BuildHasher, Hasher};
        std::collections::hash_map::RandomState::new().build_hasher().finish() as i64
    }
    fn error_message(&self, code: i64) -> String {
        let text = io::Error::from_raw_os_error(code as i32).to_string();
        text.split(" (os error").next().unwrap_or_default().to_string()
    }
}

fn path_of(path: &[u8]) -> &std::path::Path {
    std::path::Path::new(std::ffi::OsStr::from_bytes(path))
}

const EBADF: i64 = 9;
const EIO: i64 = 5;
const EINVAL: i64 = 22;

fn failure(error: &io::Error) -> i64 {
    -error.raw_os_error().map_or(EIO, i64::from)
}

/// The real world. Descriptors 0 to 2 are the process's own.
pub struct StdHost {
    args: Vec<Vec<u8>>,
    /// From descriptor 3 on.
    files: Vec<Option<File>>,
    start: Instant,
}

impl StdHost {
    /// `args[0]` is the name of the program.
    pub fn new(args: Vec<Vec<u8>>) -> Self {
        Self { args, files: Vec::new(), start: Instant::now() }
    }

    fn file(&mut self, descriptor: i64) -> Option<&mut File> {
        let index = usize::try_from(descriptor.checked_sub(3)?).ok()?;
        self.files.get_mut(index)?.as_mut()
    }
}

impl Host for StdHost {
    fn args(&self) -> &[Vec<u8>] {
        &self.args
    }

    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> i64 {
        let result = match descriptor {
            1 => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            2 => io::stderr().lock().write_all(bytes),
            _ => match self.file(descriptor) {
                Some(file) => file.write_all(bytes),
                None => return -EBADF,
            },
        };
        match result {
            Ok(()) => bytes.len() as i64,
            Err(error) => failure(&error),
        }
    }

    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> i64 {
        let result = match descriptor {
            0 => io::stdin().lock().read(buffer),
            _ => match self.file(descriptor) {
                Some(file) => file.read(buffer),
                None => return -EBADF,
            },
        };
        result.map_or_else(|error| failure(&error), |count| count as i64)
    }

    fn open(&mut self, path: &[u8], flags: i64, permissions: i64) -> i64 {
        let has = |bit: i64| flags & bit != 0;
        let writes = has(1) || has(2);
        let mut options = OpenOptions::new();
        options.read(!writes).write(writes).append(has(2)).mode(permissions as u32);
        // Only what is written can be created or cut, and what is appended to cannot be
        // cut while it is opened.
        options.create(has(4) && writes).truncate(has(8) && writes && !has(2));
        options.create_new(has(16) && has(4) && writes);
        let file = match options.open(path_of(path)) {
            Ok(file) => file,
            Err(error) => return failure(&error),
        };
        if has(8)
            && has(2)
            && let Err(error) = file.set_len(0)
        {
            return failure(&error);
        }
        let free = self.files.iter().position(Option::is_none);
        let index = free.unwrap_or(self.files.len());
        if index == self.files.len() {
            self.files.push(None);
        }
        self.files[index] = Some(file);
        index as i64 + 3
    }

    fn close(&mut self, descriptor: i64) -> i64 {
        if (0..3).contains(&descriptor) {
            return 0;
        }
        let index = usize::try_from(descriptor - 3).unwrap_or(usize::MAX);
        match self.files.get_mut(index).and_then(Option::take) {
            Some(_) => 0,
            None => -EBADF,
        }
    }

    fn seek(&mut self, descriptor: i64, offset: i64, whence: i64) -> i64 {
        let target = match whence {
            0 => SeekFrom::Start(offset.max(0) as u64),
            1 => SeekFrom::Current(offset),
            2 => SeekFrom::End(offset),
            _ => return -EINVAL,
        };
        match self.file(descriptor) {
            Some(file) => file.seek(target).map_or_else(|it| failure(&it), |at| at as i64),
            None => -29, // ESPIPE: the standard streams
        }
    }

    fn remove(&mut self, path: &[u8]) -> i64 {
        match std::fs::remove_file(path_of(path)) {
            Ok(()) => 0,
            Err(error) => -failure(&error),
        }
    }

    fn time(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// The real world with the standard streams in memory, for tests.
pub struct MemoryHost {
    pub stdin: Vec<u8>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    inner: StdHost,
}

impl MemoryHost {
    pub fn new(args: Vec<Vec<u8>>, stdin: Vec<u8>) -> Self {
        let inner = StdHost::new(args);
        Self { stdin, stdout: Vec::new(), stderr: Vec::new(), inner }
    }
}

impl Host for MemoryHost {
    fn args(&self) -> &[Vec<u8>] {
        self.inner.args()
    }

    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> i64 {
        match descriptor {
            1 => self.stdout.extend(bytes),
            2 => self.stderr.extend(bytes),
            _ => return self.inner.write(descriptor, bytes),
        }
        bytes.len() as i64
    }

    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> i64 {
        if descriptor != 0 {
            return self.inner.read(descriptor, buffer);
        }
        let count = buffer.len().min(self.stdin.len());
        for (place, byte) in buffer.iter_mut().zip(self.stdin.drain(..count)) {
            *place = byte;
        }
        count as i64
    }

    fn open(&mut self, path: &[u8], flags: i64, permissions: i64) -> i64 {
        self.inner.open(path, flags, permissions)
    }

    fn close(&mut self, descriptor: i64) -> i64 {
        self.inner.close(descriptor)
    }

    fn seek(&mut self, descriptor: i64, offset: i64, whence: i64) -> i64 {
        self.inner.seek(descriptor, offset, whence)
    }

    fn remove(&mut self, path: &[u8]) -> i64 {
        self.inner.remove(path)
    }

    fn time(&self) -> f64 {
        self.inner.time()
    }
}
