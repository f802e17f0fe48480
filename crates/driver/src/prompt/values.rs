//! Values in memory as text: what a prompt prints behind `=`.
//!
//! ```text
//! view    how the type is shown, with the names of constructors and fields (inference)
//! type    how its values lie in memory (the specialised graph, `oxbow_abi`)
//! ```
//!
//! Both are walked at once. OCaml's prompt shows at most 300 values, to a depth of 100; so does this.

use oxbow_abi::{DATA_OFFSET, EXCEPTION_FIELDS_OFFSET, Extent, LENGTH_OFFSET, Placer, TAG_OFFSET};
use oxbow_base::doc::{Doc, SPACE};
use oxbow_elab::infer::view::{CtorView, View, ViewId, Views};
use oxbow_psg::{DataKind, Field, Held, IntWidth, Ty, TyId, TypeTable};

use super::style::Style;

/// What OCaml's prompt shows.
const STEPS: usize = 300;
const DEPTH: usize = 100;

/// Where parts of a value stand.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Nothing,
    /// Something that needs brackets around what has several parts.
    Argument,
}

pub struct Reader<'a> {
    pub views: &'a Views,
    pub types: &'a mut TypeTable,
    pub style: Style,
    pub steps: usize,
}

/// The address of a value, and how many bytes of it there are.
#[derive(Clone, Copy)]
struct At(usize);

#[expect(unsafe_code, reason = "looks at the memory of the program that has stopped")]
impl At {
    fn read<T: Copy>(self) -> T {
        // SAFETY: the address is that of a value of the program, which does not run, or of a part of one; types say
        // what lies there.
        unsafe { std::ptr::read_unaligned(self.0 as *const T) }
    }

    fn at(self, offset: u64) -> Self {
        Self(self.0 + offset as usize)
    }

    fn bytes(self, length: usize) -> Vec<u8> {
        (0..length).map(|it| Self(self.0 + it).read::<u8>()).collect()
    }
}

impl<'a> Reader<'a> {
    pub fn new(views: &'a Views, types: &'a mut TypeTable, style: Style) -> Self {
        Self { views, types, style, steps: STEPS }
    }

    /// The value at an address.
    pub fn show(&mut self, view: ViewId, ty: TyId, address: usize) -> Doc {
        self.value(view, ty, At(address), (Within::Nothing, 0))
    }

    /// What an exception holds, with its name.
    pub fn exception(
        &mut self,
        name: &str,
        views: &[ViewId],
        fields: &[Field],
        object: usize,
    ) -> Doc {
        let mut placer = Placer::new(EXCEPTION_FIELDS_OFFSET);
        let mut parts: Vec<(ViewId, TyId, At)> = Vec::new();
        for (&view, field) in views.iter().zip(fields) {
            let at = At(object).at(placer.place(self.extent(field.ty)));
            // A mutable field holds a cell.
            let cell = match field.mutable {
                true => self.fields(field.ty, 0, at.read::<u64>() as usize).first().copied(),
                false => None,
            };
            let (ty, at) = cell.unwrap_or((field.ty, at));
            parts.push((view, ty, at));
        }
        self.applied(name, &parts, (Within::Nothing, 0))
    }

    fn extent(&self, ty: TyId) -> Extent {
        match self.types.held(ty) {
            Held::Bit | Held::Byte => Extent::scalar(1),
            Held::Int32 | Held::Float32 => Extent::scalar(4),
            Held::Int64 | Held::Float64 | Held::Reference => Extent::scalar(8),
            Held::Pair(first, second) => Extent::pair(self.extent(first), self.extent(second)),
        }
    }

    fn value(&mut self, view: ViewId, ty: TyId, at: At, (within, depth): (Within, usize)) -> Doc {
        if self.steps == 0 || depth > DEPTH {
            return Doc::text("...");
        }
        self.steps -= 1;
        let argument = within == Within::Argument;
        let number = |text: String| match argument && text.starts_with('-') {
            true => Doc::text(format!("({text})")),
            false => Doc::text(text),
        };
        match self.views.get(view).clone() {
            View::Poly => Doc::text("<poly>"),
            View::Function => Doc::text(self.style.function()),
            View::Abstract | View::Open(..) => Doc::text("<abstr>"),
            View::Lazy => Doc::text("<lazy>"),
            View::Object => Doc::text("<obj>"),
            View::Exn => Doc::text("<exn>"),
            View::Unit => Doc::text("()"),
            View::Bool => Doc::text(if at.read::<u8>() & 1 != 0 { "true" } else { "false" }),
            View::Char => Doc::text(self.style.char(at.read())),
            View::Int(width) => number(self.style.int(width, self.int(width, at))),
            View::Nativeint => number(format!("{}n", at.read::<i64>())),
            View::Float => number(self.style.float(at.read())),
            View::Float32 => number(self.style.float32(at.read())),
            View::Text => Doc::text(self.style.text(&string(at))),
            View::Bytes => Doc::text(self.style.bytes(&string(at))),
            View::Array(item) => self.array(item, ty, at, depth),
            View::List(item) => self.list(item, ty, at, depth),
            View::Tuple(items) => {
                let types = self.tuple_types(ty, items.len());
                let places = self.tuple_places(ty, &types, at);
                let parts = items.iter().zip(types).zip(places).collect::<Vec<_>>();
                let docs: Vec<Doc> = parts
                    .into_iter()
                    .map(|((&view, ty), at)| self.value(view, ty, at, (Within::Nothing, depth + 1)))
                    .collect();
                boxed("(", docs, ",", ")")
            }
            View::Record(names) => {
                let places = self.fields(ty, 0, at.read::<u64>() as usize);
                let parts = names.iter().zip(places);
                let docs: Vec<Doc> = parts
                    .map(|((name, view), (field, at))| {
                        let value = self.value(*view, field, at, (Within::Nothing, depth + 1));
                        Doc::hov(1, vec![Doc::text(format!("{name} =")), SPACE, value])
                    })
                    .collect();
                self.style.record(docs)
            }
            View::Variant(ctors) => self.variant(&ctors, ty, at, (within, depth)),
            View::Tags(tags) => self.tags(&tags, ty, at, (within, depth)),
        }
    }

