fn main() { let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap(); print!("{}", oxbow_fuzz::print::standalone(&oxbow_fuzz::generate::program(n))); }
