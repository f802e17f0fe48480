//! What values of a type look like in memory, as a short text: bytes that were written at one type are read at
//! another only if these are the same.
//!
//! ```text
//! %marshal.shape [| x |]  at  (int * string list) array   ⇒   16 bytes that depend on
//!     "a t 2 i d 0 list 2 [] 0 :: 2 s d 0"                     the k-th data type again by its number
//! ```
//!
//! Types that get more constructors as the program is copied (polymorphic variants, objects, exceptions, values of
//! unknown type) number them as they turn up. So their shape is that of one program: it depends on all its types.

use oxbow_base::Span;
use oxbow_psg::{Compared, Const, DataId, DataKind, NodeId, NodeKind, Ty, TyId};

use super::Context;

impl Context<'_> {
    pub(super) fn shape(&mut self, array: NodeId, span: Span) -> NodeId {
        let ty = self.out.ty(array);
        let mut shape = Shape { text: String::new(), seen: Vec::new(), of_program: false };
        self.describe(ty, &mut shape);
        let mut hash = fnv(FNV_START, shape.text.as_bytes());
        if shape.of_program {
            for (_, data) in self.source.types.datas.iter() {
                hash = fnv(hash, data.name.as_str().as_bytes());
            }
            hash = fnv(hash, &self.source.nodes.len().to_le_bytes());
        }
        let string = self.out.types.string;
        let bytes: &[u8] = &hash.to_le_bytes();
        self.out.add(NodeKind::Const(Const::String(bytes.into())), string, span)
    }

    fn describe(&mut self, ty: TyId, shape: &mut Shape) {
        let mut work = vec![ty];
        while let Some(ty) = work.pop() {
            if let Some(at) = shape.seen.iter().position(|&it| it == ty) {
                shape.word(&format!("{at}"));
                continue;
            }
            let first = work.len();
            match self.out.types.get(ty).clone() {
                Ty::Unit => shape.word("u"),
                Ty::Bool => shape.word("b"),
                Ty::Char => shape.word("c"),
                Ty::Int(width) => shape.word(width.name()),
                Ty::Float => shape.word("f"),
                Ty::Float32 => shape.word("f32"),
                Ty::String => shape.word("s"),
                Ty::Bytes => shape.word("by"),
                Ty::Fn(..) => shape.word("fn"),
                Ty::Exn | Ty::Uniform | Ty::Var(_) => shape.of_program = true,
                Ty::Tuple(items) => {
                    shape.word(&format!("t {}", items.len()));
                    work.extend(items);
                }
                Ty::Array(item) => {
                    shape.word("a");
                    work.push(item);
                }
                Ty::Data(data, _) => {
                    shape.seen.push(ty);
                    work.extend(self.describe_data(ty, data, shape));
                }
            }
            work[first..].reverse();
        }
    }

    /// The constructors of a data type; gives the types of all their fields.
    fn describe_data(&mut self, ty: TyId, data: DataId, shape: &mut Shape) -> Vec<TyId> {
        let decl = &self.out.types.datas[data];
        let uniform = self.uniform.as_ref().is_some_and(|it| it.data == data);
        if uniform || matches!(decl.compared, Compared::Tags | Compared::Objects) {
            shape.of_program = true;
            return Vec::new();
        }
        let ctors: Vec<(String, usize)> = match &decl.kind {
            DataKind::Record(fields) => vec![(String::new(), fields.len())],
            DataKind::Variant(ctors) => {
                ctors.iter().map(|it| (it.name.to_string(), it.fields.len())).collect()
            }
        };
        shape.word(&format!("d {} {}", decl.name, ctors.len()));
        let mut fields = Vec::new();
        for (index, (name, count)) in ctors.iter().enumerate() {
            shape.word(&format!("{name} {count}"));
            fields.extend(self.field_types(ty, index));
        }
        fields
    }
}

struct Shape {
    text: String,
    seen: Vec<TyId>,
    of_program: bool,
}

impl Shape {
    fn word(&mut self, word: &str) {
        self.text.push_str(word);
        self.text.push(' ');
    }
}

const FNV_START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const FNV_FACTOR: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// The FNV-1a hash of 128 bits.
fn fnv(start: u128, bytes: &[u8]) -> u128 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u128::from(byte)).wrapping_mul(FNV_FACTOR))
}
