//! Phrases of a prompt: a program that grows while it runs.
//!
//! ```text
//! let x = f ()        the phrase itself     %prompt.keep 7 (f ());  let x = %prompt.kept 7
//!                     phrases after it      let x = %prompt.kept 7
//! let g y = x + y     each phrase that mentions it has a copy of its own
//! ```
//!
//! What was computed stays in a place with a number, by the item and the types of the copy; code that is needed again
//! is copied again. So items of earlier phrases are treated as the library's: copied on demand. What the library
//! computes when it starts is kept in the same way.
//!
//! The representation of a value follows from its type. Where a whole program decides it (`facts`, `tags`,
//! `objects`), a later phrase may decide otherwise: the *shape* of a place is what was decided, and a phrase that
//! would read a place in another shape is refused.

use oxbow_base::{FxHashMap, FxHashSet, IdMap, IdSet, Made, Span, Symbol};
use oxbow_diag::{Diagnostic, Diagnostics};
use oxbow_psg::{
    Callee, Compared, Const, DataKind, ExnId, IntWidth, Item, ItemKind, Lambda, Mono, NodeId,
    NodeKind, Poly, Prim, Program, Ty, TyId, TypeTable, Var, VarId,
};
use std::fmt::Write as _;

use super::Context;
use super::decided_later::{Frozen, globals_in_lambdas};

/// The place of the exception that ended a phrase.
pub const RAISED: i64 = 0;
/// The place of the number of the last phrase that came to its end.
pub const ENDED: i64 = 1;

const FIRST: i64 = 2;

/// The symbol by which phrases know an exception.
pub fn exn_symbol(exn: ExnId) -> String {
    format!("prompt:{exn}")
}

/// Where values of earlier phrases are.
#[derive(Clone, Debug)]
pub struct Places {
    by_key: FxHashMap<String, Place>,
    next: i64,
    numbered: Numbered,
    /// Places that closures know which were compiled before the types of the values were known.
    fixed: FxHashSet<i64>,
}

/// The constructors of polymorphic variants, and of objects, in the order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbered {
    pub tags: Vec<u32>,
    /// The constructor in the program that is copied, and the types of its fields where those have variables.
    pub objects: Vec<(u32, Option<Vec<Frozen>>)>,
    /// For [`Places::fill`]: places whose types must not be decided any more.
    fixed: Vec<i64>,
}

impl Default for Places {
    fn default() -> Self {
        Self {
            by_key: FxHashMap::default(),
            next: FIRST,
            numbered: Numbered::default(),
            fixed: FxHashSet::default(),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Place {
    pub number: i64,
    /// How the value is represented.
    shape: String,
}

/// A value that a phrase computes.
#[derive(Debug)]
pub struct NewPlace {
    key: String,
    pub place: Place,
    /// The variable in the program that is copied, and its type in the copy.
    pub var: VarId,
    pub ty: TyId,
    pub library: bool,
}

impl Places {
    pub(super) fn get(&self, key: &str) -> Option<&Place> {
        self.by_key.get(key)
    }

    /// Does code know the place that was compiled before the type was known?
    pub(super) fn is_fixed(&self, number: i64) -> bool {
        self.fixed.contains(&number)
    }

    /// The phrase has run: what it computed is there.
    pub fn fill(&mut self, new: Vec<NewPlace>, numbered: Numbered) {
        self.fixed.extend(numbered.fixed.iter());
        self.numbered = numbered;
        for it in new {
            self.next = self.next.max(it.place.number + 1);
            self.by_key.insert(it.key, it.place);
        }
    }
}

/// What a phrase is compiled with.
#[derive(Clone, Copy)]
pub struct Phrase<'a> {
    /// Its first item. Those before it are of earlier phrases and of the library.
    pub first: usize,
    pub places: &'a Places,
    /// Its number, which it leaves in [`ENDED`].
    pub number: i64,
}

impl<'a> Phrase<'a> {
    pub(super) fn tags(&self) -> &'a [u32] {
        &self.places.numbered.tags
    }

    pub(super) fn objects(&self) -> &'a [(u32, Option<Vec<Frozen>>)] {
        &self.places.numbered.objects
    }
}

/// A phrase, specialised.
pub struct Specialized {
    pub program: Program<Mono>,
    pub new: Vec<NewPlace>,
    /// The places that the code mentions.
    pub numbers: Vec<i64>,
    /// For [`Places::fill`].
    pub numbered: Numbered,
}

