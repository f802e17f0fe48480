//! What debuggers are told: the user's variables, and how values of their types lie in memory (decision 331).
//!
//! ```text
//! let p = (1, x) in e        %p = …
//!                            ocaml.variable %p {name = "p", type = "int * shape", scope = 3, parent = 1}
//!                            …e, at locations of scope 3…
//!                            ocaml.alive %p            where e ends, so that `p` can be looked at up to there
//! ```
//!
//! Layouts go to the module's attribute `ocaml.layouts`, as a literal that Python reads: types by number, each a list
//! whose first word says what follows (`describe`). Addresses of parts are computed as `oxbow_abi` says.
//!
//! Only programs that are compiled to be debugged have any of this: it keeps values longer than they are needed.

use std::fmt::Write as _;

use oxbow_abi::{CLOSURE_CAPTURES_OFFSET, EXCEPTION_FIELDS_OFFSET, Extent, Placer};
use oxbow_base::{FxHashMap, FxHashSet, IdMap, IdSet, Span, Symbol};
use oxbow_dialect::debug::Told;
use oxbow_dialect::melior::ir::{Location, ValueLike as _};
use oxbow_dialect::{Op, Val, op};
use oxbow_psg::{
    CaptureMode, Compared, DataId, DataKind, Field, Held, IntWidth, Mono, NodeKind, Prim, Program,
    Ty, TyId, VarId,
};

use crate::function::Function;
use crate::types::TypeMap;

/// How base types are encoded, in DWARF's numbers.
const BOOLEAN: u32 = 2;
const FLOAT: u32 = 4;
const SIGNED: u32 = 5;
const UNSIGNED: u32 = 7;

/// The types of variables so far.
#[derive(Default)]
pub struct Layouts {
    numbers: IdMap<TyId, usize>,
    cells: IdMap<TyId, usize>,
    described: Vec<String>,
    /// The names that debuggers know types by, with their numbers.
    names: Vec<(String, usize)>,
    used: FxHashSet<String>,
    name_of: FxHashMap<usize, String>,
    /// What closures hold, by the symbols of their code.
    closures: Vec<String>,
    exceptions: Vec<String>,
    /// Types whose values may be numbers and marks in place of constructors.
    dynamic: IdSet<DataId>,
}

/// How a debugger knows a type.
struct Shown {
    name: String,
    size: u64,
    encoding: u32,
}

impl Layouts {
    pub fn new(program: &Program<Mono>) -> Self {
        let mut layouts = Self::default();
        // Types among whose constructors are numbers.
        for (_, node) in program.nodes.iter() {
            if let NodeKind::Prim { prim: Prim::WordIsInt | Prim::WordToInt, args } = &node.kind
                && let Ty::Data(data, _) = program.types.get(program.ty(args[0]))
            {
                layouts.dynamic.insert(*data);
            }
        }
        layouts
    }

    /// All of it, as a literal of Python.
    pub fn text(&self) -> String {
        let mut names = String::new();
        for (name, number) in &self.names {
            let _ = write!(names, "{}: {number}, ", quoted(name));
        }
        format!(
            "({{{names}}}, [{}], {{{}}}, {{{}}})",
            self.described.join(", "),
            self.closures.join(", "),
            self.exceptions.join(", ")
        )
    }

    fn add(&mut self, text: &str) -> usize {
        self.described.push(text.into());
        self.described.len() - 1
    }

    /// The name of a type for debuggers: no two have the same.
    fn name(&mut self, number: usize, text: &str) -> String {
        if let Some(known) = self.name_of.get(&number) {
            return known.clone();
        }
        let mut name = text.to_string();
        let mut again = 1;
        while !self.used.insert(name.clone()) {
            again += 1;
            name = format!("{text} ({again})");
        }
        self.names.push((name.clone(), number));
        self.name_of.insert(number, name.clone());
        name
    }

    /// The number of a type, which is described if it is new.
    fn number(&mut self, types: &mut TypeMap<'_>, ty: TyId) -> usize {
        if let Some(&known) = self.numbers.get(ty) {
            return known;
        }
        let number = self.add("");
        self.numbers.insert(ty, number);
        let text = self.describe(types, ty);
        self.described[number] = text;
        number
    }

