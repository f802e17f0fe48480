//! Operators and functions that the operand's type decides.
//!
//! The library declares `external (+) : 'a -> 'a -> 'a = "%overload.add"`. A mention is an instance of
//! that type whose `'a` is waited for; when it is known to be `int`, the mention means the library's
//! `add_int`, and at a type with a member `+` that member. A type that nothing determines by the end of the
//! file is `int` (for functions of floating point, `float`). Such a type is not generalised, so that
//! `let add x y = x + y` serves one type, which its uses choose.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::tast::{self, Builtin};
use crate::types::{GENERIC, Label, Type, TypeId};

use super::super::env::{Module, Value, ValueKind};
use super::super::{Expect, Infer};
use super::operation::{Default, Generic, Operation, Units};

/// A mention that waits for its type.
#[derive(Debug)]
pub struct Overload {
    pub operation: Operation,
    /// As the program writes it.
    pub shown: Symbol,
    /// The type that decides.
    pub class: TypeId,
    /// The type of the mention.
    pub ty: TypeId,
    pub span: Span,
    /// Where the program asks for it, if the mention is in a function of the library.
    pub place: Span,
    pub meaning: Option<tast::Expr>,
}

/// Parts of the library that have meanings of overloaded names.
const OF_PARTS: &[&str] = &["BigIntegers", "Decimals", "Times", "DateTimes", "Guid", "Array2D"];

