//! Builders for the `llvm` dialect ops that conversion makes.

use oxbow_dialect::melior::ir::{Attribute, Type, ValueLike};
use oxbow_dialect::{OcamlType, Op, Val, result_of};

use super::Converter;

/// What memory an access touches. Accesses of different kinds never touch the same bytes,
/// except that a field is initialised before it is known to be mutable or not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    Header,
    Length,
    /// Initialisation of a field.
    Field,
    Immutable,
    Mutable,
    /// An array element, by the type of the scalar.
    Word,
    Double,
    Small,
    Pointer,
    Bytes,
    Capture,
    Global,
    /// Lists of free cells.
    Heap,
    /// Anything: no promise.
    Any,
}

impl Access {
    pub const TAGGED: [(Access, &'static str, Option<&'static str>); 13] = [
        (Access::Header, "header", None),
        (Access::Length, "length", None),
        (Access::Field, "field", None),
        (Access::Immutable, "immutable field", Some("field")),
        (Access::Mutable, "mutable field", Some("field")),
        (Access::Word, "word element", None),
        (Access::Double, "double element", None),
        (Access::Small, "small element", None),
        (Access::Pointer, "pointer element", None),
        (Access::Bytes, "bytes", None),
        (Access::Capture, "capture", None),
        (Access::Global, "global", None),
        (Access::Heap, "heap", None),
    ];

    /// The text of the list that the attribute holds.
    pub fn text(name: &str, parent: Option<&str>) -> String {
        let root = "#llvm.tbaa_root<id = \"oxbow\">".to_string();
        let node = |name: &str, parent: String| {
            format!("#llvm.tbaa_type_desc<id = \"{name}\", members = {{<{parent}, 0>}}>")
        };
        let parent = parent.map_or(root.clone(), |it| node(it, root));
        let it = node(name, parent);
        format!("[#llvm.tbaa_tag<base_type = {it}, access_type = {it}, offset = 0>]")
    }
}

/// LLVM's number of an ordering of atomic accesses.
const MONOTONIC: i64 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    C,
    /// Calls in tail position take no stack.
    Tail,
    /// The callee preserves almost all registers.
    PreserveMost,
}

