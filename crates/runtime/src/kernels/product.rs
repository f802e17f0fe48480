//! Products of matrices: `c += a b`, with vector instructions.
//!
//! ```text
//! for each block of 256 rows and 10 panels (of 24 columns) of b
//!   copy it, panel by panel                       unless b is small, and its rows lie in one piece
//!   for each 8 rows of a and c: copy those of a, then
//!     for each panel: 8 x 24 numbers of c in registers, over the block
//! ```
//!
//! Each number of `c` is a chain of fused products and sums, `fma a.(i).(k) b.(k).(j) c.(i).(j)`, in the order of `k`.
//! Neither blocks nor the width of vectors change that order, so the bits are the same on every processor: one without
//! such an instruction calls the C library's `fma`.
//!
//! A matrix is an address and the distances between its rows and between its columns: a transposed one is no copy.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::object::data;

use super::{LIBRARY, UNKNOWN, forms};

/// Numbers at `at + i * row + j * column`.
#[derive(Clone, Copy)]
struct Matrix {
    at: *mut f64,
    row: isize,
    column: isize,
}

impl Matrix {
    fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    fn place(self, row: usize, column: usize) -> *mut f64 {
        self.at.wrapping_offset(row as isize * self.row + column as isize * self.column)
    }

    /// The part that begins at this place.
    fn from(self, row: usize, column: usize) -> Self {
        Self { at: self.place(row, column), ..self }
    }
}

/// `c += a b`; `a` has `rows` rows, `b` has `inner` rows and `columns` columns. `c` overlaps with neither.
#[derive(Clone, Copy)]
struct Product {
    c: Matrix,
    a: Matrix,
    b: Matrix,
    rows: usize,
    inner: usize,
    columns: usize,
}

/// Adds the product of two matrices to a third one, which is another object: rows, columns of `a`, columns of `b`, then
/// the distances of rows and of columns in `c`, `a` and `b`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn oxbow_array_add_product(
    c: *mut u8,
    a: *mut u8,
    b: *mut u8,
    rows: i64,
    inner: i64,
    columns: i64,
    c_row: i64,
    c_column: i64,
    a_row: i64,
    a_column: i64,
    b_row: i64,
    b_column: i64,
) {
    let matrix = |array: *mut u8, row: i64, column: i64| {
        // SAFETY: compiled code passes arrays of floats.
        let at = unsafe { data(array) }.cast::<f64>();
        Matrix { at, row: row as isize, column: column as isize }
    };
    if rows > 0 && inner > 0 && columns > 0 {
        let (rows, inner, columns) = (rows as usize, inner as usize, columns as usize);
        let (c, a) = (matrix(c, c_row, c_column), matrix(a, a_row, a_column));
        let b = matrix(b, b_row, b_column);
        // SAFETY: the library has checked that all places lie within the arrays.
        unsafe { add(Product { c, a, b, rows, inner, columns }) }
    }
}

/// A form, or `LIBRARY` for one number after the other.
static CHOSEN: AtomicU8 = AtomicU8::new(UNKNOWN);

#[cold]
fn choose() -> u8 {
    #[cfg(target_arch = "x86_64")]
    let found = forms().into_iter().find(|&it| it != super::Form::Sse2);
    #[cfg(not(target_arch = "x86_64"))]
    let found: Option<super::Form> = forms().into_iter().next();
    let form = found.map_or(LIBRARY, |it| it as u8);
    CHOSEN.store(form, Ordering::Relaxed);
    form
}

unsafe fn add(mut it: Product) {
    // Vectors are rows of `c`.
    if it.c.column != 1 && it.c.row == 1 {
        let (c, a, b) = (it.c.transposed(), it.b.transposed(), it.a.transposed());
        it = Product { c, a, b, rows: it.columns, columns: it.rows, ..it };
    }
    let form = match CHOSEN.load(Ordering::Relaxed) {
        UNKNOWN => choose(),
        form => form,
    };
    // SAFETY: the form is one of those whose instructions the processor has.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        if form == super::Form::Avx512 as u8 {
            return x86::add_avx512(it);
        }
        if form == super::Form::Avx2 as u8 {
            return x86::add_avx2(it);
        }
    }
    let _ = form;
    // SAFETY: as the caller says.
    unsafe { add_singly(it) }
}

