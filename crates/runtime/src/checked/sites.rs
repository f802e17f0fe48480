//! What each place of the source has allocated, and how that changed over time.

use core::ffi::c_char;

use crate::grow::Grow;

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Counted,
    /// In the frame of a function: its memory is kept as long as the function runs.
    Frame,
    Region,
}

/// What one place of the source allocates.
#[derive(Clone, Copy)]
pub struct Site {
    /// A C string, `file:line:column`.
    pub place: *const c_char,
    /// The object's kind, as in a header.
    pub kind: u8,
    pub class: Class,
    pub allocated: u64,
    pub bytes: u64,
    pub freed: u64,
    pub live: u64,
    pub live_bytes: u64,
    pub peak_bytes: u64,
}

/// Sums over all places.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    pub allocated: u64,
    pub bytes: u64,
    pub freed: u64,
    pub live: u64,
    pub live_bytes: u64,
    pub peak_bytes: u64,
}

impl Sums {
    fn add(&mut self, bytes: u64) {
        self.allocated += 1;
        self.bytes += bytes;
        self.live += 1;
        self.live_bytes += bytes;
        self.peak_bytes = self.peak_bytes.max(self.live_bytes);
    }

    fn remove(&mut self, bytes: u64) {
        self.freed += 1;
        self.live -= 1;
        self.live_bytes -= bytes;
    }
}

/// Live bytes of each place at one moment; places found later have none.
#[derive(Clone, Copy)]
pub struct Sample {
    /// Bytes allocated so far: the clock.
    pub clock: u64,
    pub first: usize,
    pub count: usize,
}

const MOST_SAMPLES: usize = 400;

pub struct Sites {
    sites: Grow<Site>,
    /// Index of a site plus one, by its hash.
    lookup: Grow<u32>,
    pub counted: Sums,
    pub frames: Sums,
    pub regions: Sums,
    clock: u64,
    next_sample: u64,
    /// Bytes from one sample to the next; 0 if none are taken.
    interval: u64,
    samples: Grow<Sample>,
    values: Grow<u64>,
}

impl Sites {
    pub const fn new() -> Self {
        const NONE: Sums =
            Sums { allocated: 0, bytes: 0, freed: 0, live: 0, live_bytes: 0, peak_bytes: 0 };
        Self {
            sites: Grow::new(),
            lookup: Grow::new(),
            counted: NONE,
            frames: NONE,
            regions: NONE,
            clock: 0,
            next_sample: 0,
            interval: 0,
            samples: Grow::new(),
            values: Grow::new(),
        }
    }

    pub fn take_samples(&mut self) {
        self.interval = 256;
    }

    pub fn all(&self) -> &[Site] {
        self.sites.as_slice()
    }

    pub fn samples(&self) -> (&[Sample], &[u64]) {
        (self.samples.as_slice(), self.values.as_slice())
    }

    /// The site of these facts, made if need be.
    fn index(&mut self, place: *const c_char, kind: u8, class: Class) -> usize {
        if self.sites.as_slice().len() * 2 >= self.lookup.as_slice().len() {
            let size = (self.lookup.as_slice().len() * 2).max(256);
            self.lookup.reset(size, 0);
            for at in 0..self.sites.as_slice().len() {
                let it = self.sites.as_slice()[at];
                let slot = self.slot(it.place, it.kind, it.class);
                self.lookup.as_mut_slice()[slot] = at as u32 + 1;
            }
        }
        let slot = self.slot(place, kind, class);
        if self.lookup.as_slice()[slot] == 0 {
            self.sites.push(Site {
                place,
                kind,
                class,
                allocated: 0,
                bytes: 0,
                freed: 0,
                live: 0,
                live_bytes: 0,
                peak_bytes: 0,
            });
            self.lookup.as_mut_slice()[slot] = self.sites.as_slice().len() as u32;
        }
        self.lookup.as_slice()[slot] as usize - 1
    }