    fn describe(&mut self, types: &mut TypeMap<'_>, ty: TyId) -> String {
        match types.table.get(ty).clone() {
            Ty::Unit => "['unit']".into(),
            Ty::Bool => "['bool']".into(),
            Ty::Char => "['char']".into(),
            Ty::Int(IntWidth::I63) => "['int']".into(),
            Ty::Int(width) => {
                let size = match types.table.held(ty) {
                    Held::Int64 => 8,
                    _ => 4,
                };
                let signed = if width.signed() { "True" } else { "False" };
                format!("['number', {size}, {signed}]")
            }
            Ty::Float => "['float', 8]".into(),
            Ty::Float32 => "['float', 4]".into(),
            Ty::String | Ty::Bytes => "['string']".into(),
            Ty::Exn => "['exn']".into(),
            Ty::Fn(..) => "['fun']".into(),
            Ty::Uniform | Ty::Var(_) => "['opaque']".into(),
            Ty::Array(item) => {
                let extent = extent(types, item);
                let size = extent.size.next_multiple_of(extent.align);
                format!("['array', {}, {size}]", self.number(types, item))
            }
            Ty::Tuple(items) => {
                let pair = if types.table.is_pair(ty) { "True" } else { "False" };
                let fields = items.iter().map(|&it| (String::new(), it)).collect::<Vec<_>>();
                format!("['tuple', {}, {pair}]", self.fields(types, &fields, 0))
            }
            Ty::Data(data, args) => {
                let decl = types.table.datas[data].clone();
                let mut typed = |types: &mut TypeMap<'_>, all: &[Field]| {
                    let field = |it: &Field| {
                        let ty = types.table.field_type(data, &args, it.ty);
                        (it.name.as_str().to_string(), ty)
                    };
                    let fields: Vec<_> = all.iter().map(field).collect();
                    self.fields(types, &fields, 0)
                };
                match &decl.kind {
                    DataKind::Record(all) => format!("['record', {}]", typed(types, all)),
                    DataKind::Variant(ctors) => {
                        let mut all = String::new();
                        for ctor in ctors {
                            let mark = if decl.compared == Compared::Tags { "`" } else { "" };
                            let name = quoted(&(mark.to_string() + &ctor.name.shown()));
                            let named = if ctor.inline_record { "True" } else { "False" };
                            let fields = typed(types, &ctor.fields);
                            let _ = write!(all, "[{name}, {named}, {fields}], ");
                        }
                        let enumeration =
                            if types.table.is_enumeration(ty) { "True" } else { "False" };
                        let word = match types.table.word_ctor(ty) {
                            Some(it) => it.to_string(),
                            None => "None".into(),
                        };
                        let kind = match self.dynamic.contains(data) {
                            true => "dynamic",
                            false => "variant",
                        };
                        format!("['{kind}', [{all}], {enumeration}, {word}]")
                    }
                }
            }
        }
    }

    /// Names, offsets and types of what lies in an object from `start` on.
    fn fields(&mut self, types: &mut TypeMap<'_>, all: &[(String, TyId)], start: u64) -> String {
        let mut placer = Placer::new(start);
        let mut text = String::from("[");
        for (name, ty) in all {
            let offset = placer.place(extent(types, *ty));
            let number = self.number(types, *ty);
            let _ = write!(text, "[{}, {offset}, {number}], ", quoted(name));
        }
        text + "]"
    }

    fn shown(&mut self, types: &mut TypeMap<'_>, ty: TyId) -> Shown {
        let number = self.number(types, ty);
        let encoding = match types.table.get(ty) {
            Ty::Bool => BOOLEAN,
            Ty::Float | Ty::Float32 => FLOAT,
            Ty::Int(width) if width.signed() => SIGNED,
            _ => UNSIGNED,
        };
        let size = extent(types, ty).size;
        let text = match types.table.get(ty) {
            // gdb writes names that could be types of C anew, with other spaces, and would not find it then.
            Ty::Int(IntWidth::I63) => "shifted_int".into(),
            _ => types.text(ty),
        };
        Shown { name: self.name(number, &text), size, encoding }
    }

    /// The same for a variable in a frame. An `int` is there as it is, so that debuggers can compute with it.
    fn shown_local(&mut self, types: &mut TypeMap<'_>, ty: TyId) -> Shown {
        match types.table.get(ty) {
            Ty::Int(IntWidth::I63) => Shown { name: types.text(ty), size: 8, encoding: SIGNED },
            _ => self.shown(types, ty),
        }
    }

    /// The same for the address of a variable of this type.
    fn shown_cell(&mut self, types: &mut TypeMap<'_>, ty: TyId) -> Shown {
        let number = match self.cells.get(ty) {
            Some(&known) => known,
            None => {
                let of = self.number(types, ty);
                let number = self.add(&format!("['cell', {of}]"));
                self.cells.insert(ty, number);
                number
            }
        };
        let text = format!("{} (mutable)", types.text(ty));
        Shown { name: self.name(number, &text), size: 8, encoding: UNSIGNED }
    }
}