impl Specialized {
    pub(super) fn whole(program: Program<Mono>) -> Self {
        Self { program, new: Vec::new(), numbers: Vec::new(), numbered: Numbered::default() }
    }
}

/// Instantiates what a phrase reaches.
pub fn run(
    source: &Program<Poly>,
    phrase: Phrase<'_>,
    diagnostics: &mut Diagnostics,
) -> Specialized {
    super::specialize(source, Some(phrase), diagnostics)
}

/// What the copy has noted of places.
#[derive(Default)]
pub(super) struct Noted {
    /// Variables of the copy whose values are computed now.
    new: Vec<(VarId, String, VarId, bool)>,
    /// Those that are there.
    /// With whether the library has computed it.
    used: Vec<(VarId, Place, bool)>,
    /// Those that are there and were computed at types that were not known, with their keys at these types.
    decided: Vec<(VarId, VarId, Place, String)>,
    pub numbered: Numbered,
    /// Have tags and objects the numbers that earlier phrases gave them?
    pub replayed: bool,
}

impl Context<'_> {
    /// The value of an item that an earlier phrase has computed; otherwise notes that this one does.
    pub(super) fn kept_value(&mut self, index: usize, value: NodeId) -> Option<NodeId> {
        let phrase = self.phrase?;
        let source = self.source;
        let item = self.instances[index].item;
        let (var, copy) = (source.items[item].kind.vars()[0], self.instances[index].vars[0]);
        let is_shown = item >= phrase.first && !source.items[item].library;
        let mutable = source.vars[var].mutable;
        match &source.nodes[value].kind {
            NodeKind::Lambda(_) => return None,
            NodeKind::Const(_) | NodeKind::Var { .. } if !mutable && !is_shown => return None,
            _ => (),
        }
        let tyargs = self.instances[index].tyargs.clone();
        let mut key = format!("{var}");
        for &ty in &tyargs {
            key.push(' ');
            write_type(&self.out.types, ty, &mut key);
        }
        let Some(place) = phrase.places.by_key.get(&key).cloned() else {
            let library = source.items[item].library;
            if item < phrase.first && !library && !tyargs.is_empty() {
                if let Some(place) = self.computed_place((item, var), copy, phrase) {
                    let (ty, span) = (self.out.vars[copy].ty, source.nodes[value].span);
                    let number = place.number;
                    self.noted.decided.push((copy, var, place, key));
                    return Some(kept(&mut self.out, number, ty, span));
                }
                if self.can_repeat(value) {
                    self.noted.new.push((copy, key, var, library));
                    return None;
                }
                let name = source.vars[var].name.shown();
                let asked = self.instances[index].asked;
                self.give_up(
                    Diagnostic::error(
                        "E0970",
                        format!("`{name}` was computed before its type was known"),
                    )
                    .at(asked, "used at another type than the one it was computed at")
                    .help(format!("define `{name}` again with its type: `let {name} : … = …`")),
                );
            }
            self.noted.new.push((copy, key, var, library));
            return None;
        };
        self.noted.used.push((copy, place.clone(), source.items[item].library));
        let (ty, span) = (self.out.vars[copy].ty, source.nodes[value].span);
        Some(kept(&mut self.out, place.number, ty, span))
    }

    /// Is the value of a polymorphic item shown, since it is no function?
    pub(super) fn is_shown(&self, item: &Item) -> bool {
        let ItemKind::Let { value, .. } = item.kind else { return false };
        let is_function = matches!(self.source.nodes[value].kind, NodeKind::Lambda(_));
        self.phrase.is_some() && !item.library && !is_function
    }

    /// What is known when all has been copied.
    pub(super) fn note_phrase(&mut self, replayed: bool) -> Noted {
        self.share_exns();
        let objects = std::mem::take(&mut self.objects.sources).into_iter().enumerate();
        let objects = objects.map(|(at, ctor)| (ctor, self.frozen_fields(at))).collect();
        let numbered =
            Numbered { tags: std::mem::take(&mut self.tags.sources), objects, fixed: Vec::new() };
        Noted { numbered, replayed, ..std::mem::take(&mut self.noted) }
    }

    /// The symbols by which phrases know exceptions.
    fn share_exns(&mut self) {
        if self.phrase.is_none() {
            return;
        }
        let own = self.source.types.exns.len();
        let ids: Vec<ExnId> = self.out.types.exns.ids().take(own).collect();
        for id in ids {
            self.out.shared_exns.insert(id, exn_symbol(id));
        }
        for ((exn, types), id) in &self.exn_instances {
            let mut symbol = exn_symbol(*exn);
            for &ty in types {
                symbol.push(' ');
                write_type(&self.out.types, ty, &mut symbol);
            }
            self.out.shared_exns.insert(*id, symbol);
        }
    }
}

