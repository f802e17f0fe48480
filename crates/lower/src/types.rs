//! Graph types as dialect types.
//!
//! ```text
//! int i64 (twice the value)   int32 i32   int64 i64   float f64   char i8   bool, unit i1
//! a * b           tuple<A, B> if both are one scalar; larger tuples !ocaml.tuple<…>
//! a -> b -> c     !ocaml.closure<(A, B) -> C>
//! variant without arguments   i32, the constructor's number
//! other records and variants  !ocaml.data<"name">, declared by an `ocaml.data`; a constructor that
//!                             holds an `int` may be a word in place of an object
//! ```

use oxbow_base::IdMap;
use oxbow_diag::ice;
use oxbow_dialect::Types;
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::Type;
use oxbow_psg::{DataKind, Field, Held, Mono, Program, Ty, TyId, TypeTable};

use crate::names::Names;

pub struct TypeMap<'c> {
    pub table: TypeTable,
    pub make: Types<'c>,
    known: IdMap<TyId, Type<'c>>,
    data_names: IdMap<TyId, String>,
    /// Data types whose declaration is due, last first.
    undeclared: Vec<TyId>,
}

impl<'c> TypeMap<'c> {
    pub fn new(program: &Program<Mono>, context: &'c Context) -> Self {
        Self {
            table: program.types.clone(),
            make: Types::new(context),
            known: IdMap::new(),
            data_names: IdMap::new(),
            undeclared: Vec::new(),
        }
    }