    fn slot(&self, place: *const c_char, kind: u8, class: Class) -> usize {
        let lookup = self.lookup.as_slice();
        let mask = lookup.len() - 1;
        let hash = (place as usize) ^ (usize::from(kind) << 50) ^ ((class as usize) << 60);
        let mut at = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 24 & mask;
        loop {
            match lookup[at] {
                0 => return at,
                found => {
                    let it = &self.sites.as_slice()[found as usize - 1];
                    if it.place == place && it.kind == kind && it.class == class {
                        return at;
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    /// Notes an allocation; the index of its site.
    pub fn allocated(&mut self, place: *const c_char, kind: u8, class: Class, size: usize) -> u32 {
        let index = self.index(place, kind, class);
        let bytes = size as u64;
        let it = &mut self.sites.as_mut_slice()[index];
        it.allocated += 1;
        it.bytes += bytes;
        it.live += 1;
        it.live_bytes += bytes;
        it.peak_bytes = it.peak_bytes.max(it.live_bytes);
        self.sums(class).add(bytes);
        self.clock += bytes;
        if self.interval != 0 && self.clock >= self.next_sample {
            self.sample();
        }
        index as u32
    }

    pub fn freed(&mut self, index: u32, size: usize) {
        let it = &mut self.sites.as_mut_slice()[index as usize];
        it.freed += 1;
        it.live -= 1;
        it.live_bytes -= size as u64;
        let class = it.class;
        self.sums(class).remove(size as u64);
    }

    fn sums(&mut self, class: Class) -> &mut Sums {
        match class {
            Class::Counted => &mut self.counted,
            Class::Frame => &mut self.frames,
            Class::Region => &mut self.regions,
        }
    }

    pub fn sample(&mut self) {
        if self.interval == 0 {
            return;
        }
        if self.samples.as_slice().len() == MOST_SAMPLES {
            self.thin_out();
        }
        let first = self.values.as_slice().len();
        for at in 0..self.sites.as_slice().len() {
            self.values.push(self.sites.as_slice()[at].live_bytes);
        }
        let count = self.sites.as_slice().len();
        self.samples.push(Sample { clock: self.clock, first, count });
        self.next_sample = self.clock + self.interval;
    }

    /// Keeps every second sample; from now on they are twice as far apart.
    fn thin_out(&mut self) {
        let (mut kept, mut end) = (0, 0);
        for at in (0..self.samples.as_slice().len()).step_by(2) {
            let it = self.samples.as_slice()[at];
            self.values.as_mut_slice().copy_within(it.first..it.first + it.count, end);
            self.samples.as_mut_slice()[kept] = Sample { first: end, ..it };
            end += it.count;
            kept += 1;
        }
        self.samples.truncate(kept);
        self.values.truncate(end);
        self.interval *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_by_place_and_kind() {
        let mut sites = Sites::new();
        let places = [c"a.ml:1:1".as_ptr(), c"a.ml:2:1".as_ptr()];
        let first = sites.allocated(places[0], 0, Class::Counted, 24);
        assert_eq!(sites.allocated(places[0], 0, Class::Counted, 24), first);
        assert_ne!(sites.allocated(places[0], 2, Class::Counted, 32), first);
        assert_ne!(sites.allocated(places[1], 0, Class::Frame, 16), first);
        sites.freed(first, 24);
        let it = sites.all()[first as usize];
        assert_eq!((it.allocated, it.live, it.live_bytes, it.peak_bytes), (2, 1, 24, 48));
        assert_eq!((sites.counted.live_bytes, sites.counted.peak_bytes), (56, 80));
        assert_eq!(sites.frames.live, 1);
    }

    /// However long a program runs, the samples are few and span all of it.
    #[test]
    fn samples_are_thinned_out() {
        let mut sites = Sites::new();
        sites.take_samples();
        let place = c"a.ml:1:1".as_ptr();
        for _ in 0..100_000 {
            let site = sites.allocated(place, 0, Class::Counted, 64);
            sites.freed(site, 64);
        }
        sites.sample();
        let (samples, values) = sites.samples();
        assert!(samples.len() > MOST_SAMPLES / 4 && samples.len() <= MOST_SAMPLES);
        assert!(samples.windows(2).all(|it| it[0].clock < it[1].clock));
        assert_eq!(samples.last().map(|it| it.clock), Some(6_400_000));
        assert!(samples.iter().all(|it| values[it.first..it.first + it.count].len() == 1));
    }
}
