//! Ops on numbers in place of constructors.
//!
//! ```text
//! an integer     4n + 3, so that the lowest two bits are 11        word.of_int
//! a mark         256n + 241: the low byte is one that no constant constructor has      word.of_mark
//! a float        its bits with a bias on the exponent, turned left: the lowest three bits are 101    word.of_float
//! a constructor with a number that is even, in its word: n | 1     word.wrap
//! ```

use oxbow_abi::{
    FLOAT_BIAS, FLOAT_TAG, FLOAT_TAG_MASK, FLOAT_TURN, INT_SHIFT, INT_TAG, MARK_SHIFT, MARK_TAG,
    WRAP_TAG, float_word,
};
use oxbow_diag::ice;
use oxbow_dialect::inspect::key;
use oxbow_dialect::melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use oxbow_dialect::op::{View, opcode, view};
use oxbow_dialect::{Op, Predicate, Val};

use super::Converter;
use super::body::Body;
use super::statics::Constant;

/// Arithmetic on integers in place of constructors.
#[derive(Clone, Copy)]
enum Word {
    Add,
    Sub,
    Mul,
}

impl<'c> Converter<'c> {
    /// Converts an op on numbers in place of constructors.
    pub fn word_op(&mut self, body: &mut Body<'c>, op: Op<'c>) {
        let ptr = self.layout.ptr;
        let value = match view(op) {
            // An int in a variant has the lowest two bits 11: see `ocaml.word.of_int`.
            View::WordIsInt(it) => {
                let low = self.binary("and", self.word_of(body, it.value()), self.i64(INT_TAG));
                self.icmp(Predicate::Eq, low, self.i64(INT_TAG))
            }
            View::WordToInt(it) => {
                self.binary("ashr", self.word_of(body, it.value()), self.i64(INT_SHIFT.into()))
            }
            View::WordOfInt(it) => {
                let shifted = self.binary("shl", body.get(it.value()), self.i64(INT_SHIFT.into()));
                self.cast("inttoptr", self.binary("or", shifted, self.i64(INT_TAG)), ptr)
            }
            View::WordWrap(it) => {
                if let Some(Constant::Scalar(value)) = body.constants.get(&key(it.value())) {
                    let number = IntegerAttribute::try_from(*value)
                        .unwrap_or_else(|_| ice!("a word is an integer"));
                    let word = Constant::Word(number.value() | WRAP_TAG);
                    body.constants.insert(key(it.result()), word);
                }
                let word = self.binary("or", body.get(it.value()), self.i64(WRAP_TAG));
                self.cast("inttoptr", word, ptr)
            }
            View::WordUnwrap(it) => {
                self.binary("and", self.word_of(body, it.value()), self.i64(!WRAP_TAG))
            }
            // The low byte of a mark is one that no constant constructor has.
            View::WordIsMark(it) => {
                let low = self.binary(
                    "and",
                    self.word_of(body, it.value()),
                    self.i64((1 << MARK_SHIFT) - 1),
                );
                self.icmp(Predicate::Eq, low, self.i64(MARK_TAG))
            }
            View::WordToMark(it) => {
                self.binary("ashr", self.word_of(body, it.value()), self.i64(MARK_SHIFT.into()))
            }
            View::WordOfMark(it) => {
                let shifted = self.binary("shl", body.get(it.value()), self.i64(MARK_SHIFT.into()));
                self.cast("inttoptr", self.binary("or", shifted, self.i64(MARK_TAG)), ptr)
            }
            View::WordIsFloat(it) => self.has_float_tag(self.word_of(body, it.value())),
            View::WordFloatFits(it) => self.has_float_tag(self.float_turned(body.get(it.value()))),
            View::WordToFloat(it) => {
                let right = i64::from(i64::BITS - FLOAT_TURN);
                let bits = self.turned(self.word_of(body, it.value()), right);
                let bits = self.binary("sub", bits, self.i64(FLOAT_BIAS));
                self.cast("bitcast", bits, self.layout.types.f64)
            }
            View::WordOfFloat(it) => {
                if let Some(Constant::Scalar(value)) = body.constants.get(&key(it.value())) {
                    let number = FloatAttribute::try_from(*value)
                        .unwrap_or_else(|_| ice!("a constant float"));
                    if let Some(word) = float_word(number.value()) {
                        body.constants.insert(key(it.result()), Constant::Word(word));
                    }
                }
                self.cast("inttoptr", self.float_turned(body.get(it.value())), ptr)
            }
            View::WordAdd(it) => self.word_result(Word::Add, body.get_pair(it.left(), it.right())),
            View::WordSub(it) => self.word_result(Word::Sub, body.get_pair(it.left(), it.right())),
            View::WordMul(it) => self.word_result(Word::Mul, body.get_pair(it.left(), it.right())),
            View::WordAddFits(it) => {
                self.word_fits(Word::Add, body.get_pair(it.left(), it.right()))
            }
            View::WordSubFits(it) => {
                self.word_fits(Word::Sub, body.get_pair(it.left(), it.right()))
            }
            View::WordMulFits(it) => {
                self.word_fits(Word::Mul, body.get_pair(it.left(), it.right()))
            }
            View::WordLess(it) => {
                let [a, b] = [it.left(), it.right()].map(|it| self.word_of(body, it));
                self.icmp(Predicate::Slt, a, b)
            }
            _ => ice!("{:?} is no op on words", opcode(op)),
        };
        body.set(op, 0, value);
    }

