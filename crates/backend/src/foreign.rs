//! Functions of C libraries: where they are in this process, and which file holds them.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::PathBuf;

use oxbow_dialect::Builder;
use oxbow_dialect::inspect::{body_ops, ops_of};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Module;
use oxbow_dialect::op::{DialectOp, ForeignCall};

/// A function that a program calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Foreign {
    /// Its library, or several with `+` between them, of which the first that has it counts.
    pub library: String,
    pub name: String,
}

/// Where a function is.
#[derive(Clone, Debug)]
pub struct Found {
    pub address: usize,
    /// The file to link with; C's own library is linked anyway.
    pub file: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    Library,
    Function,
}

#[repr(C)]
struct SymbolInfo {
    file: *const c_char,
    base: *mut c_void,
    name: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dladdr(address: *const c_void, info: *mut SymbolInfo) -> c_int;
}

const RTLD_NOW: c_int = 2;
const RTLD_GLOBAL: c_int = 0x100;

/// Looks for a function, loading its library into this process.
pub fn find(foreign: &Foreign) -> Result<Found, Missing> {
    let name = CString::new(foreign.name.as_str()).map_err(|_| Missing::Function)?;
    let libraries = foreign.library.split('+').collect::<Vec<_>>();
    if libraries.len() > 1 {
        let each = libraries.into_iter().filter_map(open_any);
        // SAFETY: as below.
        let addresses = each.map(|library| unsafe { dlsym(library, name.as_ptr()) });
        let address = addresses.into_iter().find(|it| !it.is_null()).ok_or(Missing::Function)?;
        return Ok(Found { address: address as usize, file: file_of(address) });
    }
    let is_c = ["libc", "c", "libc.so.6", "msvcrt"].contains(&foreign.library.as_str());
    let library = if is_c { open(None) } else { open_any(&foreign.library) };
    let library = library.ok_or(Missing::Library)?;
    // SAFETY: the library is loaded and stays so; the name ends with a zero byte.
    let address = unsafe { dlsym(library, name.as_ptr()) };
    if address.is_null() {
        return Err(Missing::Function);
    }
    let file = if is_c { None } else { file_of(address) };
    Ok(Found { address: address as usize, file })
}

fn open(name: Option<&str>) -> Option<*mut c_void> {
    let name = match name {
        Some(name) => Some(CString::new(name).ok()?),
        None => None,
    };
    let pointer = name.as_ref().map_or(std::ptr::null(), |it| it.as_ptr());
    // SAFETY: the name is null, for the process itself, or ends with a zero byte.
    let library = unsafe { dlopen(pointer, RTLD_NOW | RTLD_GLOBAL) };
    (!library.is_null()).then_some(library)
}

/// A library by the names it may have: `m`, `libm`, `libm.so.6`.
fn open_any(name: &str) -> Option<*mut c_void> {
    let stems = [name.to_string(), format!("lib{name}")];
    let endings = ["", ".so", ".so.6", ".so.0", ".so.1", ".so.2", ".so.3"];
    stems
        .iter()
        .flat_map(|stem| endings.iter().map(move |ending| format!("{stem}{ending}")))
        .find_map(|it| open(Some(&it)))
}

fn file_of(address: *mut c_void) -> Option<PathBuf> {
    let mut info = SymbolInfo {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        name: std::ptr::null(),
        address: std::ptr::null_mut(),
    };
    // SAFETY: `info` has the layout of C's `Dl_info`; the file's name lives as long as the library.
    unsafe {
        if dladdr(address, &mut info) == 0 || info.file.is_null() {
            return None;
        }
        Some(PathBuf::from(CStr::from_ptr(info.file).to_string_lossy().into_owned()))
    }
}

/// The functions that a module calls, each once, in order.
pub fn of_module<'c>(module: &Module<'c>, context: &'c Context) -> Vec<Foreign> {
    let mut all = Vec::new();
    for func in ops_of(Builder::new(context).module_body(module)) {
        for call in body_ops(func).into_iter().filter_map(ForeignCall::cast) {
            all.push(Foreign { library: call.library().into(), name: call.callee().into() });
        }
    }
    all.sort();
    all.dedup();
    all
}
