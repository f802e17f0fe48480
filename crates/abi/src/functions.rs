//! The functions and variables that compiled programs may refer to.
//!
//! [`for_each_function!`] is the one list. From it come [`FUNCTIONS`] here, and in
//! the runtime the table of addresses, where each definition is checked against its
//! line in the list.

/// Types at the border between compiled code and the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbiType {
    /// No value.
    Void,
    /// `char`, `bool` (0 or 1).
    I8,
    I32,
    I64,
    F64,
    /// An object, a pointer into one, or a static.
    Ptr,
}

/// What a function does besides computing its result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effects {
    /// Nothing; it reads no memory that can change (`memory(none)`, `willreturn`).
    Pure,
    /// Reads memory (`memory(read)`, `willreturn`).
    Reads,
    /// Reads memory and makes an object: writes only fresh memory and the lists of free
    /// cells. May be dropped when unused, not merged, and not moved over code that
    /// allocates inline.
    Allocates,
    /// The same, and the result is an object that nobody else has.
    Makes,
    /// The same for a cell, by a function that is given the place in the source.
    Cell,
    /// Changes memory or the world.
    Writes,
    /// The same, counting references.
    Counts,
    /// The same, and the result is an object that nobody else has.
    Fills,
    /// Other code of the program runs before it returns: anything may be changed.
    Switches,
    /// Does not return.
    NoReturn,
}

impl Effects {
    /// Is the result an object that nobody else has?
    pub const fn is_fresh(self) -> bool {
        match self {
            Self::Makes | Self::Cell | Self::Fills => true,
            Self::Pure
            | Self::Reads
            | Self::Allocates
            | Self::Writes
            | Self::Counts
            | Self::Switches
            | Self::NoReturn => false,
        }
    }

    /// Does it come back for certain?
    pub const fn will_return(self) -> bool {
        match self {
            Self::Pure | Self::Reads | Self::Allocates | Self::Makes | Self::Cell => true,
            Self::Writes | Self::Counts | Self::Fills | Self::Switches | Self::NoReturn => false,
        }
    }

    /// Does it allocate or count references by itself, so that [`SITE`] must say where?
    pub const fn asks_for_site(self) -> bool {
        match self {
            Self::Allocates | Self::Makes | Self::Counts | Self::Fills => true,
            Self::Pure
            | Self::Reads
            | Self::Cell
            | Self::Writes
            | Self::Switches
            | Self::NoReturn => false,
        }
    }
}

/// Where a function is defined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Library {
    Runtime,
    /// C's mathematics; the name is the C name.
    Libm,
    /// C's memory functions, which code generation may call on its own account.
    Libc,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeFunction {
    pub name: &'static str,
    pub library: Library,
    pub params: &'static [AbiType],
    pub result: AbiType,
    pub effects: Effects,
}

/// A variable of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeGlobal {
    pub name: &'static str,
    /// Its size; each word is a pointer or an i64.
    pub words: usize,
}

pub const GLOBALS: &[RuntimeGlobal] = &[
    // The first free cell of each class, or null.
    RuntimeGlobal { name: FREE_CELLS, words: crate::CLASSES },
    // An object for places that hold no other yet, behind its header.
    RuntimeGlobal { name: NOTHING, words: 2 },
    // A C string: the place in the source that calls a function that allocates.
    RuntimeGlobal { name: SITE, words: 1 },
    // A C string: the place in the program's own text that last called a function of the library that allocates.
    RuntimeGlobal { name: CALLER, words: 1 },
    // How far from the thread's pointer the address of its domain lies, which begins with lists of free cells.
    RuntimeGlobal { name: DOMAIN_OFFSET, words: 1 },
];

pub const FREE_CELLS: &str = "oxbow_free_cells";
pub const NOTHING: &str = "oxbow_nothing";
pub const SITE: &str = "oxbow_site";
pub const CALLER: &str = "oxbow_caller";
/// What places in the library's files begin with.
pub const LIBRARY_FILES: &str = "<library>/";
pub const DOMAIN_OFFSET: &str = "oxbow_domain_offset";
/// Compiled code may do itself what these functions do.
pub const STACK_LOW: &str = "oxbow_stack_low";
pub const FIBER_RESUME: &str = "oxbow_fiber_resume";
pub const FIBER_SUSPEND: &str = "oxbow_fiber_suspend";