/// Makes the copy one that keeps what it computes.
pub(super) fn finish(
    mut program: Program<Mono>,
    mut noted: Noted,
    phrase: Phrase<'_>,
    diagnostics: &mut Diagnostics,
) -> Specialized {
    check_shapes(&program, &noted, diagnostics);
    let replayed = noted.replayed;
    let earlier: IdSet<VarId> = noted.used.iter().map(|it| it.0).collect();
    let in_closures = globals_in_lambdas(&program, &earlier);
    let mentioned = noted.used.iter().filter(|it| in_closures.contains(it.0));
    noted.numbered.fixed = mentioned.map(|it| it.1.number).collect();
    let mut numbers: Vec<i64> = noted.used.iter().map(|it| it.1.number).collect();
    numbers.extend(noted.decided.iter().map(|it| it.2.number));
    numbers.extend([RAISED, ENDED]);
    let (mut new, mut by_var) = (Vec::new(), IdMap::new());
    for (number, (copy, key, var, library)) in (phrase.places.next..).zip(noted.new) {
        let ty = program.vars[copy].ty;
        let place = Place { number, shape: shape(&program.types, ty, replayed) };
        by_var.insert(copy, number);
        numbers.push(number);
        new.push(NewPlace { key, place, var, ty, library });
    }
    let mut used: IdSet<VarId> = noted.used.iter().map(|it| it.0).collect();
    for (copy, var, place, key) in noted.decided {
        let ty = program.vars[copy].ty;
        let place = Place { shape: shape(&program.types, ty, replayed), ..place };
        new.push(NewPlace { key, place, var, ty, library: true });
        used.insert(copy);
    }
    let items = std::mem::take(&mut program.items);
    for mut item in items {
        let ItemKind::Let { var, value } = item.kind else {
            program.items.push(item);
            continue;
        };
        item.library |= used.contains(var);
        let Some(&number) = by_var.get(var) else {
            program.items.push(item);
            continue;
        };
        let (ty, span) = (program.vars[var].ty, item.span);
        let stored = keep(&mut program, number, value, span);
        program.items.push(Item { kind: ItemKind::Eval(stored), span, library: false });
        let value = kept(&mut program, number, ty, span);
        program.items.push(Item { kind: ItemKind::Let { var, value }, span, library: true });
    }
    end(&mut program, phrase.number);
    oxbow_psg::captures::fill_all(&mut program);
    Specialized { program, new, numbers, numbered: noted.numbered }
}

/// What happens when the phrase has come to its end, or has raised an exception.
fn end(program: &mut Program<Mono>, number: i64) {
    let Some(span) = program.items.last().map(|it| it.span) else { return };
    let (int, unit, exn) = (program.types.int, program.types.unit, program.types.exn);
    let ended = program.add(NodeKind::Const(Const::Int(IntWidth::I63, number)), int, span);
    let ended = keep(program, ENDED, ended, span);
    program.items.push(Item { kind: ItemKind::Eval(ended), span, library: false });
    let plain = |name: &str, ty, global| Var {
        name: Symbol::made(Made::Local(Symbol::new(name))),
        ty,
        tyvars: Vec::new(),
        mutable: false,
        global,
        span,
    };
    let param = program.vars.push(plain("exn", exn, false));
    let raised = program.add(NodeKind::Var { var: param, tyargs: Vec::new() }, exn, span);
    let mut steps = vec![keep(program, RAISED, raised, span)];
    if let Some(flush) = program.well_known.flush {
        let ty = program.vars[flush].ty;
        let func = program.add(NodeKind::Var { var: flush, tyargs: Vec::new() }, ty, span);
        let nothing = program.add(NodeKind::Const(Const::Unit), unit, span);
        let call = NodeKind::Apply { func, args: vec![nothing], callee: Callee::Unknown };
        steps.push(program.add(call, unit, span));
    }
    let body = program.add(NodeKind::Seq(steps), unit, span);
    let lambda = program.lambdas.push(Lambda::new(None, vec![param], body, span));
    let ty = program.types.function(&[exn], unit);
    let var = program.vars.push(plain("uncaught", ty, true));
    let value = program.add(NodeKind::Lambda(lambda), ty, span);
    // Before what raises, as all that is mentioned is.
    program.items.push(Item { kind: ItemKind::Let { var, value }, span, library: true });
    program.well_known.uncaught = Some(var);
    program.well_known.finish = program.well_known.flush;
}

