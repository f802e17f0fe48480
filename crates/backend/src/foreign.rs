//! Functions of C libraries: where they are in this process, and which file holds them.

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::path::PathBuf;

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
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

/// Looks for a function, loading its library into this process.
pub fn find(foreign: &Foreign) -> Result<Found, Missing> {
    let libraries = foreign.library.split('+').collect::<Vec<_>>();
    if libraries.len() > 1 {
        let address = libraries
            .into_iter()
            .filter_map(open_any)
            .find_map(|it| address_in(it, &foreign.name))
            .ok_or(Missing::Function)?;
        return Ok(Found { address: address as usize, file: file_of(address) });
    }
    let is_c = ["libc", "c", "libc.so.6", "msvcrt"].contains(&foreign.library.as_str());
    let library = if is_c { Some(Library::this()) } else { open_any(&foreign.library) };
    let library = library.ok_or(Missing::Library)?;
    let address = address_in(library, &foreign.name).ok_or(Missing::Function)?;
    let file = if is_c { None } else { file_of(address) };
    Ok(Found { address: address as usize, file })
}

/// A library by the names it may have: `m`, `libm`, `libm.so.6`.
fn open_any(name: &str) -> Option<Library> {
    let stems = [name.to_string(), format!("lib{name}")];
    let endings = ["", ".so", ".so.6", ".so.0", ".so.1", ".so.2", ".so.3"];
    stems
        .iter()
        .flat_map(|stem| endings.iter().map(move |ending| format!("{stem}{ending}")))
        // SAFETY: initialisers of the library run, as the program asks for by naming it.
        .find_map(|it| unsafe { Library::open(Some(it), RTLD_NOW | RTLD_GLOBAL) }.ok())
}

/// The address of a function. Its library stays loaded.
fn address_in(library: Library, name: &str) -> Option<*mut c_void> {
    // SAFETY: the symbol is an address and nothing more until compiled code calls it by the type that the
    // program declares.
    let address = unsafe { library.get::<*mut c_void>(name.as_bytes()) }.ok()?.into_raw();
    std::mem::forget(library);
    (!address.is_null()).then_some(address)
}

fn file_of(address: *mut c_void) -> Option<PathBuf> {
    let mut info = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: `dladdr` fills the structure if it succeeds; the file's name lives as long as the library.
    unsafe {
        if libc::dladdr(address, info.as_mut_ptr()) == 0 {
            return None;
        }
        let file = info.assume_init().dli_fname;
        (!file.is_null())
            .then(|| PathBuf::from(CStr::from_ptr(file).to_string_lossy().into_owned()))
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