/// Calls the macro `$callback` with all functions, as
/// `Library Effects name(Type, …) -> Result;`.
#[macro_export]
macro_rules! for_each_function {
    ($callback:ident) => {
        $callback! {
            // Memory.

            /// A cell of this many bytes (a multiple of 8, at most `LARGEST_CELL`), called when
            /// the list of its size is empty. The second is a C string that names the place
            /// in the source, or null.
            Runtime Cell oxbow_cell_refill(I64, Ptr) -> Ptr;
            /// A larger cell.
            Runtime Cell oxbow_cell_large(I64, Ptr) -> Ptr;
            /// Drops the last reference to an object (its count is 0): ends its life, and that of
            /// everything that only it referred to.
            Runtime Writes oxbow_release(Ptr) -> Void;
            /// Notes an object for the scan for cycles, which may run. It is counted and not noted yet,
            /// and every object that it reaches has all its fields.
            Runtime Writes oxbow_suspect(Ptr) -> Void;
            /// The same without the scan, and for objects of any storage: some may lack fields.
            Runtime Writes oxbow_suspect_later(Ptr) -> Void;

            // The same in programs with domains, where objects may be shared.

            /// One more reference to a shared object.
            Runtime Writes oxbow_shared_dup(Ptr) -> Void;
            /// One reference less to an object whose count is 0, or that is shared.
            Runtime Writes oxbow_shared_drop(Ptr) -> Void;
            /// Shares a value, with all that it reaches.
            Runtime Writes oxbow_publish(Ptr) -> Void;
            /// Place, value: shares the value and puts it there; what was there is dropped when no domain looks at
            /// it any more.
            Runtime Writes oxbow_shared_store(Ptr, Ptr) -> Void;

            // Regions: three words in a frame (see `runtime::region`).

            /// Region, size of a cell that its page has no room for, place as above.
            Runtime Writes oxbow_region_page(Ptr, I64, Ptr) -> Ptr;
            /// Drops what the objects of a region refer to.
            Runtime Writes oxbow_region_walk(Ptr) -> Void;
            /// Gives all pages of a region back.
            Runtime Writes oxbow_region_leave(Ptr) -> Void;
            /// All but the first.
            Runtime Writes oxbow_region_reset(Ptr) -> Void;

            // The same for programs compiled to be checked or measured. The last `Ptr` of each is a C
            // string that names the place in the source.

            /// First of all: 1 to look for faults; the number and bytes of static objects.
            Runtime Writes oxbow_checked_start(I64, Ptr) -> Void;
            /// Last of all, when everything that globals held is dropped.
            Runtime Writes oxbow_checked_end() -> Void;
            /// Size, header.
            Runtime Writes oxbow_checked_cell(I64, I64, Ptr) -> Ptr;
            /// Size, header, place, and behind it a variable for the object of this frame.
            Runtime Writes oxbow_checked_frame(I64, I64, Ptr, Ptr) -> Ptr;
            /// The object of this variable goes with its frame.
            Runtime Writes oxbow_checked_leave(Ptr) -> Void;
            /// Size, header, place, region.
            Runtime Writes oxbow_checked_region(I64, I64, Ptr, Ptr) -> Ptr;
            /// Region, 1 if its objects refer to counted ones, place: its objects go.
            Runtime Writes oxbow_checked_region_end(Ptr, I64, Ptr) -> Void;
            /// The three take constant constructors and null as well.
            Runtime Writes oxbow_checked_use(Ptr, Ptr) -> Void;
            Runtime Writes oxbow_checked_unique(Ptr, Ptr) -> Void;
            Runtime Writes oxbow_checked_token(Ptr, I64, Ptr) -> Void;
            Runtime Writes oxbow_checked_dup(Ptr, Ptr) -> Void;
            Runtime Writes oxbow_checked_drop(Ptr, Ptr) -> Void;

            // Strings and bytes. Positions and lengths are not checked.

            Runtime Allocates oxbow_string_concat(Ptr, Ptr) -> Ptr;
            /// -1, 0 or 1: by bytes, then by length.
            Runtime Reads oxbow_string_compare(Ptr, Ptr) -> I64;
            Runtime Reads oxbow_string_equal(Ptr, Ptr) -> I8;
            /// Contents unspecified.
            Runtime Makes oxbow_bytes_create(I64) -> Ptr;
            /// Source, position, destination, position, length; they may overlap.
            Runtime Writes oxbow_bytes_blit(Ptr, I64, Ptr, I64, I64) -> Void;
            /// Bytes, position, length, value.
            Runtime Writes oxbow_bytes_fill(Ptr, I64, I64, I8) -> Void;

            // Arrays. A length is not negative; one that cannot be had ends the program.

            Runtime Makes oxbow_array_make_i8(I64, I8) -> Ptr;
            Runtime Makes oxbow_array_make_i32(I64, I32) -> Ptr;
            /// Length, element: `int` (as compiled code holds it), `int64`.
            Runtime Makes oxbow_array_make_i64(I64, I64) -> Ptr;
            Runtime Makes oxbow_array_make_f64(I64, F64) -> Ptr;
            /// Takes over one reference to the element.
            Runtime Fills oxbow_array_make_ptr(I64, Ptr) -> Ptr;
            /// Length, address of one element (whose references it takes over), the header.
            Runtime Fills oxbow_array_make_struct(I64, Ptr, I64) -> Ptr;
            /// Length, header; pointers in the elements are `oxbow_nothing`, the rest unspecified.
            Runtime Makes oxbow_array_uninit(I64, I64) -> Ptr;
            /// Source, position, target, position, length, for elements with pointers in them; the
            /// ranges may overlap.
            Runtime Counts oxbow_array_blit(Ptr, I64, Ptr, I64, I64) -> Void;
            /// Array of floats, position, step, count: those numbers become their `tanh`.
            Runtime Writes oxbow_array_tanh(Ptr, I64, I64, I64) -> Void;
            Runtime Writes oxbow_array_exp(Ptr, I64, I64, I64) -> Void;
            Runtime Writes oxbow_array_fast_tanh(Ptr, I64, I64, I64) -> Void;
            Runtime Writes oxbow_array_fast_exp(Ptr, I64, I64, I64) -> Void;
            /// Arrays of floats `c`, `a` and `b`; rows and columns of `a`, columns of `b`; the distances of rows and of
            /// columns in each: adds the product of `a` and `b` to `c`.
            Runtime Writes oxbow_array_add_product(
                Ptr, Ptr, Ptr, I64, I64, I64, I64, I64, I64, I64, I64, I64
            ) -> Void;

            // Hashing. A running hash is a 32-bit number, widened without sign. `hash_*` is
            // `Hashtbl.hash` of one value, `mix_*` the step for that value within a structure.

            /// Also `char` (its code), `bool` and constant constructors (their number).
            Runtime Pure oxbow_hash_int(I64) -> I64;
            Runtime Pure oxbow_hash_int32(I32) -> I64;
            Runtime Pure oxbow_hash_int64(I64) -> I64;
            Runtime Pure oxbow_hash_float(F64) -> I64;
            Runtime Reads oxbow_hash_string(Ptr) -> I64;
            Runtime Pure oxbow_hash_mix_int(I64, I64) -> I64;
            /// The low 32 bits as they are.
            Runtime Pure oxbow_hash_mix_uint32(I64, I64) -> I64;
            Runtime Pure oxbow_hash_mix_int64(I64, I64) -> I64;
            Runtime Pure oxbow_hash_mix_float(I64, F64) -> I64;
            Runtime Reads oxbow_hash_mix_string(I64, Ptr) -> I64;
            /// The result, 30 bits.
            Runtime Pure oxbow_hash_final(I64) -> I64;

            // Floats.

            Runtime Pure oxbow_float_ldexp(F64, I64) -> F64;
            Runtime Pure oxbow_float_frexp_mantissa(F64) -> F64;
            Runtime Pure oxbow_float_frexp_exponent(F64) -> I64;

            // Text of numbers. The format is a string with one conversion.

            /// `int`: `%u %x %X %o` show the 63-bit pattern.
            Runtime Allocates oxbow_format_int(Ptr, I64) -> Ptr;
            Runtime Allocates oxbow_format_int32(Ptr, I32) -> Ptr;
            Runtime Allocates oxbow_format_int64(Ptr, I64) -> Ptr;
            Runtime Allocates oxbow_format_float(Ptr, F64) -> Ptr;
            /// The shortest digits that mean a float, or one of 32 bits, and the power of ten of the first one.
            Runtime Allocates oxbow_float_digits(F64) -> Ptr;
            Runtime Allocates oxbow_float_digits32(F64) -> Ptr;
            /// Is the whole string a float?
            Runtime Reads oxbow_parse_float_ok(Ptr) -> I8;
            Runtime Reads oxbow_parse_float(Ptr) -> F64;

            // The system. Paths and names are strings.

            /// Ends the process at once.
            Runtime NoReturn oxbow_sys_exit(I64) -> Never;
            /// From now on the program's buffers exist, and can be flushed.
            Runtime Writes oxbow_flush_ready() -> Void;
            /// Number of a signal, what becomes of it (0 the default, 1 nothing, 2 it is noted); what was before, or
            /// minus the error number.
            Runtime Writes oxbow_signal_set(I64, I64) -> I64;
            /// Has a signal come that is noted, and whose handler does not run?
            Runtime Writes oxbow_signal_pending() -> I8;
            /// Its number, or 0; its handler runs from now on.
            Runtime Writes oxbow_signal_take() -> I64;
            /// The handler of this signal has ended.
            Runtime Writes oxbow_signal_done(I64) -> Void;
            // Backtraces. A place is a constant string; kinds of frames are those of `backtrace`.

            /// Kind, place, exception: the exception is raised at the place, or leaves a call there.
            Runtime Writes oxbow_backtrace_note(I64, Ptr, Ptr) -> Void;
            /// The frames of this exception follow; the next call that it leaves raises it again.
            Runtime Writes oxbow_backtrace_restore(Ptr) -> Void;
            /// Kind and place of one more frame.
            Runtime Writes oxbow_backtrace_push(I64, Ptr) -> Void;
            /// Are frames noted from now on?
            Runtime Writes oxbow_backtrace_record(I64) -> Void;
            Runtime Writes oxbow_backtrace_status() -> I8;
            Runtime Writes oxbow_backtrace_length() -> I64;
            Runtime Writes oxbow_backtrace_kind(I64) -> I64;
            Runtime Writes oxbow_backtrace_place(I64) -> Ptr;
            /// Writes the frames of an exception that ends the program to the standard error.
            Runtime Writes oxbow_backtrace_print(Ptr) -> Void;
            /// A call begins at a place; it ends.
            Runtime Writes oxbow_stack_enter(Ptr) -> Void;
            Runtime Writes oxbow_stack_leave() -> Void;
            /// How many calls are going on, and the place of one from the innermost.
            Runtime Writes oxbow_stack_count() -> I64;
            Runtime Writes oxbow_stack_place(I64) -> Ptr;
            Runtime Writes oxbow_stack_kept() -> I8;
            /// The calls of a fibre: how many there are, where they begin, and that they do so no more.
            Runtime Writes oxbow_stack_own() -> I64;
            Runtime Writes oxbow_stack_begin() -> I64;
            Runtime Writes oxbow_stack_end(I64) -> Void;
            /// Is the stack nearly used up?
            Runtime Writes oxbow_stack_low() -> I8;
            Runtime Pure oxbow_sys_argc() -> I64;
            Runtime Allocates oxbow_sys_argv(I64) -> Ptr;
            Runtime Reads oxbow_sys_has_env(Ptr) -> I8;
            /// Empty when not set.
            Runtime Allocates oxbow_sys_getenv(Ptr) -> Ptr;
            /// Processor seconds.
            Runtime Writes oxbow_sys_time() -> F64;
            /// Seconds since 1970.
            Runtime Writes oxbow_sys_wall_time() -> F64;
            /// The place in the program's own text that last called the library; empty if it is not known.
            Runtime Fills oxbow_sys_caller() -> Ptr;
            /// Bits that differ from run to run, an `int`.
            Runtime Writes oxbow_sys_entropy() -> I64;
            /// Can so many bytes be had in one piece?
            Runtime Reads oxbow_sys_memory_fits(I64) -> I8;
            Runtime Writes oxbow_sys_file_exists(Ptr) -> I8;
            Runtime Writes oxbow_sys_is_directory(Ptr) -> I8;
            /// 0 or the error number.
            Runtime Writes oxbow_sys_remove(Ptr) -> I64;
            Runtime Allocates oxbow_sys_error_message(I64) -> Ptr;

            // Files: results are minus the error number when something failed.

            /// Path, flags (1 write, 2 append, 4 create, 8 truncate, 16 exclusive), permissions.
            Runtime Writes oxbow_io_open(Ptr, I64, I64) -> I64;
            Runtime Writes oxbow_io_close(I64) -> I64;
            /// Descriptor, bytes, position, length: writes all of it.
            Runtime Writes oxbow_io_write(I64, Ptr, I64, I64) -> I64;
            /// Descriptor, bytes, position, length: at least one byte, or 0 at the end.
            Runtime Writes oxbow_io_read(I64, Ptr, I64, I64) -> I64;
            /// Descriptor, offset, whence (0 start, 1 here, 2 end).
            Runtime Writes oxbow_io_seek(I64, I64, I64) -> I64;
            /// Descriptor, offset (a multiple of the page), length, 1 if writing changes the file: its bytes as an
            /// object that nothing frees. Empty if it failed.
            Runtime Fills oxbow_io_map(I64, I64, I64, I64) -> Ptr;

            // Values as bytes, and weak references.

            /// All that an array reaches, as a string; a letter if something among it cannot be written. With 0, what
            /// is shared is written as often as it is met.
            Runtime Fills oxbow_marshal_write(Ptr, I64) -> Ptr;
            /// The array, from this position of a string on; an empty one if the bytes are damaged.
            Runtime Fills oxbow_marshal_read(Ptr, I64) -> Ptr;
            /// Array, index, change of the number of weak references to the element: are there others?
            Runtime Writes oxbow_weak_count(Ptr, I64, I64) -> I8;
            /// Puts a copy of the element in its place.
            Runtime Writes oxbow_weak_copy(Ptr, I64) -> Void;
            /// Frees cycles.
            Runtime Writes oxbow_gc_scan() -> Void;

            // Fibres (see `runtime::fiber`).
            /// A handle; the fibre has not begun.
            Runtime Makes oxbow_fiber_new() -> Ptr;
            /// Lets it run until it suspends itself (0) or ends (1).
            Runtime Switches oxbow_fiber_resume(Ptr) -> I64;
            /// Does it belong to this thread?
            Runtime Writes oxbow_fiber_is_own(Ptr) -> I8;
            /// Leaves the fibre: 0 if it was resumed, 1 if it has to unwind, 2 if none runs.
            Runtime Switches oxbow_fiber_suspend() -> I64;

            // Domains and threads (see `runtime::domain`). Mutexes and conditions are bytes; results are error numbers.

            /// Starts a thread that runs `oxbow_program_domain`, with this number.
            Runtime Switches oxbow_domain_spawn(I64) -> I64;
            /// The number of this thread; the first has 0.
            Runtime Reads oxbow_domain_self() -> I64;
            /// A small number that no other thread has as long as this one runs.
            Runtime Reads oxbow_domain_slot() -> I64;
            Runtime Switches oxbow_domain_relax() -> Void;
            Runtime Switches oxbow_domain_yield() -> Void;
            /// Seconds.
            Runtime Switches oxbow_domain_delay(F64) -> Void;
            Runtime Writes oxbow_domain_cores() -> I64;
            Runtime Writes oxbow_mutex_size() -> I64;
            Runtime Writes oxbow_mutex_init(Ptr) -> Void;
            Runtime Switches oxbow_mutex_lock(Ptr) -> I64;
            Runtime Switches oxbow_mutex_try_lock(Ptr) -> I64;
            Runtime Switches oxbow_mutex_unlock(Ptr) -> I64;
            Runtime Writes oxbow_condition_size() -> I64;
            Runtime Writes oxbow_condition_init(Ptr) -> Void;
            /// Condition, mutex.
            Runtime Switches oxbow_condition_wait(Ptr, Ptr) -> I64;
            /// Condition, 1 to wake all that wait.
            Runtime Switches oxbow_condition_signal(Ptr, I64) -> Void;
            /// From here to the next, no other thread is in such a section for the object.
            Runtime Switches oxbow_atomic_lock(Ptr) -> Void;
            Runtime Switches oxbow_atomic_unlock(Ptr) -> Void;
            /// What is read behind it was not read before.
            Runtime Switches oxbow_atomic_fence() -> Void;
            /// The same around the use of buffers of channels; one thread may lock several times.
            /// 0 for output, 1 for input.
            Runtime Switches oxbow_channels_lock(I64) -> Void;
            /// 0 for output, 1 for input, 2 for all that this thread has locked, as often as it has.
            Runtime Switches oxbow_channels_unlock(I64) -> Void;

            // Memory by address, for programs that ask for it.
            /// Bytes, which are zero; the address of the first.
            Runtime Writes oxbow_native_alloc(I64) -> I64;
            Runtime Writes oxbow_native_mark() -> I64;
            /// Gives back what was allocated after the mark.
            Runtime Writes oxbow_native_release(I64) -> Void;

            // Mathematics.

            Libm Pure fmod(F64, F64) -> F64;
            Libm Pure pow(F64, F64) -> F64;
            Libm Pure sqrt(F64) -> F64;
            Libm Pure cbrt(F64) -> F64;
            Libm Pure exp(F64) -> F64;
            Libm Pure exp2(F64) -> F64;
            Libm Pure expm1(F64) -> F64;
            Libm Pure log(F64) -> F64;
            Libm Pure log2(F64) -> F64;
            Libm Pure log10(F64) -> F64;
            Libm Pure log1p(F64) -> F64;
            Libm Pure sin(F64) -> F64;
            Libm Pure cos(F64) -> F64;
            Libm Pure tan(F64) -> F64;
            Libm Pure asin(F64) -> F64;
            Libm Pure acos(F64) -> F64;
            Libm Pure atan(F64) -> F64;
            Libm Pure atan2(F64, F64) -> F64;
            Libm Pure sinh(F64) -> F64;
            Libm Pure cosh(F64) -> F64;
            Libm Pure tanh(F64) -> F64;
            Libm Pure asinh(F64) -> F64;
            Libm Pure acosh(F64) -> F64;
            Libm Pure atanh(F64) -> F64;
            Libm Pure erf(F64) -> F64;
            Libm Pure erfc(F64) -> F64;
            Libm Pure ceil(F64) -> F64;
            Libm Pure floor(F64) -> F64;
            Libm Pure trunc(F64) -> F64;
            Libm Pure round(F64) -> F64;
            Libm Pure hypot(F64, F64) -> F64;
            Libm Pure copysign(F64, F64) -> F64;
            Libm Pure nextafter(F64, F64) -> F64;
            Libm Pure fma(F64, F64, F64) -> F64;
            Libm Pure fabs(F64) -> F64;

            // What LLVM makes of its memory intrinsics.

            Libc Writes memcpy(Ptr, Ptr, I64) -> Ptr;
            Libc Writes memmove(Ptr, Ptr, I64) -> Ptr;
            Libc Writes memset(Ptr, I32, I64) -> Ptr;
            Libc Reads memcmp(Ptr, Ptr, I64) -> I32;
        }
    };
}