    pub fn get(&mut self, ty: TyId, names: &mut Names) -> Type<'c> {
        if let Some(&known) = self.known.get(ty) {
            return known;
        }
        let made = match self.table.held(ty) {
            Held::Bit => self.make.i1,
            Held::Byte => self.make.i8,
            Held::Int32 => self.make.i32,
            Held::Int64 => self.make.i64,
            Held::Float32 => self.make.f32,
            Held::Float64 => self.make.f64,
            Held::Pair(first, second) => {
                let first = self.get(first, names);
                let second = self.get(second, names);
                self.make.pair(first, second)
            }
            Held::Reference => self.reference(ty, names),
        };
        self.known.insert(ty, made);
        made
    }

    /// The type of the address of an object.
    fn reference(&mut self, ty: TyId, names: &mut Names) -> Type<'c> {
        match self.table.get(ty).clone() {
            Ty::String | Ty::Bytes => self.make.string,
            Ty::Exn => self.make.exn,
            Ty::Array(element) => {
                let element = self.get(element, names);
                self.make.array(element)
            }
            Ty::Fn(param, result) => {
                let param = self.get(param, names);
                let result = self.get(result, names);
                self.make.closure(&[param], result)
            }
            Ty::Tuple(items) => {
                let items: Vec<_> = items.iter().map(|&it| self.get(it, names)).collect();
                self.make.tuple(&items)
            }
            Ty::Data(..) => {
                let name = names.fresh(&self.text(ty));
                let made = self.make.data(&name);
                self.data_names.insert(ty, name);
                self.undeclared.push(ty);
                made
            }
            Ty::Uniform => ice!("values of unknown type are not lowered"),
            Ty::Var(var) => ice!("type variable {var} in a monomorphic program"),
            Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(_) | Ty::Float | Ty::Float32 => {
                ice!("numbers are no objects")
            }
        }
    }

    /// Is the first field of a record held in one word, or less?
    pub fn is_first_field_single(&mut self, ty: TyId) -> bool {
        let Ty::Data(data, args) = self.table.get(ty).clone() else { return true };
        let DataKind::Record(fields) = &self.table.datas[data].kind else { return true };
        let field = self.table.field_type(data, &args, fields[0].ty);
        !matches!(self.table.held(field), Held::Pair(..))
    }

    /// A variant without arguments is its constructor's number.
    pub fn is_enumeration(&self, ty: TyId) -> bool {
        self.table.is_enumeration(ty)
    }

    pub fn is_unit(&self, ty: TyId) -> bool {
        ty == self.table.unit
    }

    /// The constructor that is held in its word, if there is one.
    pub fn word_ctor(&self, ty: TyId) -> Option<u32> {
        self.table.word_ctor(ty)
    }

    /// Field types of each constructor's objects; a record has one.
    pub fn constructors(&mut self, ty: TyId, names: &mut Names) -> Vec<Vec<Type<'c>>> {
        let Ty::Data(data, args) = self.table.get(ty).clone() else {
            ice!("type {ty} has no constructors")
        };
        let ctors: Vec<Vec<TyId>> = match &self.table.datas[data].kind {
            DataKind::Record(fields) => vec![fields.iter().map(|it| it.ty).collect()],
            DataKind::Variant(ctors) => {
                ctors.iter().map(|ctor| ctor.fields.iter().map(|it| it.ty).collect()).collect()
            }
        };
        let word = self.word_ctor(ty);
        ctors
            .iter()
            .enumerate()
            .map(|(ctor, fields)| {
                if word == Some(ctor as u32) {
                    return Vec::new();
                }
                fields
                    .iter()
                    .map(|&field| {
                        let field = self.table.field_type(data, &args, field);
                        self.get(field, names)
                    })
                    .collect()
            })
            .collect()
    }

    /// For each constructor of a variant, whether its values are objects.
    pub fn are_objects(&self, ty: TyId) -> Vec<bool> {
        let Ty::Data(data, _) = self.table.get(ty) else { ice!("type {ty} has no constructors") };
        let word = self.word_ctor(ty);
        match &self.table.datas[*data].kind {
            DataKind::Record(_) => vec![true],
            DataKind::Variant(ctors) => ctors
                .iter()
                .enumerate()
                .map(|(at, it)| !it.fields.is_empty() && word != Some(at as u32))
                .collect(),
        }
    }

    pub fn is_mutable_field(&self, ty: TyId, ctor: u32, index: u32) -> bool {
        self.field(ty, ctor, index).mutable
    }

    /// Do assignments to the field close no cycle?
    pub fn is_acyclic(&self, ty: TyId, ctor: u32, index: u32) -> bool {
        self.field(ty, ctor, index).acyclic
    }

    fn field(&self, ty: TyId, ctor: u32, index: u32) -> &Field {
        let fields = match self.table.get(ty) {
            Ty::Data(data, _) => match &self.table.datas[*data].kind {
                DataKind::Record(fields) => fields,
                DataKind::Variant(ctors) => &ctors[ctor as usize].fields,
            },
            _ => ice!("type {ty} has no fields"),
        };
        &fields[index as usize]
    }

    pub fn next_undeclared(&mut self) -> Option<(TyId, String)> {
        self.undeclared.pop().map(|ty| (ty, self.data_names[ty].clone()))
    }

    /// The type as people write it. It only tells types from each other for people, so that its end may be left out: a
    /// type of few parts can have a text of any length.
    pub fn text(&self, ty: TyId) -> String {
        let mut out = String::new();
        self.write(ty, &mut out);
        out
    }

    fn write(&self, ty: TyId, out: &mut String) {
        if out.len() > LONG {
            if !out.ends_with("...") {
                *out += "...";
            }
            return;
        }
        match self.table.get(ty) {
            Ty::Unit => *out += "unit",
            Ty::Bool => *out += "bool",
            Ty::Char => *out += "char",
            Ty::Int(width) => *out += width.name(),
            Ty::Float => *out += "float",
            Ty::Float32 => *out += "float32",
            Ty::String => *out += "string",
            Ty::Bytes => *out += "bytes",
            Ty::Exn => *out += "exn",
            Ty::Uniform => *out += "uniform",
            Ty::Var(var) => *out += &var.to_string(),
            Ty::Array(item) => {
                self.write(*item, out);
                *out += " array";
            }
            Ty::Fn(param, result) => self.write_all(&[*param, *result], " -> ", out),
            Ty::Tuple(items) => self.write_all(items, " * ", out),
            Ty::Data(data, args) => {
                match &args[..] {
                    [] => (),
                    [one] => {
                        self.write(*one, out);
                        *out += " ";
                    }
                    _ => {
                        self.write_all(args, ", ", out);
                        *out += " ";
                    }
                }
                *out += self.table.datas[*data].name.as_str();
            }
        }
    }

    /// Types in parentheses.
    fn write_all(&self, types: &[TyId], between: &str, out: &mut String) {
        for (at, &ty) in types.iter().enumerate() {
            *out += if at == 0 { "(" } else { between };
            self.write(ty, out);
        }
        *out += ")";
    }
}

/// No text of a type is much longer.
const LONG: usize = 500;
