//! `external` declarations: primitives of the library, OCaml's own ones in users' files, functions of C.
//!
//! ```text
//! external length : 'a array -> int = "%array.length"               in the library: a primitive
//! external length : 'a array -> int = "%array_length"               elsewhere: the library's `Array.length`
//! external cbrt : float -> float = "" "cbrt" [@@unboxed]            C's own function
//! ```
//!
//! A primitive of OCaml is a value of the library (`crate::externals`) whose type must be as general as
//! the declared one: what does not fit is refused, so that no declaration can make a value of another type.

use oxbow_base::{Span, Symbol};
use oxbow_diag::{Diagnostic, ice};
use oxbow_psg::{IntWidth, Prim, STANDARD_LIBRARIES};

use crate::ast::{self, Passing};
use crate::externals::{self, Target};
use crate::tast::Builtin;
use crate::types::{self, Label, TyConKind, Type, TypeId};

use super::Infer;
use super::clef::Operation;
use super::env::{Env, Module, Value, ValueKind};

/// A declaration, its type read.
struct Declared {
    name: ast::Name,
    vars: Vec<TypeId>,
    ty: TypeId,
}

impl Declared {
    fn value(self, kind: ValueKind) -> Value {
        Value { kind, vars: self.vars, ty: self.ty, instance: None, span: self.name.span }
    }
}