    fn int(&self, width: IntWidth, at: At) -> i128 {
        match width {
            IntWidth::I63 => i128::from(at.read::<i64>() >> 1),
            IntWidth::I64 => at.read::<i64>().into(),
            IntWidth::U64 => at.read::<u64>().into(),
            IntWidth::U8 | IntWidth::U16 | IntWidth::U32 => at.read::<u32>().into(),
            IntWidth::I8 | IntWidth::I16 | IntWidth::I32 => at.read::<i32>().into(),
        }
    }

    fn tuple_types(&self, ty: TyId, count: usize) -> Vec<TyId> {
        match self.types.get(ty) {
            Ty::Tuple(items) => items.clone(),
            _ => vec![ty; count],
        }
    }

    fn tuple_places(&self, ty: TyId, types: &[TyId], at: At) -> Vec<At> {
        let mut placer = Placer::new(0);
        let start = if self.types.is_pair(ty) { at } else { At(at.read::<u64>() as usize) };
        types.iter().map(|&it| start.at(placer.place(self.extent(it)))).collect()
    }

    /// The fields of an object, with their places.
    fn fields(&mut self, ty: TyId, ctor: usize, object: usize) -> Vec<(TyId, At)> {
        let mut placer = Placer::new(0);
        let types = self.field_types(ty, ctor);
        types.iter().map(|&it| (it, At(object).at(placer.place(self.extent(it))))).collect()
    }

    fn field_types(&mut self, ty: TyId, ctor: usize) -> Vec<TyId> {
        let Ty::Data(data, args) = self.types.get(ty).clone() else { return Vec::new() };
        let fields: Vec<Field> = match &self.types.datas[data].kind {
            DataKind::Record(fields) => fields.clone(),
            DataKind::Variant(ctors) => ctors[ctor].fields.clone(),
        };
        fields.iter().map(|it| self.types.field_type(data, &args, it.ty)).collect()
    }

    /// The number of a value's constructor, and its object if it has one.
    fn constructor(&self, ty: TyId, at: At) -> (usize, Option<usize>) {
        if self.types.is_enumeration(ty) {
            return (at.read::<u32>() as usize, None);
        }
        let word = at.read::<u64>();
        if let Some(ctor) = self.types.word_ctor(ty)
            && word & 1 != 0
        {
            return (ctor as usize, None);
        }
        match word & 1 {
            1 => ((word >> 1) as usize, None),
            _ => {
                let object = word as usize;
                let tag: u8 = At(object.wrapping_add_signed(TAG_OFFSET as isize)).read();
                (usize::from(tag), Some(object))
            }
        }
    }

    fn variant(
        &mut self,
        ctors: &[CtorView],
        ty: TyId,
        at: At,
        (within, depth): (Within, usize),
    ) -> Doc {
        let (number, object) = self.constructor(ty, at);
        let Some(ctor) = ctors.get(number) else { return Doc::text("<abstr>") };
        let name = self.style.constructor(ctor.name.as_str());
        if ctor.args.is_empty() {
            return Doc::text(name);
        }
        let Some(object) = object else {
            return self.in_word(&name, (ctor.args[0], ty, number), at, (within, depth));
        };
        let places = self.fields(ty, number, object);
        if let Some(names) = &ctor.fields {
            let docs: Vec<Doc> = names
                .iter()
                .zip(&ctor.args)
                .zip(places)
                .map(|((name, &view), (field, at))| {
                    let value = self.value(view, field, at, (Within::Nothing, depth + 1));
                    Doc::hov(1, vec![Doc::text(format!("{name} =")), SPACE, value])
                })
                .collect();
            let record = self.style.record(docs);
            return around(within, vec![Doc::text(name), SPACE, record]);
        }
        let parts = ctor.args.iter().zip(places).map(|(&view, (ty, at))| (view, ty, at));
        let parts: Vec<_> = parts.collect();
        self.applied(&name, &parts, (within, depth))
    }

