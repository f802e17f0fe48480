//! Memory by address: one block that grows, at addresses that no real program has.

use super::eval::{Result, Stop};
use super::value::Value;
use crate::IntWidth;

/// The address of the first byte.
const BASE: i64 = 1 << 20;
/// More is not to be had.
const MOST: usize = 1 << 28;

#[derive(Default)]
pub struct Native {
    bytes: Vec<u8>,
}

impl Native {
    pub fn mark(&self) -> i64 {
        BASE + self.bytes.len() as i64
    }

    pub fn alloc(&mut self, size: i64) -> Result<i64> {
        let start = self.bytes.len().next_multiple_of(16);
        let end = usize::try_from(size).ok().and_then(|it| start.checked_add(it));
        match end {
            Some(end) if end <= MOST => self.bytes.resize(end, 0),
            _ => return Err(Stop::Refused(format!("{size} bytes of native memory").into())),
        }
        Ok(BASE + start as i64)
    }

    pub fn release(&mut self, mark: i64) {
        let length = usize::try_from(mark - BASE).unwrap_or(0);
        self.bytes.truncate(length);
    }

    pub fn load<const N: usize>(&self, address: &Value) -> Result<[u8; N]> {
        let at = self.at::<N>(address)?;
        let mut part = [0; N];
        part.copy_from_slice(&self.bytes[at..at + N]);
        Ok(part)
    }

    pub fn store<const N: usize>(&mut self, address: &Value, part: [u8; N]) -> Result<Value> {
        let at = self.at::<N>(address)?;
        self.bytes[at..at + N].copy_from_slice(&part);
        Ok(Value::Unit)
    }

    fn at<const N: usize>(&self, address: &Value) -> Result<usize> {
        let address = address.as_width(IntWidth::I64)?;
        match usize::try_from(address.wrapping_sub(BASE)) {
            Ok(at) if at.checked_add(N).is_some_and(|end| end <= self.bytes.len()) => Ok(at),
            _ => Err(Stop::Refused(format!("the address {address} is not of this memory").into())),
        }
    }
}