    /// The word of a float, if it has one.
    fn float_turned(&self, value: Val<'c>) -> Val<'c> {
        let bits = self.cast("bitcast", value, self.layout.types.i64);
        self.turned(self.binary("add", bits, self.i64(FLOAT_BIAS)), FLOAT_TURN.into())
    }

    fn turned(&self, word: Val<'c>, left: i64) -> Val<'c> {
        let i64 = self.layout.types.i64;
        self.build.value("llvm.intr.fshl", &[word, word, self.i64(left)], i64, &[])
    }

    fn has_float_tag(&self, word: Val<'c>) -> Val<'c> {
        let low = self.binary("and", word, self.i64(FLOAT_TAG_MASK));
        self.icmp(Predicate::Eq, low, self.i64(FLOAT_TAG))
    }

    fn word_result(&self, operation: Word, words: [Val<'c>; 2]) -> Val<'c> {
        let found = self.word_arithmetic(operation, words);
        let word = self.extract(found, 0, self.layout.types.i64);
        let word = match operation {
            Word::Mul => self.binary("or", word, self.i64(INT_TAG)),
            Word::Add | Word::Sub => word,
        };
        self.cast("inttoptr", word, self.layout.ptr)
    }

    fn word_fits(&self, operation: Word, words: [Val<'c>; 2]) -> Val<'c> {
        let i1 = self.layout.types.i1;
        let overflow = self.extract(self.word_arithmetic(operation, words), 1, i1);
        let yes = [("value", self.build.integer(i1, 1))];
        let yes = self.build.value("llvm.mlir.constant", &[], i1, &yes);
        self.binary("xor", overflow, yes)
    }

    /// Integers in place of constructors are `4n + 3`, so the result has 62 bits if the word does not overflow.
    /// The result and the test for it come from the same instruction.
    fn word_arithmetic(&self, operation: Word, words: [Val<'c>; 2]) -> Val<'c> {
        let types = self.layout.types;
        let [left, right] = words.map(|it| self.cast("ptrtoint", it, types.i64));
        let tag = self.i64(INT_TAG);
        let [left, right] = match operation {
            Word::Mul => [
                self.binary("sub", left, tag),
                self.binary("ashr", right, self.i64(INT_SHIFT.into())),
            ],
            Word::Add | Word::Sub => [left, self.binary("sub", right, tag)],
        };
        let intrinsic = match operation {
            Word::Add => "llvm.intr.sadd.with.overflow",
            Word::Sub => "llvm.intr.ssub.with.overflow",
            Word::Mul => "llvm.intr.smul.with.overflow",
        };
        let both = self.layout.record(&[types.i64, types.i1]);
        self.build.value(intrinsic, &[left, right], both, &[])
    }
}