fn extent(types: &TypeMap<'_>, ty: TyId) -> Extent {
    match types.table.held(ty) {
        Held::Bit | Held::Byte => Extent::scalar(1),
        Held::Int32 | Held::Float32 => Extent::scalar(4),
        Held::Int64 | Held::Float64 | Held::Reference => Extent::scalar(8),
        Held::Pair(first, second) => Extent::pair(extent(types, first), extent(types, second)),
    }
}

/// A string of Python.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for it in text.chars() {
        match it {
            '\'' | '\\' => out.extend(['\\', it]),
            ' '..='~' => out.push(it),
            _ => {
                let _ = write!(out, "\\U{:08x}", u32::from(it));
            }
        }
    }
    out + "'"
}

/// The variables of a function that can be seen at one place.
#[derive(Default)]
pub struct Seen<'c> {
    /// The number of the innermost scope; 0 is the function itself.
    pub scope: u32,
    /// How many scopes there have been.
    scopes: u32,
    alive: Vec<Val<'c>>,
    /// The scopes of mutable variables and those around them.
    mutable: IdMap<VarId, (u32, u32)>,
}

impl Seen<'_> {
    /// What has to be restored at the end of a scope.
    pub fn mark(&self) -> (u32, usize) {
        (self.scope, self.alive.len())
    }
}