impl Infer<'_> {
    pub(super) fn external(&mut self, env: &Env, external: &ast::External) -> Value {
        let (vars, ty) = self.declared_scheme(env, &external.ty);
        let declared = Declared { name: external.name, vars, ty };
        let prim = external.prims.first().map_or("", |it| it.as_str());
        if self.library || self.sees_all || self.is_clef() && prim.starts_with("%c.") {
            return self.library_primitive(declared, prim);
        }
        let mut targets = externals::targets(prim).peekable();
        if targets.peek().is_some() && !self.is_clef() {
            return self.known_external(declared, prim, targets.collect());
        }
        if external.passing.iter().any(|it| *it != Passing::Boxed) {
            return self.c_function(declared, external);
        }
        self.unknown_external(declared, prim)
    }

    fn library_primitive(&mut self, declared: Declared, prim: &str) -> Value {
        if let Some(word) = prim.strip_prefix("%overload.") {
            return match Operation::from_word(word) {
                Some(operation) => declared.value(ValueKind::Overload(operation)),
                None => self.unknown_external(declared, prim),
            };
        }
        let builtin = match prim {
            "%sequand" => Builtin::And,
            "%sequor" => Builtin::Or,
            "%raise" => Builtin::Raise,
            "%raise_notrace" => Builtin::RaiseNotrace,
            _ => match Prim::from_name(prim) {
                Some(prim) => {
                    if matches!(prim, Prim::Foreign { .. }) {
                        self.check_foreign(declared.ty, declared.name.span);
                    }
                    Builtin::Prim(prim)
                }
                None => return self.unknown_external(declared, prim),
            },
        };
        declared.value(ValueKind::Builtin(builtin))
    }

    /// One of OCaml's primitives: the first value of the library whose type is general enough.
    fn known_external(&mut self, declared: Declared, prim: &str, targets: Vec<Target>) -> Value {
        let values: Vec<Value> = targets.into_iter().map(|it| self.target(it)).collect();
        // A declaration may give names to the parameters.
        let plain = self.without_labels(declared.ty);
        for value in &values {
            for wanted in [declared.ty, plain] {
                self.enter_level();
                let (ty, tyargs) = self.instantiate(value);
                self.leave_level();
                // The variables of the declared type are bound; a failure touches the instance only.
                if self.unify(wanted, ty).is_ok() {
                    let instance = Some(tyargs.into());
                    return Value { instance, ..declared.value(value.kind) };
                }
            }
        }
        let mut printer = super::print::Printer::new(&self.types);
        let found = printer.show(declared.ty);
        let wanted: Vec<String> =
            values.iter().map(|it| format!("`{}`", self.show(it.ty))).collect();
        let report = Diagnostic::error("E0159", format!("`{prim}` does not have type `{found}`"))
            .at(declared.name.span, "declared here")
            .note(format!("its type is {}", wanted.join(" or ")));
        self.diagnostics.error(report);
        declared.value(ValueKind::Builtin(Builtin::Raise))
    }

    /// `x:int -> y:int -> int` as `int -> int -> int`
    fn without_labels(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Arrow(Label::None | Label::Labelled(_), param, result) => {
                let result = self.without_labels(result);
                self.arrow(Label::None, param, result)
            }
            _ => ty,
        }
    }

    /// A value that the table of primitives names, which the driver has loaded.
    fn target(&self, target: Target) -> Value {
        let value = match self.units.get(&Symbol::new(target.module)) {
            Some(Module::Structure(it)) => it.values.get(&Symbol::new(target.value)).cloned(),
            _ => None,
        };
        value.unwrap_or_else(|| ice!("the library has no `{}.{}`", target.module, target.value))
    }

    /// A function of C that takes and gives numbers as C has them.
    fn c_function(&mut self, declared: Declared, external: &ast::External) -> Value {
        let span = declared.name.span;
        let Some(name) = external.prims.get(1) else {
            let construct = "a function of C that has no name for machine code";
            self.diagnostics.error(Diagnostic::not_supported(span, construct).help(format!(
                "write C's name as the second string: `= \"{0}\" \"{0}\"`",
                external.prims.first().map_or("", |it| it.as_str())
            )));
            return declared.value(ValueKind::Builtin(Builtin::Raise));
        };
        let parts = self.arrow_parts(declared.ty);
        let count = parts.len() - 1;
        for (at, (&ty, &passing)) in parts.iter().zip(&external.passing).enumerate() {
            let place =
                if at < count { Part::Parameter { alone: count == 1 } } else { Part::Result };
            if !self.can_be_passed(ty, passing, place) {
                self.refuse_passing(ty, passing, span);
                return declared.value(ValueKind::Builtin(Builtin::Raise));
            }
        }
        if count == 0 || count > usize::from(u8::MAX) {
            self.not_supported(span, "a function of C without parameters, or with more than 255");
            return declared.value(ValueKind::Builtin(Builtin::Raise));
        }
        let library = Symbol::new(STANDARD_LIBRARIES);
        let prim = Prim::Foreign { name: *name, library, arity: count as u8 };
        declared.value(ValueKind::Builtin(Builtin::Prim(prim)))
    }

    /// The parameters of a function type and its result.
    fn arrow_parts(&mut self, ty: TypeId) -> Vec<TypeId> {
        let mut parts = Vec::new();
        let mut rest = ty;
        while let &Type::Arrow(_, param, result) = self.types.get(rest) {
            parts.push(param);
            rest = result;
        }
        parts.push(rest);
        parts
    }

    fn can_be_passed(&mut self, ty: TypeId, passing: Passing, part: Part) -> bool {
        use types::Builtin as B;
        let Some((con, _)) = self.head_con(ty) else {
            return matches!(self.types.get(ty), Type::Error);
        };
        let TyConKind::Builtin(kind) = self.types.tycons[con].kind else { return false };
        match passing {
            Passing::Unboxed => match kind {
                B::Int(width) => matches!(width, IntWidth::I32 | IntWidth::I64),
                _ => matches!(kind, B::Float | B::Nativeint),
            },
            Passing::Untagged => kind == B::Int(IntWidth::I63),
            // A string is the address of its bytes in OCaml, too.
            Passing::Boxed => match part {
                Part::Parameter { alone } => kind == B::String || (kind == B::Unit && alone),
                Part::Result => kind == B::Unit,
            },
        }
    }

    fn refuse_passing(&mut self, ty: TypeId, passing: Passing, span: Span) {
        let shown = self.show(ty);
        let how = match passing {
            Passing::Unboxed => " unboxed",
            Passing::Untagged => " untagged",
            Passing::Boxed => "",
        };
        let message = format!("a value of type `{shown}` cannot be given to C{how}");
        self.diagnostics.error(
            Diagnostic::error("E0152", message).at(span, "declared here").help(
                "`float`, `int32`, `int64` and `nativeint` can with `[@unboxed]`, `int` with `[@untagged]`; \
                 a `string`, a `unit` that is the only parameter, and the result `unit` as they are",
            ),
        );
    }

    fn unknown_external(&mut self, declared: Declared, prim: &str) -> Value {
        let span = declared.name.span;
        let report = if prim.starts_with('%') || self.is_clef() {
            Diagnostic::not_supported(span, &format!("the primitive `{prim}`"))
        } else {
            Diagnostic::not_supported(span, &format!("the external function `{prim}`")).help(
                "a function of C is called with numbers: mark each parameter and the result `[@unboxed]` \
                 (`float`, `int32`, `int64`, `nativeint`) or `[@untagged]` (`int`), and write C's name as \
                 the second string",
            )
        };
        self.diagnostics.error(report);
        // Its uses have the declared type; the program is refused anyway.
        declared.value(ValueKind::Builtin(Builtin::Raise))
    }
}

/// Where a type stands in that of a function.
#[derive(Clone, Copy)]
enum Part {
    Parameter { alone: bool },
    Result,
}