fn number_node(program: &mut Program<Mono>, number: i64, span: Span) -> NodeId {
    let int = program.types.int;
    program.add(NodeKind::Const(Const::Int(IntWidth::I63, number)), int, span)
}

fn keep(program: &mut Program<Mono>, number: i64, value: NodeId, span: Span) -> NodeId {
    let args = vec![number_node(program, number, span), value];
    let unit = program.types.unit;
    program.add(NodeKind::Prim { prim: Prim::Keep, args }, unit, span)
}

fn kept(program: &mut Program<Mono>, number: i64, ty: TyId, span: Span) -> NodeId {
    let args = vec![number_node(program, number, span)];
    program.add(NodeKind::Prim { prim: Prim::Kept, args }, ty, span)
}

/// Refuses to read a value in another shape than it has. The user can define again what is the user's, which is told
/// first.
fn check_shapes(program: &Program<Mono>, noted: &Noted, diagnostics: &mut Diagnostics) {
    let changes = |copy: &VarId, place: &Place| {
        shape(&program.types, program.vars[*copy].ty, noted.replayed) != place.shape
    };
    let used = noted.used.iter().filter(|it| changes(&it.0, &it.1));
    let Some((copy, _, library)) = used.min_by_key(|it| it.2) else { return };
    let var = &program.vars[*copy];
    let own = program.items.iter().rfind(|it| !it.library).filter(|_| *library);
    diagnostics.error(match own {
        Some(own) => Diagnostic::error(
            "E0971",
            "this phrase would change how values that the library holds are represented",
        )
        .at(own.span, "it brings new types to values of unknown type, objects or packed modules")
        .help("write a program with it: `oxbow run FILE` decides for all of it at once"),
        None => {
            let name = var.name.shown();
            Diagnostic::error(
                "E0971",
                format!("this phrase would change how the values in `{name}` are represented"),
            )
            .at(var.span, "computed here, by an earlier phrase")
            .help(format!("define `{name}` again, behind the types that this phrase uses"))
        }
    });
}

/// A type and the declarations that it leads to, with all that decides how values are represented. Polymorphic variants
/// may become more if no function is among the parts: code that compares them knows those that there were.
fn shape(types: &TypeTable, ty: TyId, replayed: bool) -> String {
    let grows = replayed && !types.holds(ty, |it| matches!(it, Ty::Fn(..)));
    let mut out = String::new();
    let mut todo = vec![ty];
    let mut seen = IdSet::new();
    while let Some(ty) = todo.pop() {
        if !seen.insert(ty) {
            continue;
        }
        write_type(types, ty, &mut out);
        if let Ty::Data(data, args) = types.get(ty) {
            let decl = &types.datas[*data];
            if grows && decl.compared == Compared::Tags {
                continue;
            }
            let mut fields = |all: &[oxbow_psg::Field]| {
                for field in all {
                    out.push(' ');
                    write_type(types, field.ty, &mut out);
                    // Parts over parameters are parts of the arguments.
                    todo.push(field.ty);
                }
            };
            match &decl.kind {
                DataKind::Record(all) => fields(all),
                DataKind::Variant(ctors) => ctors.iter().for_each(|it| fields(&it.fields)),
            }
            if let DataKind::Variant(ctors) = &decl.kind {
                ctors.iter().for_each(|it| {
                    let _ = write!(out, "|{}", it.name);
                });
            }
            todo.extend(args);
        } else {
            todo.extend(types.get(ty).parts());
        }
        out.push(';');
    }
    out
}

/// A type as text that means the same in all phrases.
pub(super) fn write_type(types: &TypeTable, ty: TyId, out: &mut String) {
    let it = types.get(ty);
    match it {
        Ty::Data(data, _) => {
            let decl = &types.datas[*data];
            // What specialisation declares itself has no place, and other numbers in each phrase.
            match decl.span.is_some() || decl.known.is_some_and(|it| !it.is_ordinary()) {
                true => {
                    let _ = write!(out, "{data}");
                }
                false => out.push_str(decl.name.as_str()),
            }
        }
        Ty::Tuple(_) => out.push('*'),
        Ty::Fn(..) => out.push_str("->"),
        Ty::Array(_) => out.push_str("array"),
        other => {
            let _ = write!(out, "{other:?}");
        }
    }
    let mut parts = it.parts().peekable();
    if parts.peek().is_some() {
        out.push('(');
        for part in parts {
            write_type(types, part, out);
            out.push(',');
        }
        out.push(')');
    }
}