impl<'c> Function<'_, '_, 'c> {
    /// Can a value be dropped?
    fn is_object(&self, value: Val<'c>) -> bool {
        let types = &self.low.build.types;
        let scalars = [types.i1, types.i8, types.i32, types.i64, types.f32, types.f64];
        !scalars.contains(&value.r#type())
    }

    /// A location that tells the scope.
    pub fn scoped(&self, location: Location<'c>) -> Location<'c> {
        match self.seen.scope {
            0 => location,
            scope => Location::name(self.low.build.context, &scope.to_string(), location),
        }
    }

    /// Is this a variable that the user knows, in a program that is compiled to be debugged?
    fn is_told(&self, var: VarId) -> bool {
        let it = &self.low.program.vars[var];
        self.low.layouts.is_some()
            && !it.name.is_hidden()
            && !self.low.sources.file(it.span.file).is_library
    }

    /// A variable has its value from here on; `argument` is its number, from 1, if it is a parameter.
    pub fn tell(&mut self, var: VarId, value: Val<'c>, argument: u32) {
        if !self.is_told(var) {
            return;
        }
        let ty = self.low.program.vars[var].ty;
        let Some(layouts) = &mut self.low.layouts else { return };
        let shown = layouts.shown_local(&mut self.low.types, ty);
        let (scope, parent) = match self.seen.mutable.get(var) {
            Some(&known) => known,
            None => self.open_scope(argument),
        };
        if self.low.program.vars[var].mutable {
            self.seen.mutable.insert(var, (scope, parent));
        } else if self.is_object(value) {
            self.seen.alive.push(value);
        }
        self.tell_as(var, value, shown, (scope, parent, argument));
    }

    /// The same for what a closure holds of its variable: the value, or where it is.
    pub fn tell_captured(&mut self, var: VarId, value: Val<'c>, mode: CaptureMode) {
        if !self.is_told(var) {
            return;
        }
        let ty = self.low.program.vars[var].ty;
        let Some(layouts) = &mut self.low.layouts else { return };
        let shown = match mode {
            CaptureMode::ByValue => layouts.shown_local(&mut self.low.types, ty),
            CaptureMode::ByRef => layouts.shown_cell(&mut self.low.types, ty),
        };
        if mode == CaptureMode::ByValue && self.is_object(value) {
            self.seen.alive.push(value);
        }
        // In the scope of the function: parameters and variables inside hide them.
        self.tell_as(var, value, shown, (0, 0, 0));
    }

    fn open_scope(&mut self, argument: u32) -> (u32, u32) {
        if argument > 0 {
            return (0, 0);
        }
        let parent = self.seen.scope;
        self.seen.scopes += 1;
        self.seen.scope = self.seen.scopes;
        (self.seen.scope, parent)
    }

    fn tell_as(
        &mut self,
        var: VarId,
        value: Val<'c>,
        shown: Shown,
        (scope, parent, argument): (u32, u32, u32),
    ) {
        let name = self.low.name_for_debuggers(var);
        // It cannot be seen before it has its value.
        let inside = std::mem::replace(&mut self.seen.scope, parent);
        let place = self.scoped(self.low.location(self.low.program.vars[var].span));
        self.seen.scope = inside;
        let before = std::mem::replace(&mut self.low.build.location, place);
        let ty = self.low.program.vars[var].ty;
        let is_value = value.r#type() == self.low.build.types.i64;
        let value = match self.low.types.table.get(ty) {
            Ty::Int(IntWidth::I63) if is_value => self.low.build.untag(value),
            _ => value,
        };
        let size = shown.size as u32;
        let draft = op::Variable::draft(
            value,
            &name,
            &shown.name,
            size,
            shown.encoding,
            scope,
            parent,
            argument,
        );
        self.low.build.append(&draft);
        self.low.build.location = before;
    }

    /// What can be seen here is kept up to here.
    pub fn keep_alive(&mut self) {
        for value in self.seen.alive.clone() {
            self.low.build.append(&op::Alive::draft(value));
        }
    }

    /// The end of a scope, where control goes on behind it.
    pub fn leave_scope(&mut self, (scope, alive): (u32, usize), goes_on: bool) {
        self.seen.scope = scope;
        let ended: Vec<Val<'c>> = self.seen.alive.drain(alive..).collect();
        if goes_on {
            for value in ended {
                self.low.build.append(&op::Alive::draft(value));
            }
        }
    }

    /// What closures of this function hold, for debuggers.
    pub fn tell_closure(&mut self, symbol: &str, captures: &[(VarId, CaptureMode)]) {
        let Some(layouts) = &mut self.low.layouts else { return };
        let mut placer = Placer::new(CLOSURE_CAPTURES_OFFSET);
        let mut fields = String::new();
        for &(var, mode) in captures {
            let it = &self.low.program.vars[var];
            let number = match mode {
                CaptureMode::ByValue => layouts.number(&mut self.low.types, it.ty),
                CaptureMode::ByRef => {
                    layouts.shown_cell(&mut self.low.types, it.ty);
                    layouts.cells[it.ty]
                }
            };
            let size = match mode {
                CaptureMode::ByValue => extent(&self.low.types, it.ty),
                CaptureMode::ByRef => Extent::scalar(8),
            };
            let offset = placer.place(size);
            let name = match it.name.is_hidden() {
                true => String::new(),
                false => it.name.shown(),
            };
            let _ = write!(fields, "[{}, {offset}, {number}], ", quoted(&name));
        }
        layouts.closures.push(format!("{}: [{fields}]", quoted(symbol)));
    }
}

impl<'c> crate::Lowering<'_, 'c> {
    /// What exceptions hold, for debuggers.
    pub fn tell_exceptions(&mut self) {
        let mut told: Vec<_> =
            self.exceptions.iter().map(|(it, symbol)| (it, symbol.clone())).collect();
        told.sort();
        for (exn, symbol) in told {
            let decl = self.program.types.exns[exn].clone();
            let Some(layouts) = &mut self.layouts else { return };
            let fields: Vec<(String, TyId)> =
                decl.fields.iter().map(|it| (String::new(), it.ty)).collect();
            let fields = layouts.fields(&mut self.types, &fields, EXCEPTION_FIELDS_OFFSET);
            let entry = format!("{}: [{}, {fields}]", quoted(&symbol), quoted(&decl.name.shown()));
            layouts.exceptions.push(entry);
        }
    }

    fn name_for_debuggers(&self, var: VarId) -> String {
        self.program.vars[var].name.shown()
    }

    /// Where a function stands, with its name for debuggers: as the user has written it, and in the library behind
    /// that of the module, so that `break map` stops in the user's.
    pub fn function_location(&self, name: Option<Symbol>, span: Span) -> Location<'c> {
        let location = self.location(span);
        let (Some(name), Some(_)) = (name, &self.layouts) else { return location };
        let file = self.sources.file(span.file);
        let name = match std::path::Path::new(&file.name).file_stem().and_then(|it| it.to_str()) {
            Some(stem) if file.is_library => format!("{}.{}", module_name(stem), name.shown()),
            Some(_) | None => name.shown(),
        };
        Location::name(self.build.context, &name, location)
    }

    /// Tells debuggers of a variable of the program, if the user knows it.
    pub fn tell_global(&mut self, var: VarId, global: Op<'c>) {
        let it = &self.program.vars[var];
        if it.name.is_hidden() || self.sources.file(it.span.file).is_library {
            return;
        }
        let name = self.name_for_debuggers(var);
        let Some(layouts) = &mut self.layouts else { return };
        let shown = layouts.shown(&mut self.types, it.ty);
        let at = self.sources.position(it.span.file, it.span.start);
        self.build.tell_variable(
            global,
            &Told {
                name: &name,
                shown: &shown.name,
                size: shown.size as u32,
                encoding: shown.encoding,
                scope: 0,
                parent: 0,
                argument: 0,
                line: at.line,
                column: at.column,
            },
        );
    }
}

/// `list.ml` is the module `List`.
fn module_name(stem: &str) -> String {
    let mut letters = stem.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}