impl Convention {
    pub fn text(self) -> &'static str {
        match self {
            Convention::C => "#llvm.cconv<ccc>",
            Convention::Tail => "#llvm.cconv<tailcc>",
            Convention::PreserveMost => "#llvm.cconv<preserve_mostcc>",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TailKind {
    None,
    /// In tail position by the convention, arguments on the stack allowed.
    Tail,
    MustTail,
}

#[derive(Clone, Copy)]
pub enum Target<'a, 'c> {
    Symbol(&'a str),
    Pointer(Val<'c>),
}

impl<'c> Converter<'c> {
    pub fn int(&self, ty: Type<'c>, value: i64) -> Val<'c> {
        self.build.value("llvm.mlir.constant", &[], ty, &[("value", self.build.integer(ty, value))])
    }
    pub fn i64(&self, value: i64) -> Val<'c> {
        self.int(self.layout.types.i64, value)
    }
    pub fn null(&self) -> Val<'c> {
        self.build.value("llvm.mlir.zero", &[], self.layout.ptr, &[])
    }
    pub fn poison(&self, ty: Type<'c>) -> Val<'c> {
        self.build.value("llvm.mlir.poison", &[], ty, &[])
    }
    /// `llvm.<name>` on two values of one type.
    pub fn binary(&self, name: &str, lhs: Val<'c>, rhs: Val<'c>) -> Val<'c> {
        self.build.value(&format!("llvm.{name}"), &[lhs, rhs], lhs.r#type(), &[])
    }
    /// `llvm.<name>` from one type to another.
    pub fn cast(&self, name: &str, value: Val<'c>, to: Type<'c>) -> Val<'c> {
        self.build.value(&format!("llvm.{name}"), &[value], to, &[])
    }
    pub fn icmp(&self, predicate: oxbow_dialect::Predicate, lhs: Val<'c>, rhs: Val<'c>) -> Val<'c> {
        let predicate = self.build.integer(self.layout.types.i64, predicate as i64);
        self.build.value(
            "llvm.icmp",
            &[lhs, rhs],
            self.layout.types.i1,
            &[("predicate", predicate)],
        )
    }
    pub fn extract(&self, value: Val<'c>, index: i64, ty: Type<'c>) -> Val<'c> {
        let position = self.build.i64_list(&[index]);
        self.build.value("llvm.extractvalue", &[value], ty, &[("position", position)])
    }
    pub fn insert(&self, value: Val<'c>, into: Val<'c>, index: i64) -> Val<'c> {
        let position = self.build.i64_list(&[index]);
        self.build.value(
            "llvm.insertvalue",
            &[into, value],
            into.r#type(),
            &[("position", position)],
        )
    }
    /// A struct of the given values.
    pub fn pack(&self, values: &[Val<'c>]) -> Val<'c> {
        let types: Vec<_> = values.iter().map(|it| it.r#type()).collect();
        let start = self.poison(self.layout.record(&types));
        values.iter().zip(0..).fold(start, |packed, (&value, at)| self.insert(value, packed, at))
    }
    /// The registers of a value.
    pub fn explode(&self, ty: Type<'c>, value: Val<'c>) -> Vec<Val<'c>> {
        match ty.pair_parts() {
            Some(parts) => (0..2)
                .map(|at| self.extract(value, at, self.layout.value(parts[at as usize])))
                .collect(),
            None => vec![value],
        }
    }
    pub fn explode_all(
        &self,
        values: impl IntoIterator<Item = (Type<'c>, Val<'c>)>,
    ) -> Vec<Val<'c>> {
        values.into_iter().flat_map(|(ty, value)| self.explode(ty, value)).collect()
    }
    /// The value in these registers.
    pub fn implode(&self, parts: &[Val<'c>]) -> Val<'c> {
        match parts {
            [single] => *single,
            _ => self.pack(parts),
        }
    }
    /// Values of these types from consecutive registers.
    pub fn implode_all(&self, types: &[Type<'c>], registers: &[Val<'c>]) -> Vec<Val<'c>> {
        let mut rest = registers;
        types
            .iter()
            .map(|&ty| {
                let (parts, others) = rest.split_at(self.layout.flat(ty).len());
                rest = others;
                self.implode(parts)
            })
            .collect()
    }
    /// The value and the exception of a call that may raise.
    pub fn split_result(&self, ty: Type<'c>, packed: Val<'c>) -> (Val<'c>, Val<'c>) {
        let parts = self.layout.result_parts(ty, true);
        let parts: Vec<_> =
            parts.iter().zip(0..).map(|(&ty, at)| self.extract(packed, at, ty)).collect();
        let (exn, value) = parts.split_last().expect("a raising call has an exception");
        (self.implode(value), *exn)
    }
    pub fn address_of(&self, symbol: &str) -> Val<'c> {
        let name = self.build.symbol(symbol);
        self.build.value("llvm.mlir.addressof", &[], self.layout.ptr, &[("global_name", name)])
    }

    /// `base + offset` bytes, within one object.
    pub fn offset(&self, base: Val<'c>, offset: i64) -> Val<'c> {
        if offset == 0 {
            return base;
        }
        let attributes = [
            ("rawConstantIndices", self.build.i32_list(&[offset as i32])),
            ("elem_type", self.build.type_attr(self.layout.types.i8)),
            ("noWrapFlags", self.build.i32_attr(3)),
        ];
        self.build.value("llvm.getelementptr", &[base], self.layout.ptr, &attributes)
    }
    /// `base + index * sizeof(element)`, within one object.
    pub fn indexed(&self, base: Val<'c>, index: Val<'c>, element: Type<'c>) -> Val<'c> {
        let attributes = [
            ("rawConstantIndices", self.build.i32_list(&[i32::MIN])),
            ("elem_type", self.build.type_attr(element)),
            ("noWrapFlags", self.build.i32_attr(3)),
        ];
        self.build.value("llvm.getelementptr", &[base, index], self.layout.ptr, &attributes)
    }

    /// Reads one scalar of LLVM type `ty`.
    pub fn load_raw(&self, ty: Type<'c>, address: Val<'c>, align: u64, access: Access) -> Val<'c> {
        let mut attributes =
            vec![("alignment", self.build.integer(self.layout.types.i64, align as i64))];
        attributes.extend(self.alias_tag(access));
        self.build.value("llvm.load", &[address], ty, &attributes)
    }
    /// The same where other threads may write at the same time.
    pub fn load_atomic(
        &self,
        ty: Type<'c>,
        address: Val<'c>,
        align: u64,
        access: Access,
    ) -> Val<'c> {
        let i64 = self.layout.types.i64;
        let mut attributes = vec![
            ("alignment", self.build.integer(i64, align as i64)),
            ("ordering", self.build.integer(i64, MONOTONIC)),
        ];
        attributes.extend(self.alias_tag(access));
        self.build.value("llvm.load", &[address], ty, &attributes)
    }
    pub fn store_raw(&self, value: Val<'c>, address: Val<'c>, align: u64, access: Access) {
        let mut attributes =
            vec![("alignment", self.build.integer(self.layout.types.i64, align as i64))];
        attributes.extend(self.alias_tag(access));
        self.build.op("llvm.store", &[value, address], &[], &attributes);
    }
    fn alias_tag(&self, access: Access) -> Option<(&'static str, Attribute<'c>)> {
        self.aliases.iter().find(|it| it.0 == access).map(|it| ("tbaa", it.1))
    }

    /// Reads a value of dialect type `ty` at `base + offset`.
    pub fn load(&self, ty: Type<'c>, base: Val<'c>, offset: u64, access: Access) -> Val<'c> {
        if let Some(parts) = ty.pair_parts() {
            let offsets = self.layout.fields(&parts).offsets;
            let [first, second] =
                [0, 1].map(|it| self.load(parts[it], base, offset + offsets[it], access));
            return self.pack(&[first, second]);
        }
        let address = self.offset(base, offset as i64);
        let align = self.build.integer(self.layout.types.i64, self.layout.size_align(ty).1 as i64);
        let mut attributes = vec![("alignment", align)];
        attributes.extend(self.alias_tag(access));
        let changes = matches!(access, Access::Mutable | Access::Pointer | Access::Global);
        if self.domains && changes && self.layout.is_counted(ty) {
            // Each use sees the same value, whatever others write meanwhile.
            attributes.push(("ordering", self.build.integer(self.layout.types.i64, MONOTONIC)));
        }
        // A global is null until its item has run.
        if let Some(size) =
            self.object_size(ty).filter(|_| !matches!(access, Access::Global | Access::Any))
        {
            let fact = self.build.parsed(&format!("#llvm.dereferenceable<bytes = {size}>"));
            attributes.push(("dereferenceable", fact));
        }
        let value = self.build.value("llvm.load", &[address], self.layout.memory(ty), &attributes);
        if ty == self.layout.types.i1 { self.cast("trunc", value, ty) } else { value }
    }
    /// Writes a value of dialect type `ty`.
    pub fn store(&self, ty: Type<'c>, value: Val<'c>, base: Val<'c>, offset: u64, access: Access) {
        if let Some(parts) = ty.pair_parts() {
            let offsets = self.layout.fields(&parts).offsets;
            for at in 0..2 {
                let part = self.extract(value, at as i64, self.layout.value(parts[at]));
                self.store(parts[at], part, base, offset + offsets[at], access);
            }
            return;
        }
        let address = self.offset(base, offset as i64);
        let value = if ty == self.layout.types.i1 {
            self.cast("zext", value, self.layout.types.i8)
        } else {
            value
        };
        self.store_raw(value, address, self.layout.size_align(ty).1, access);
    }