impl Infer<'_> {
    /// A mention of an overloaded value.
    pub(in super::super) fn overloaded(
        &mut self,
        value: &Value,
        operation: Operation,
        shown: Symbol,
        span: Span,
    ) -> tast::Expr {
        let fresh: Vec<_> = value.vars.iter().map(|_| self.fresh()).collect();
        let ty = self.types.substitute(value.ty, &value.vars, &fresh);
        let Some(&class) = fresh.first() else { return self.failed(span) };
        let (ty, class) = self.unit_mention(operation).unwrap_or((ty, class));
        self.mention((operation, shown), class, ty, span)
    }

    /// A mention that waits until the type that decides is known.
    pub(super) fn mention(
        &mut self,
        (operation, shown): (Operation, Symbol),
        class: TypeId,
        ty: TypeId,
        span: Span,
    ) -> tast::Expr {
        let number = self.clef.overloads.len() as u32;
        let place = self.clef.inline_place.unwrap_or(span);
        let meaning = None;
        self.clef.overloads.push(Overload { operation, shown, class, ty, span, place, meaning });
        tast::Expr { kind: tast::ExprKind::Overloaded(number), ty, span }
    }

    /// Keeps the types that are waited for from being generalised.
    pub(in super::super) fn hold_overloads(&mut self) {
        self.hold_unit_rules();
        for index in self.clef.settled..self.clef.overloads.len() {
            let overload = &self.clef.overloads[index];
            if overload.meaning.is_none() && overload.operation.generic().is_none() {
                let class = self.types.expand(overload.class);
                // The number is known; its unit may be anything.
                if self.types.measure(class).is_none() {
                    self.fix_levels(class);
                }
            }
        }
    }

    /// The same before the level of a recursive group is left.
    pub(in super::super) fn hold_overloads_below(&mut self) {
        self.level -= 1;
        self.hold_overloads();
        self.level += 1;
    }

    /// At the end of a file: what is still open is `int` or `float`.
    pub(in super::super) fn settle_overloads(&mut self) {
        self.settle_unit_rules();
        // Types that are known may determine others.
        for index in self.clef.settled..self.clef.overloads.len() {
            self.settle(index, false);
        }
        // Formats last: what is wrong with an operand is said of the operand.
        for formats in [false, true] {
            for index in self.clef.settled..self.clef.overloads.len() {
                let operation = self.clef.overloads[index].operation;
                if operation.format_wants().is_some() == formats {
                    self.settle(index, true);
                }
            }
        }
        self.clef.settled = self.clef.overloads.len();
    }

    fn settle(&mut self, index: usize, last: bool) {
        let overload = &self.clef.overloads[index];
        if overload.meaning.is_some() {
            return;
        }
        let (operation, ty, span) = (overload.operation, overload.ty, overload.span);
        let class = self.types.expand(overload.class);
        let generic = operation.generic();
        let meaning = match self.types.nodes[class] {
            Type::Var { level, .. } if level != GENERIC && generic.is_none() => {
                if !last {
                    return;
                }
                let default = match operation.default() {
                    Default::Int => self.builtins.int32,
                    Default::Float => self.builtins.float,
                };
                let _ = self.unify(class, default);
                self.meaning_at(index, default)
            }
            Type::Error => Some(tast::Expr { kind: tast::ExprKind::Unit, ty, span }),
            _ if !last => return,
            _ => self.meaning_at(index, class),
        };
        let function = match generic {
            Some(Generic::Function) if meaning.is_none() => self.generic_function(index, class),
            _ => None,
        };
        let meaning = match (meaning.or(function), generic) {
            (Some(meaning), _) => meaning,
            (None, Some(Generic::Prim(prim))) => {
                tast::Expr { kind: tast::ExprKind::Builtin(Builtin::Prim(prim)), ty, span }
            }
            (None, Some(Generic::Function) | None) => {
                self.no_overload(index, class);
                tast::Expr { kind: tast::ExprKind::Unit, ty, span }
            }
        };
        self.clef.overloads[index].meaning = Some(meaning);
    }

    /// The function that a mention means at a type.
    fn meaning_at(&mut self, index: usize, class: TypeId) -> Option<tast::Expr> {
        let Overload { operation, shown, ty, span, .. } = self.clef.overloads[index];
        if let Some((_, unit)) = self.types.measure(class)
            && !matches!(operation.units(), Units::Kept | Units::Dropped)
        {
            let one = self.types.unit_one();
            if self.unify(unit, one).is_err() {
                return None;
            }
        }
        let (con, _) = self.head_con(class)?;
        // A type of the program may be called like one of the library, whose functions are not for it.
        let tycon = &self.types.tycons[con];
        let own = tycon.library.then(|| format!("{}_{}", operation.word(), tycon.name));
        if matches!(operation.generic(), Some(Generic::Function)) {
            return self.operator_function(index, &own?);
        }
        // What is in an object is nobody else's business.
        let is_shown_object = operation == Operation::Show && self.is_class(con);
        let is_text = operation == Operation::Text || is_shown_object;
        let is_constant = matches!(operation, Operation::Zero | Operation::One);
        let member = match operation {
            _ if is_text => Symbol::new("ToString"),
            Operation::Zero => Symbol::new("Zero"),
            Operation::One => Symbol::new("One"),
            Operation::DivInt => Symbol::new("DivideByInt"),
            _ => operation.operator().map_or(shown, Symbol::new),
        };
        let mut candidates = self.clef.members.get(&(con, member)).cloned().unwrap_or_default();
        // `float x` of a type that says what it is as a number.
        if candidates.is_empty() && operation.is_conversion() {
            let member = Symbol::new("op_Explicit");
            candidates = self.clef.members.get(&(con, member)).cloned().unwrap_or_default();
        }
        if operation == Operation::Show && !is_shown_object {
            candidates.clear();
        }
        for info in candidates {
            let Some(value) = info.value else { continue };
            let mut found = self.value_expr(&value, span);
            if is_constant {
                let nothing = self.builtins.unit;
                let unit = tast::Expr { kind: tast::ExprKind::Unit, ty: nothing, span };
                found = self.call_one(found, unit, span);
            }
            let wanted = match operation {
                _ if is_text => self.applied_to_unit(ty),
                Operation::DivInt => self.applied_to_pair(ty),
                _ => ty,
            };
            if self.unify(found.ty, wanted).is_ok() {
                if is_text {
                    found = self.call_with_unit(found, ty, span);
                } else if operation == Operation::DivInt {
                    found = self.call_with_pair(found, ty, span);
                }
                return Some(found);
            }
        }
        if operation == Operation::Member {
            return self.resolved_field(index, class);
        }
        let found = self.operator_function(index, own.as_ref()?);
        let Some(unchecked) = operation.unchecked().filter(|_| found.is_none()) else {
            return found;
        };
        let tycon = &self.types.tycons[con];
        self.operator_function(index, &format!("{}_{}", unchecked.word(), tycon.name))
    }

    /// The library's function of this name, for a mention.
    fn operator_function(&mut self, index: usize, function: &str) -> Option<tast::Expr> {
        let (ty, span) = (self.clef.overloads[index].ty, self.clef.overloads[index].span);
        let value = self.operator_value(function)?;
        let found = self.value_expr(&value, span);
        let ty = self.types.without_units(ty);
        if self.unify(found.ty, ty).is_err() {
            let shown = self.show(found.ty);
            let (wanted, name) = (self.show(ty), self.clef.overloads[index].shown);
            self.diagnostics.error(
                Diagnostic::error("E0141", format!("`{name}` cannot be used at this type"))
                    .at(span, format!("used as `{wanted}`"))
                    .note(format!("here it is `{shown}`")),
            );
        }
        Some(found)
    }

    /// The library's function for every other type, at the type of a mention, which may be a parameter of the
    /// function around it.
    fn generic_function(&self, index: usize, class: TypeId) -> Option<tast::Expr> {
        let Overload { operation, ty, span, .. } = self.clef.overloads[index];
        let value = self.operator_value(&format!("{}_generic", operation.word()))?;
        let ValueKind::Var(var) = value.kind else { return None };
        let kind = tast::ExprKind::Var { var, tyargs: vec![class] };
        Some(tast::Expr { kind, ty, span })
    }

    fn operator_value(&self, function: &str) -> Option<Value> {
        let function = Symbol::new(function);
        let always = ["Operators", "NativeOperators", "Seq", "MutableCollections", "Checked"];
        let always = always.into_iter();
        always.chain(OF_PARTS.iter().copied()).find_map(|module| {
            match self.clef.units.get(&Symbol::new(module)) {
                Some(Module::Structure(operators)) => operators.values.get(&function).cloned(),
                _ => None,
            }
        })
    }

    /// `t -> string` as `t -> unit -> string`: the type of `ToString`.
    fn applied_to_unit(&mut self, ty: TypeId) -> TypeId {
        let Type::Arrow(_, param, result) = *self.types.get(ty) else { return ty };
        let unit = self.builtins.unit;
        let inner = self.arrow(Label::None, unit, result);
        self.arrow(Label::None, param, inner)
    }

    /// `fun x -> f x ()`
    fn call_with_unit(&mut self, func: tast::Expr, ty: TypeId, span: Span) -> tast::Expr {
        let Type::Arrow(_, param, result) = *self.types.get(ty) else { return func };
        self.local_depth += 1;
        let var = self.new_var(Symbol::new("object"), param, span);
        self.local_depth -= 1;
        let unit = self.builtins.unit;
        let object =
            tast::Expr { kind: tast::ExprKind::Var { var, tyargs: Vec::new() }, ty: param, span };
        let nothing = tast::Expr { kind: tast::ExprKind::Unit, ty: unit, span };
        let kind = tast::ExprKind::Apply { func: Box::new(func), args: vec![object, nothing] };
        let body = Box::new(tast::Expr { kind, ty: result, span });
        let pattern = tast::Pattern { kind: tast::PatternKind::Var(var), ty: param, span };
        let params = vec![pattern.into()];
        let kind = tast::ExprKind::Lambda { params, body, inline: tast::InlineAttribute::Always };
        tast::Expr { kind, ty, span }
    }

    /// `a -> b -> c` as `a * b -> c`: the type of a method.
    fn applied_to_pair(&mut self, ty: TypeId) -> TypeId {
        let Type::Arrow(_, first, rest) = *self.types.get(ty) else { return ty };
        let Type::Arrow(_, second, result) = *self.types.get(rest) else { return ty };
        let pair = self.types.add(Type::Tuple(vec![first, second]));
        self.arrow(Label::None, pair, result)
    }

    /// `fun a b -> f (a, b)`
    fn call_with_pair(&mut self, func: tast::Expr, ty: TypeId, span: Span) -> tast::Expr {
        let Type::Arrow(_, first, rest) = *self.types.get(ty) else { return func };
        let Type::Arrow(_, second, result) = *self.types.get(rest) else { return func };
        self.local_depth += 1;
        let vars = [first, second].map(|it| (self.new_var(Symbol::new("part"), it, span), it));
        self.local_depth -= 1;
        let mention = |(var, ty)| {
            let kind = tast::ExprKind::Var { var, tyargs: Vec::new() };
            tast::Expr { kind, ty, span }
        };
        let pair = self.types.add(Type::Tuple(vec![first, second]));
        let kind = tast::ExprKind::Tuple(vars.map(mention).to_vec());
        let pair = tast::Expr { kind, ty: pair, span };
        let kind = tast::ExprKind::Apply { func: Box::new(func), args: vec![pair] };
        let body = Box::new(tast::Expr { kind, ty: result, span });
        let param =
            |(var, ty)| tast::Pattern { kind: tast::PatternKind::Var(var), ty, span }.into();
        let params = vars.map(param).to_vec();
        let kind = tast::ExprKind::Lambda { params, body, inline: tast::InlineAttribute::Always };
        tast::Expr { kind, ty, span }
    }

    /// A mention in a call that is wrong is not looked at again.
    pub(in super::super) fn forget_overloads(&mut self, since: usize) {
        self.forget_unit_rules(since);
        for overload in self.clef.overloads.iter_mut().skip(since) {
            let (ty, span) = (overload.ty, overload.span);
            let nothing = tast::Expr { kind: tast::ExprKind::Unit, ty, span };
            overload.meaning.get_or_insert(nothing);
        }
    }

    /// Does an operator wait for a type that has become a parameter of its function?
    pub(in super::super) fn waits_for_generic(&mut self, since: usize) -> bool {
        (since..self.clef.overloads.len()).any(|index| {
            let Overload { operation, class, ref meaning, .. } = self.clef.overloads[index];
            let open = meaning.is_none() && operation.generic().is_none();
            let class = self.types.expand(class);
            open && matches!(self.types.nodes[class], Type::Var { level: GENERIC, .. })
        })
    }

    /// Does the type have a part that no operator was found for?
    fn has_refused(&mut self, ty: TypeId) -> bool {
        let ty = self.types.expand(ty);
        if self.clef.refused.contains(ty) {
            return true;
        }
        match self.types.nodes[ty].clone() {
            Type::Var { .. } | Type::Link(_) | Type::Error | Type::Row(_) => false,
            Type::Arrow(_, param, result) => self.has_refused(param) || self.has_refused(result),
            Type::Tuple(items) | Type::Con(_, items) => {
                items.into_iter().any(|it| self.has_refused(it))
            }
        }
    }

    fn no_overload(&mut self, index: usize, class: TypeId) {
        // One report for one mistake: the operators of one computation share their type.
        if self.has_refused(class) {
            return;
        }
        let class = self.types.expand(class);
        self.clef.refused.insert(class);
        let Overload { operation, shown, place: span, .. } = self.clef.overloads[index];
        let shown = operation.operator().map_or(shown, Symbol::new);
        let ty = self.show(class);
        if let Some(wanted) = operation.format_wants() {
            self.diagnostics.error(
                Diagnostic::error("E0148", format!("this format takes {wanted}, but a `{ty}` is given"))
                    .at(span, format!("a conversion here takes {wanted}"))
                    .help("`%d` is for integers, `%f` for floats, `%s` for strings, `%b` for truth values, `%A` for any value"),
            );
            return;
        }
        let shown = match shown.as_str() {
            "~-" => Symbol::new("-"),
            "~+" => Symbol::new("+"),
            _ => shown,
        };
        // Names with `_` are the library's own.
        let what = if shown.as_str().contains('_') { "this".into() } else { format!("`{shown}`") };
        let mut report =
            Diagnostic::error("E0141", format!("{what} is not defined for the type `{ty}`"))
                .at(span, format!("used at type `{ty}`"));
        if matches!(self.types.get(class), Type::Tuple(_)) {
            report = report.help(
                "`,` makes a tuple: elements are separated by `;`, and arguments by spaces as in `f a b`",
            );
        } else if operation == Operation::Member {
            report =
                report.help("the function is inline and uses this member of its argument's type");
        } else if self.head_con(class).is_some_and(|it| self.types.tycons[it.0].span.is_some()) {
            report = report
                .help(format!("give the type a member: `static member ({shown}) (a, b) = …`"));
        } else if matches!(self.types.get(class), Type::Var { .. }) {
            report = report.help("mark the function `inline`, or annotate the operand's type");
        }
        self.diagnostics.error(report);
    }

    /// `a >-> b` where only types define the operator, as static members.
    pub(super) fn operator_of_type(
        &mut self,
        env: &super::super::env::Env,
        (func, text): (&crate::ast::Expr, Symbol),
        (left, right): (&crate::ast::Expr, &crate::ast::Expr),
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        let [left, right] = [left, right].map(|it| {
            let ty = self.fresh();
            self.expr(env, it, Expect::plain(ty))
        });
        match self.member_operator(text, &left, &right, env, func.span) {
            Some(call) => {
                let ok = self.expect(expect, call.ty, span);
                let ty = if ok { call.ty } else { self.builtins.error };
                tast::Expr { ty, span, ..call }
            }
            // It is not found.
            None => {
                self.infer_only(env, func);
                self.failed(span)
            }
        }
    }

    /// `a op b` where a type of the program has a member for the operator: the member's call.
    pub(in super::super) fn member_operator(
        &mut self,
        shown: Symbol,
        left: &tast::Expr,
        right: &tast::Expr,
        env: &super::super::env::Env,
        span: Span,
    ) -> Option<tast::Expr> {
        for operand in [left, right] {
            let Some((con, _)) = self.head_con(operand.ty) else { continue };
            let candidates = self.clef.members.get(&(con, shown)).cloned().unwrap_or_default();
            for info in &candidates {
                let value = info.value.clone().or_else(|| env.value(info.hidden).cloned())?;
                let func = self.value_expr(&value, span);
                let result = self.fresh();
                if !self.fits(func.ty, left.ty, right.ty) && candidates.len() > 1 {
                    continue;
                }
                let inner = self.arrow(Label::None, right.ty, result);
                let wanted = self.arrow(Label::None, left.ty, inner);
                if !self.expect(Expect::plain(wanted), func.ty, span) {
                    return Some(self.failed(span));
                }
                let args = vec![left.clone(), right.clone()];
                let kind = tast::ExprKind::Apply { func: Box::new(func), args };
                return Some(tast::Expr { kind, ty: result, span });
            }
        }
        None
    }

    /// Could a function of two operands take these? By the heads of their types only.
    fn fits(&mut self, func: TypeId, left: TypeId, right: TypeId) -> bool {
        let Type::Arrow(_, first, rest) = *self.types.get(func) else { return false };
        let Type::Arrow(_, second, _) = *self.types.get(rest) else { return false };
        [(first, left), (second, right)].into_iter().all(|(param, arg)| {
            match (self.head_con(param), self.head_con(arg)) {
                (Some((a, _)), Some((b, _))) => a == b,
                _ => true,
            }
        })
    }
}