macro_rules! result_type {
    (Never) => {
        AbiType::Void
    };
    ($ty:ident) => {
        AbiType::$ty
    };
}

macro_rules! table {
    ($($(#[doc = $doc:literal])* $library:ident $effects:ident
       $name:ident($($param:ident),*) -> $result:ident;)*) => {
        /// Every function that compiled code may call.
        pub const FUNCTIONS: &[RuntimeFunction] = &[$(RuntimeFunction {
            name: stringify!($name),
            library: Library::$library,
            params: &[$(AbiType::$param),*],
            result: result_type!($result),
            effects: Effects::$effects,
        },)*];
    };
}

for_each_function!(table);

/// The function of this name.
pub fn function(name: &str) -> Option<&'static RuntimeFunction> {
    FUNCTIONS.iter().find(|it| it.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (index, it) in FUNCTIONS.iter().enumerate() {
            assert!(FUNCTIONS[..index].iter().all(|other| other.name != it.name), "{}", it.name);
        }
    }

    #[test]
    fn the_runtimes_own_names_have_its_prefix() {
        for it in FUNCTIONS {
            assert_eq!(
                it.name.starts_with("oxbow_"),
                it.library == Library::Runtime,
                "{}",
                it.name
            );
        }
    }

    #[test]
    fn lookup() {
        let it = function("oxbow_string_concat").expect("it is in the list");
        assert_eq!(it.params, [AbiType::Ptr, AbiType::Ptr]);
        assert_eq!(it.result, AbiType::Ptr);
        assert!(function("oxbow_nothing").is_none());
    }
}