    pub fn call(
        &self,
        target: Target<'_, 'c>,
        args: &[Val<'c>],
        result: Option<Type<'c>>,
        convention: Convention,
        tail: TailKind,
    ) -> Option<Val<'c>> {
        let mut operands = Vec::new();
        let mut attributes = self.call_attributes(convention);
        match target {
            Target::Symbol(name) => attributes.push(("callee", self.build.symbol(name))),
            Target::Pointer(code) => operands.push(code),
        }
        operands.extend(args);
        attributes.push(("operandSegmentSizes", self.build.i32_list(&[operands.len() as i32, 0])));
        match tail {
            TailKind::None => (),
            TailKind::Tail => {
                attributes.push(("TailCallKind", self.build.parsed("#llvm.tailcallkind<tail>")))
            }
            TailKind::MustTail => {
                attributes
                    .push(("TailCallKind", self.build.parsed("#llvm.tailcallkind<musttail>")));
            }
        }
        let results: Vec<_> = result.into_iter().collect();
        let op = self.build.op("llvm.call", &operands, &results, &attributes);
        result.map(|_| result_of(op, 0))
    }

    /// The call of a function without a result, which is put in its place.
    pub fn call_inlined(&self, symbol: &str, args: &[Val<'c>], convention: Convention) {
        let mut attributes = self.call_attributes(convention);
        attributes.push(("callee", self.build.symbol(symbol)));
        attributes.push(("operandSegmentSizes", self.build.i32_list(&[args.len() as i32, 0])));
        attributes.push(("always_inline", self.build.unit()));
        self.build.op("llvm.call", args, &[], &attributes);
    }

    fn call_attributes(&self, convention: Convention) -> Vec<(&'static str, Attribute<'c>)> {
        vec![
            ("CConv", self.build.parsed(convention.text())),
            ("op_bundle_sizes", self.build.i32_list(&[])),
            ("no_unwind", self.build.unit()),
        ]
    }

    pub fn ret(&self, value: Option<Val<'c>>) -> Op<'c> {
        let operands: Vec<_> = value.into_iter().collect();
        self.build.op("llvm.return", &operands, &[], &[])
    }
}