/// One number after the other.
unsafe fn add_singly(it: Product) {
    unsafe extern "C" {
        fn fma(a: f64, b: f64, c: f64) -> f64;
    }
    for i in 0..it.rows {
        for j in 0..it.columns {
            // SAFETY: all places lie within the matrices.
            unsafe {
                let mut sum = it.c.place(i, j).read();
                for k in 0..it.inner {
                    sum = fma(it.a.place(i, k).read(), it.b.place(k, j).read(), sum);
                }
                it.c.place(i, j).write(sum);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{__m256d, __m512d};

    use super::super::lanes::Lanes;
    use super::{Matrix, Product, add_singly};

    /// Rows of `b` in a block: a tile's part of `a` stays in the first cache.
    const INNER: usize = 256;
    /// Panels of `b` in a block, which stays in the second cache.
    const PANELS: usize = 10;
    /// So many numbers of `b` are read where they lie.
    const SMALL: usize = 32 * 1024;
    /// The numbers of the largest tile.
    const LARGEST: usize = 8 * 3 * 8;

    #[target_feature(enable = "avx2,fma")]
    pub unsafe fn add_avx2(it: Product) {
        // SAFETY: the function has the instructions itself, and so does who may call it.
        unsafe { add::<__m256d, 6, 2>(it) }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub unsafe fn add_avx512(it: Product) {
        // SAFETY: the function has the instructions itself, and so does who may call it.
        unsafe { add::<__m512d, 8, 3>(it) }
    }

    /// Room for copies of parts of `a` and `b`, and what is copied.
    struct Room {
        a: *mut f64,
        b: *mut f64,
        /// All of `a` and `b`, or only the last columns of `b`, if they are no whole panel.
        everything: bool,
    }

    /// `ROWS` rows of `c` are in registers at a time, and of each `WIDE` vectors, which are the width of a panel.
    #[inline(always)]
    unsafe fn add<L: Lanes, const ROWS: usize, const WIDE: usize>(it: Product) {
        let panel = WIDE * L::COUNT;
        let everything = it.b.column != 1 || it.inner * it.columns > SMALL;
        let inner = it.inner.min(INNER);
        let columns = it.columns.next_multiple_of(panel).min(PANELS * panel);
        let copied = inner * if everything { columns } else { panel };
        let bytes = (copied + ROWS * inner) * size_of::<f64>();
        // SAFETY: any size may be asked for.
        let memory = unsafe { libc::malloc(bytes).cast::<f64>() };
        if memory.is_null() {
            // SAFETY: as the caller says.
            return unsafe { add_singly(it) };
        }
        let room = Room { a: memory.wrapping_add(copied), b: memory, everything };
        for k in (0..it.inner).step_by(INNER) {
            for j in (0..it.columns).step_by(PANELS * panel) {
                let block = Product {
                    c: it.c.from(0, j),
                    a: it.a.from(0, k),
                    b: it.b.from(k, j),
                    inner: (it.inner - k).min(INNER),
                    columns: (it.columns - j).min(PANELS * panel),
                    ..it
                };
                // SAFETY: the block lies within the matrices, and its copies have room.
                unsafe { add_block::<L, ROWS, WIDE>(block, &room) };
            }
        }
        // SAFETY: nobody uses the memory any more.
        unsafe { libc::free(memory.cast()) };
    }

    #[inline(always)]
    unsafe fn add_block<L: Lanes, const ROWS: usize, const WIDE: usize>(it: Product, room: &Room) {
        let panel = WIDE * L::COUNT;
        for j in (0..it.columns).step_by(panel) {
            let columns = (it.columns - j).min(panel);
            if room.everything || columns < panel {
                // SAFETY: the block has so many columns from `j` on, the room as many panels.
                unsafe { copy_panel::<L>(it, j, columns, place_of_copy(&it, room, j)) };
            }
        }
        for i in (0..it.rows).step_by(ROWS) {
            let rows = (it.rows - i).min(ROWS);
            let mut a = it.a.from(i, 0);
            if room.everything {
                // SAFETY: the block has so many rows from `i` on, the room as many as a tile.
                unsafe { copy_rows::<ROWS>(a, rows, it.inner, room.a) };
                a = Matrix { at: room.a, row: 1, column: ROWS as isize };
            }
            for j in (0..it.columns).step_by(panel) {
                let columns = (it.columns - j).min(panel);
                let width = columns.next_multiple_of(L::COUNT);
                let b = if room.everything || columns < panel {
                    Matrix { at: place_of_copy(&it, room, j), row: width as isize, column: 1 }
                } else {
                    it.b.from(0, j)
                };
                let c = it.c.from(i, j);
                // SAFETY: the rows and columns lie within the block; `b` has `width` columns.
                unsafe {
                    add_tile::<L, ROWS, WIDE>(Product { c, a, b, rows, columns, ..it }, width)
                };
            }
        }
    }

    /// Where the copy of the panel from column `j` on is.
    fn place_of_copy(it: &Product, room: &Room, j: usize) -> *mut f64 {
        if room.everything { room.b.wrapping_add(j * it.inner) } else { room.b }
    }

    /// Copies columns of `b`, with zeros behind them up to a whole vector, in the order in which they lie in memory.
    #[inline(always)]
    unsafe fn copy_panel<L: Lanes>(it: Product, j: usize, columns: usize, to: *mut f64) {
        let width = columns.next_multiple_of(L::COUNT);
        let from = it.b.from(0, j);
        // SAFETY: the caller says that there are so many columns, and room for `inner * width` numbers.
        unsafe {
            if from.column == 1 {
                for k in 0..it.inner {
                    core::ptr::copy_nonoverlapping(from.place(k, 0), to.add(k * width), columns);
                }
            } else {
                for column in 0..columns {
                    for k in 0..it.inner {
                        to.add(k * width + column).write(from.place(k, column).read());
                    }
                }
            }
            for column in columns..width {
                for k in 0..it.inner {
                    to.add(k * width + column).write(0.0);
                }
            }
        }
    }

    /// Copies rows of `a` so that the numbers of a column are side by side.
    #[inline(always)]
    unsafe fn copy_rows<const ROWS: usize>(a: Matrix, rows: usize, inner: usize, to: *mut f64) {
        let copy = |row: usize, k: usize| {
            // SAFETY: the caller says that there are so many rows, and room for `inner * ROWS` numbers.
            unsafe { to.add(k * ROWS + row).write(a.place(row, k).read()) };
        };
        if a.row == 1 {
            (0..inner).for_each(|k| (0..rows).for_each(|row| copy(row, k)));
        } else {
            (0..rows).for_each(|row| (0..inner).for_each(|k| copy(row, k)));
        }
    }

    /// A tile, whose columns are at most a panel; `width` is their number up to a whole vector.
    #[inline(always)]
    unsafe fn add_tile<L: Lanes, const ROWS: usize, const WIDE: usize>(it: Product, width: usize) {
        if it.c.column == 1 && it.columns == width {
            // SAFETY: as the caller says.
            return unsafe { add_vectors::<L, ROWS, WIDE>(it, width) };
        }
        let mut tile = [0.0; LARGEST];
        let own = Matrix { at: tile.as_mut_ptr(), row: width as isize, column: 1 };
        for i in 0..it.rows {
            for j in 0..it.columns {
                // SAFETY: a tile is never larger than the array, and lies within the matrix.
                unsafe { own.place(i, j).write(it.c.place(i, j).read()) };
            }
        }
        // SAFETY: the array has the whole vectors that `c` may lack.
        unsafe { add_vectors::<L, ROWS, WIDE>(Product { c: own, ..it }, width) };
        for i in 0..it.rows {
            for j in 0..it.columns {
                // SAFETY: as above.
                unsafe { it.c.place(i, j).write(own.place(i, j).read()) };
            }
        }
    }

    #[inline(always)]
    unsafe fn add_vectors<L: Lanes, const ROWS: usize, const WIDE: usize>(
        it: Product,
        width: usize,
    ) {
        // SAFETY: as the caller says.
        unsafe {
            match width / L::COUNT {
                1 => add_some_rows::<L, ROWS, 1>(it),
                2 => add_some_rows::<L, ROWS, 2>(it),
                _ => add_some_rows::<L, ROWS, WIDE>(it),
            }
        }
    }

    /// As many rows at a time as there are: all of a tile, else four, two or one.
    #[inline(always)]
    unsafe fn add_some_rows<L: Lanes, const ROWS: usize, const VECTORS: usize>(it: Product) {
        let mut i = 0;
        while i < it.rows {
            let part = Product { c: it.c.from(i, 0), a: it.a.from(i, 0), ..it };
            let left = it.rows - i;
            // SAFETY: so many rows are left.
            i += unsafe {
                if left >= ROWS {
                    add_in_registers::<L, ROWS, VECTORS>(part)
                } else if left >= 4 {
                    add_in_registers::<L, 4, VECTORS>(part)
                } else if left >= 2 {
                    add_in_registers::<L, 2, VECTORS>(part)
                } else {
                    add_in_registers::<L, 1, VECTORS>(part)
                }
            };
        }
    }

    /// Answers how many rows it has worked on.
    #[inline(always)]
    unsafe fn add_in_registers<L: Lanes, const ROWS: usize, const VECTORS: usize>(
        it: Product,
    ) -> usize {
        // SAFETY: the caller says that `c` and `a` have so many rows, and `c` and `b` so many vectors in a row.
        unsafe {
            let mut sums: [[L; VECTORS]; ROWS] = core::array::from_fn(|i| {
                core::array::from_fn(|v| L::load(it.c.place(i, v * L::COUNT)))
            });
            let (mut a, mut b) = (it.a.at, it.b.at);
            for _ in 0..it.inner {
                let row: [L; VECTORS] = core::array::from_fn(|v| L::load(b.add(v * L::COUNT)));
                for i in 0..ROWS {
                    let factor = L::all(a.offset(i as isize * it.a.row).read());
                    for v in 0..VECTORS {
                        sums[i][v] = sums[i][v].fused(factor, row[v]);
                    }
                }
                a = a.wrapping_offset(it.a.column);
                b = b.wrapping_offset(it.b.row);
            }
            for i in 0..ROWS {
                for v in 0..VECTORS {
                    sums[i][v].store(it.c.place(i, v * L::COUNT));
                }
            }
        }
        ROWS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern, and of several sizes.
    fn numbers(count: usize, seed: u64) -> Vec<f64> {
        let mut state = seed | 1;
        (0..count)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
            })
            .collect()
    }

    type Form = unsafe fn(Product);

    fn forms_here() -> Vec<Form> {
        let mut all: Vec<Form> = vec![add, add_singly];
        #[cfg(target_arch = "x86_64")]
        for form in super::super::forms() {
            match form {
                super::super::Form::Avx512 => all.push(x86::add_avx512),
                super::super::Form::Avx2 => all.push(x86::add_avx2),
                super::super::Form::Sse2 => (),
            }
        }
        all
    }

    fn compare(rows: usize, inner: usize, columns: usize, turned: [bool; 3]) {
        let matrix = |numbers: &mut Vec<f64>, rows: usize, columns: usize, turned: bool| {
            let (at, long, one) = (numbers.as_mut_ptr(), columns as isize, 1);
            if turned {
                Matrix { at, row: one, column: rows as isize }
            } else {
                Matrix { at, row: long, column: one }
            }
        };
        let (mut a, mut b) = (numbers(rows * inner, 7), numbers(inner * columns, 11));
        let start = numbers(rows * columns, 13);
        let (a, b) =
            (matrix(&mut a, rows, inner, turned[1]), matrix(&mut b, inner, columns, turned[2]));
        let mut wanted = start.clone();
        let c = matrix(&mut wanted, rows, columns, turned[0]);
        for i in 0..rows {
            for j in 0..columns {
                unsafe {
                    let mut sum = c.place(i, j).read();
                    for k in 0..inner {
                        sum = a.place(i, k).read().mul_add(b.place(k, j).read(), sum);
                    }
                    c.place(i, j).write(sum);
                }
            }
        }
        for form in forms_here() {
            let mut found = start.clone();
            let c = matrix(&mut found, rows, columns, turned[0]);
            unsafe { form(Product { c, a, b, rows, inner, columns }) };
            assert!(
                found.iter().zip(&wanted).all(|(a, b)| a.to_bits() == b.to_bits()),
                "{rows} x {inner} x {columns}, {turned:?}"
            );
        }
    }

    #[test]
    fn each_number_is_a_chain_in_the_order_of_the_columns() {
        let sizes = [1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 33, 49];
        for rows in sizes {
            for columns in sizes {
                for inner in [1, 2, 10, 33] {
                    compare(rows, inner, columns, [false; 3]);
                }
            }
        }
        for which in 0..8_u32 {
            let turned = core::array::from_fn(|it| which >> it & 1 == 1);
            for (rows, inner, columns) in [(1, 1, 1), (9, 5, 26), (30, 40, 11), (17, 300, 70)] {
                compare(rows, inner, columns, turned);
            }
        }
        compare(21, 600, 250, [false; 3]);
        compare(13, 257, 241, [false, true, true]);
    }

    /// Distances that are neither one nor a row: every other column of a matrix.
    #[test]
    fn matrices_may_lie_anywhere() {
        let (rows, inner, columns) = (6, 7, 13);
        let (mut a, mut b) = (numbers(rows * inner * 4, 3), numbers(inner * columns * 4, 5));
        let a = Matrix { at: a.as_mut_ptr(), row: 2 * inner as isize, column: 2 };
        let b = Matrix { at: b.as_mut_ptr(), row: 3 * columns as isize, column: 3 };
        let results = forms_here().into_iter().map(|form| {
            let mut c = vec![0.0; rows * columns * 2];
            let at = Matrix { at: c.as_mut_ptr(), row: 2 * columns as isize, column: 2 };
            unsafe { form(Product { c: at, a, b, rows, inner, columns }) };
            c
        });
        let results: Vec<_> = results.collect();
        assert!(results.iter().all(|it| *it == results[0]));
        assert!(results[0].iter().skip(1).step_by(2).all(|&it| it == 0.0));
    }
}