    /// A constructor with arguments.
    fn applied(
        &mut self,
        name: &str,
        parts: &[(ViewId, TyId, At)],
        (within, depth): (Within, usize),
    ) -> Doc {
        match parts {
            [] => Doc::text(name),
            &[(view, ty, at)] => {
                let value = self.value(view, ty, at, (Within::Argument, depth + 1));
                around(within, vec![Doc::text(name), SPACE, value])
            }
            _ => {
                let docs: Vec<Doc> = parts
                    .iter()
                    .map(|&(view, ty, at)| self.value(view, ty, at, (Within::Nothing, depth + 1)))
                    .collect();
                around(within, vec![Doc::text(name), SPACE, boxed("(", docs, ",", ")")])
            }
        }
    }

    fn tags(
        &mut self,
        tags: &[(oxbow_base::Symbol, Option<ViewId>)],
        ty: TyId,
        at: At,
        (within, depth): (Within, usize),
    ) -> Doc {
        let (number, object) = self.constructor(ty, at);
        let Ty::Data(data, _) = self.types.get(ty) else { return Doc::text("<abstr>") };
        let DataKind::Variant(ctors) = &self.types.datas[*data].kind else {
            return Doc::text("<abstr>");
        };
        let Some(ctor) = ctors.get(number) else { return Doc::text("<abstr>") };
        let name = format!("`{}", ctor.name);
        let holds = tags.iter().find(|it| it.0 == ctor.name).and_then(|it| it.1);
        match (object, holds) {
            (Some(object), Some(view)) => {
                let places = self.fields(ty, number, object);
                let parts: Vec<_> = places.iter().map(|&(ty, at)| (view, ty, at)).collect();
                self.applied(&name, &parts, (within, depth))
            }
            (None, Some(view)) => self.in_word(&name, (view, ty, number), at, (within, depth)),
            _ => Doc::text(name),
        }
    }

    /// A constructor with its argument in its word: an integer without its lowest bit, which is 0 in one.
    fn in_word(
        &mut self,
        name: &str,
        (view, ty, ctor): (ViewId, TyId, usize),
        at: At,
        within: (Within, usize),
    ) -> Doc {
        let word = at.read::<u64>() & !1;
        let types = self.field_types(ty, ctor);
        let part = (view, types[0], At(std::ptr::from_ref(&word) as usize));
        self.applied(name, &[part], within)
    }

    fn list(&mut self, item: ViewId, ty: TyId, at: At, depth: usize) -> Doc {
        let mut docs = Vec::new();
        let mut at = at;
        while let (_, Some(object)) = self.constructor(ty, at) {
            if self.steps == 0 {
                docs.push(Doc::text("..."));
                break;
            }
            let fields = self.fields(ty, 1, object);
            let (head, rest) = (fields[0], fields[1]);
            docs.push(self.value(item, head.0, head.1, (Within::Nothing, depth + 1)));
            at = rest.1;
        }
        boxed("[", docs, ";", "]")
    }

    fn array(&mut self, item: ViewId, ty: TyId, at: At, depth: usize) -> Doc {
        let Ty::Array(of) = *self.types.get(ty) else { return Doc::text("<abstr>") };
        let array = At(at.read::<u64>() as usize);
        let length = array.at(LENGTH_OFFSET).read::<i64>();
        let extent = self.extent(of);
        let size = extent.size.next_multiple_of(extent.align);
        let mut docs = Vec::new();
        for index in 0..length as u64 {
            if self.steps == 0 {
                docs.push(Doc::text("..."));
                break;
            }
            let place = array.at(DATA_OFFSET + index * size);
            docs.push(self.value(item, of, place, (Within::Nothing, depth + 1)));
        }
        boxed("[|", docs, ";", "|]")
    }
}

fn string(at: At) -> Vec<u8> {
    let string = At(at.read::<u64>() as usize);
    let length = string.at(LENGTH_OFFSET).read::<i64>() as usize;
    string.at(DATA_OFFSET).bytes(length)
}

/// Brackets around what is an argument.
fn around(within: Within, parts: Vec<Doc>) -> Doc {
    match within {
        Within::Nothing => Doc::hov(1, parts),
        Within::Argument => {
            Doc::hov(1, [vec![Doc::text("(")], parts, vec![Doc::text(")")]].concat())
        }
    }
}

/// `[a; b]`
pub fn boxed(open: &str, docs: Vec<Doc>, between: &str, close: &str) -> Doc {
    let mut parts = vec![Doc::text(open)];
    parts.extend(Doc::joined(docs, &[Doc::text(between), SPACE]));
    parts.push(Doc::text(close));
    Doc::hov(open.len(), parts)
}
