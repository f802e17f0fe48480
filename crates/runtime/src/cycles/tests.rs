//! Rings, arrays and large objects that come and go.

use oxbow_abi::{Shape, array_payload};

use super::*;
use crate::heap::{add_references, allocate, nothing};
use crate::testing::program;

/// An object with so many references to nothing.
unsafe fn node(words: u64) -> *mut u8 {
    let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words, pointers: (1 << words) - 1 };
    unsafe {
        let object = allocate(words * 8, shape.header());
        for at in 0..words as usize {
            object.cast::<*mut u8>().add(at).write(nothing());
        }
        object
    }
}

unsafe fn array(length: u64) -> *mut u8 {
    let header = Shape::array(ObjectKind::PointerArray, 8, 1).header();
    unsafe {
        let array = allocate(array_payload(length, 8), header);
        array.cast::<u64>().write(length);
        for at in 0..length as usize {
            array.cast::<*mut u8>().add(1 + at).write(nothing());
        }
        array
    }
}

/// Hands a reference over to a field, as a store does.
unsafe fn store(object: *mut u8, at: usize, value: *mut u8) {
    unsafe {
        object.cast::<*mut u8>().add(at).write(value);
        oxbow_suspect_later(object);
    }
}

unsafe fn freed(f: impl FnOnce()) -> u64 {
    unsafe {
        scan_all();
        let before = scans().freed;
        f();
        scan_all();
        scans().freed - before
    }
}

fn suspects() -> usize {
    state().young.count() + state().old.count()
}

#[test]
fn small_rings_go_without_a_scan() {
    let _program = program();
    unsafe {
        scan_all();
        state().attempts = small::Attempts::new();
        let before = scans();
        let outside = node(2);
        for at in 0..small::BATCH as u64 {
            let [a, b] = [(); 2].map(|()| node(2));
            // One of them has a reference from elsewhere.
            if at == 3 {
                add_references(b, 1);
                outside.cast::<*mut u8>().write(b);
            }
            store(b, 0, a);
            a.cast::<*mut u8>().write(b);
            oxbow_suspect(a);
        }
        assert_eq!(scans().count, before.count);
        let rings = small::BATCH as u64;
        let freed = scans().freed - before.freed;
        assert!(freed > rings / 2 && freed < 2 * rings, "{freed} of {rings} rings");
        drop_reference(outside);
        scan_all();
        assert_eq!(scans().freed - before.freed, 2 * rings);
        assert_eq!(suspects(), 0);
    }
}

#[test]
fn a_ring_goes_when_nobody_needs_it() {
    let _program = program();
    unsafe {
        let [a, b, c] = [(); 3].map(|()| node(2));
        let ring = || {
            add_references(a, 1);
            store(a, 0, b);
            store(b, 0, c);
            store(c, 0, a);
        };
        assert_eq!(freed(ring), 0);
        assert_eq!([a, b, c].map(|it| *count_of(it)), [1, 0, 0]);
        assert_eq!(freed(|| drop_reference(a)), 3);
    }
}

/// What the ring holds is dropped, and what else holds that keeps it.
#[test]
fn what_a_ring_holds_is_dropped() {
    let _program = program();
    unsafe {
        let [ring, kept, other] = [(); 3].map(|()| node(3));
        add_references(kept, 1);
        store(ring, 0, kept);
        store(ring, 1, other);
        add_references(ring, 1);
        store(ring, 2, ring);
        assert_eq!(freed(|| drop_reference(ring)), 2);
        assert_eq!(*count_of(kept), 0);
        drop_reference(kept);
    }
}

#[test]
fn what_died_by_itself_is_forgotten() {
    let _program = program();
    unsafe {
        let made = freed(|| {
            for _ in 0..100 {
                let it = node(2);
                store(it, 0, node(1));
                drop_reference(it);
                // In the same cell.
                drop_reference(node(2));
            }
        });
        assert_eq!((made, suspects()), (0, 0));
    }
}

#[test]
fn large_objects_come_and_go() {
    let _program = program();
    unsafe {
        let made = freed(|| {
            let arrays = [10, 100, 1000].map(|it| array(it));
            for it in arrays {
                add_references(it, 1);
                store(it, 1, it);
            }
            let plain = array(500);
            store(plain, 1, array(200));
            assert_eq!(state().young.large.len(), 3);
            drop_reference(plain);
            assert_eq!(state().young.large.len(), 2);
            for it in arrays {
                drop_reference(it);
            }
        });
        assert_eq!((made, suspects()), (3, 0));
    }
}

/// A large suspect that a cycle takes along leaves its list while the scan is under way.
#[test]
fn suspects_die_during_a_scan() {
    let _program = program();
    let shape = Shape { kind: ObjectKind::Tuple, tag: 0, words: 1, pointers: 1 };
    let mut in_frame = [shape.frame_header(), 0];
    unsafe {
        let made = freed(|| {
            let holder = in_frame.as_mut_ptr().add(1).cast::<u8>();
            store(holder, 0, array(500));
            oxbow_suspect_later(holder.cast::<*mut u8>().read());
            let ring = node(2);
            store(ring, 0, holder);
            add_references(ring, 1);
            store(ring, 1, ring);
            let young = &state().young;
            assert_eq!((young.small.len(), young.large.len()), (1, 1));
            drop_reference(ring);
        });
        assert_eq!((made, suspects()), (1, 0));
    }
}

/// A young suspect that only an old one holds is needed as long as that is; a scan of all sees that neither is.
#[test]
fn young_suspects_held_by_old_ones() {
    let _program = program();
    unsafe {
        let made = freed(|| {
            let [old, young] = [(); 2].map(|()| node(2));
            add_references(old, 1);
            store(old, 0, old);
            scan(Extent::Young);
            assert_eq!((state().young.count(), state().old.count()), (0, 1));
            store(young, 0, old);
            store(old, 1, young);
            scan(Extent::Young);
            assert_eq!([old, young].map(|it| *count_of(it)), [1, 0]);
            let other = node(2);
            add_references(old, 1);
            add_references(other, 1);
            store(other, 0, other);
            store(other, 1, old);
            assert_eq!(*count_of(old), 2);
            drop_reference(other);
            let before = scans().freed;
            scan(Extent::Young);
            assert_eq!((scans().freed - before, *count_of(old)), (1, 1));
        });
        assert_eq!((made, suspects()), (3, 0));
    }
}

#[test]
fn scans_come_by_themselves() {
    let _program = program();
    unsafe {
        scan_all();
        let before = scans();
        for _ in 0..20 * FEW {
            // Too large to be found without a scan.
            let ring = [(); 20].map(|()| node(2));
            for (at, it) in ring.iter().enumerate() {
                it.cast::<*mut u8>().write(ring[(at + 1) % ring.len()]);
            }
            oxbow_suspect(ring[0]);
        }
        let after = scans();
        assert!(after.count - before.count >= 15, "{after:?}");
        assert!(after.freed - before.freed >= 15 * 20 * FEW as u64, "{after:?}");
        scan_all();
    }
}
