//! The addresses of everything that compiled code may refer to.
//!
//! The table is made from the list in `oxbow_abi`. A function that is missing here,
//! or has another signature than its line there, is an error of compilation.

use crate::array::*;
use crate::backtrace::*;
use crate::checked::*;
use crate::cycles::*;
use crate::digits::*;
use crate::domain::*;
use crate::fiber::*;
use crate::float::*;
use crate::format::*;
use crate::handlers::*;
use crate::hash::*;
use crate::heap::*;
use crate::io::*;
use crate::kernels::*;
use crate::map::*;
use crate::marshal::*;
use crate::native::*;
use crate::pages::oxbow_sys_memory_fits;
use crate::parse::*;
use crate::places::*;
use crate::region::*;
use crate::shared::*;
use crate::string::*;
use crate::switch::*;
use crate::sync::*;
use crate::sys::*;
use crate::trouble::oxbow_flush_ready;
use crate::weak::*;

/// The Rust type of a result.
macro_rules! result {
    (Never) => { ! };
    (Void) => { () };
    (I8) => { u8 };
    ($ty:ident) => { param!($ty) };
}

/// The Rust type of a parameter.
macro_rules! param {
    // Callers need not extend an i8; so its upper bits arrive undefined, and no
    // narrower type may be used here.
    (I8) => { u32 };
    (I32) => { i32 };
    (I64) => { i64 };
    (F64) => { f64 };
    (Ptr) => { *mut u8 };
}

macro_rules! declare {
    (Runtime $($rest:tt)*) => {};
    ($library:ident $name:ident($($param:ident),*) -> $result:ident) => {
        unsafe extern "C" {
            pub(super) fn $name($(_: param!($param)),*) -> result!($result);
        }
    };
}

macro_rules! address {
    (Runtime $name:ident) => {
        $name
    };
    ($library:ident $name:ident) => {
        c_library::$name
    };
}

/// The C library's own function: Rust brings other versions of some into a program, whose `cbrt` differs.
macro_rules! preferred {
    (Runtime $name:ident, $function:expr) => {
        $function as *const ()
    };
    ($library:ident $name:ident, $function:expr) => {{
        let name = concat!(stringify!($name), "\0");
        // SAFETY: the name is a C string.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr().cast()) };
        if found.is_null() { $function as *const () } else { found.cast_const().cast() }
    }};
}

macro_rules! table {
    ($($(#[doc = $doc:literal])* $library:ident $effects:ident
       $name:ident($($param:ident),*) -> $result:ident;)*) => {
        mod c_library {
            $(declare! { $library $name($($param),*) -> $result })*
        }

        const FUNCTION_COUNT: usize = [$(stringify!($name)),*].len();

        fn functions() -> [(&'static str, *const ()); FUNCTION_COUNT] {
            [$({
                let function: unsafe extern "C" fn($(param!($param)),*) -> result!($result) =
                    address!($library $name);
                (stringify!($name), preferred!($library $name, function))
            }),*]
        }
    };
}

oxbow_abi::for_each_function!(table);

/// Name and address of each entry of `oxbow_abi::FUNCTIONS` and `oxbow_abi::GLOBALS`.
pub fn symbols() -> impl Iterator<Item = (&'static str, *const ())> {
    let globals = [
        (oxbow_abi::FREE_CELLS, (&raw const oxbow_free_cells).cast()),
        (oxbow_abi::NOTHING, (&raw const oxbow_nothing).cast()),
        (oxbow_abi::SITE, (&raw const oxbow_site).cast()),
        (oxbow_abi::CALLER, (&raw const oxbow_caller).cast()),
        (oxbow_abi::DOMAIN_OFFSET, (&raw const oxbow_domain_offset).cast()),
    ];
    functions().into_iter().chain(globals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_complete() {
        let functions = oxbow_abi::FUNCTIONS.iter().map(|it| it.name);
        let globals = oxbow_abi::GLOBALS.iter().map(|it| it.name);
        assert!(symbols().map(|it| it.0).eq(functions.chain(globals)));
        assert!(symbols().all(|it| !it.1.is_null()));
    }

    /// Rust's own version gives other last digits.
    #[test]
    fn cbrt_is_that_of_the_c_library() {
        let found = symbols().find(|it| it.0 == "cbrt").expect("it is listed").1;
        // SAFETY: the names are C strings.
        let expected = unsafe {
            let library = libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW);
            libc::dlsym(library, c"cbrt".as_ptr())
        };
        assert_eq!(found, expected.cast_const().cast());
    }

    #[test]
    fn an_address_can_be_called() {
        let hypot = symbols().find(|it| it.0 == "hypot").expect("it is listed").1;
        // SAFETY: this is its type.
        let hypot: extern "C" fn(f64, f64) -> f64 = unsafe { core::mem::transmute(hypot) };
        assert_eq!(hypot(3.0, 4.0), 5.0);
    }
}
