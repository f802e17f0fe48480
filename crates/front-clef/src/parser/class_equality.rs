//! `Equals`, `GetHashCode` and `IComparable` of classes that inherit or are inherited from (decision 244).
//!
//! ```text
//! type Root() = …                  a slot `Equals: Root -> bool`, if a class of the file overrides it, and
//!                                  member this.%equal (other: Root) = this.Equals other     what `=` means
//! type Heir() = inherit Root()     member this.Equals (other: Root) = this.%base.Equals other
//!     override this.Equals o = …   sets the slot; `o` is a `Root`
//! ```
//!
//! Whether some class overrides a member is asked of all files (`outline`); from which class all others inherit is
//! known to inference.

use oxbow_base::{Made, Mark};
use oxbow_elab::ast::{
    Attribute, Expr, ExprKind, Member, MemberKind, Name, Pattern, PatternKind, TypeExpr,
    TypeExprKind,
};

use super::class::{Class, Slot};
use super::class_code::{arrow, field, fun_with, hidden, member_of, named_type, slot_field};
use super::{Parser, make};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Equals,
    GetHashCode,
}

impl Operation {
    const ALL: [Operation; 2] = [Operation::Equals, Operation::GetHashCode];

    fn name(self) -> &'static str {
        match self {
            Self::Equals => "Equals",
            Self::GetHashCode => "GetHashCode",
        }
    }

    fn result(self) -> &'static str {
        match self {
            Self::Equals => "bool",
            Self::GetHashCode => "int",
        }
    }

    /// Its parameter as a pattern, and as what is given on.
    fn parameter(self, other: Name, root: &TypeExpr) -> (Pattern, Expr) {
        match self {
            Self::Equals => (typed(make::var(other), root), make::ident(other)),
            Self::GetHashCode => (make::unit_pattern(other.span), make::unit(other.span)),
        }
    }

    /// The type of its parameter.
    fn param(self, root: &TypeExpr) -> TypeExpr {
        match self {
            Self::Equals => root.clone(),
            Self::GetHashCode => named_type("unit", Vec::new(), root.span),
        }
    }
}

impl Parser<'_> {
    /// Adds the slots and members of a class that inherits or is inherited from.
    pub(super) fn equality_members(&mut self, class: &mut Class, inheritable: bool) {
        if class.base.is_none() && !inheritable {
            return;
        }
        let root = root_of(class);
        for operation in self.overridden() {
            match class.base.is_none() {
                true => self.root_member(class, operation, &root),
                false => {
                    for &at in &class.overriding {
                        if class.members[at].name.text.as_str() == operation.name() {
                            takes(&mut class.members[at], &operation.param(&root));
                        }
                    }
                    let name = make::name(operation.name(), class.name().span);
                    self.inherited_member(class, (name, operation), &root);
                    self.inherited_member(class, (asked(name), operation), &root);
                }
            }
            self.says_what_is_meant(class, operation, &root);
        }
        if class.base.is_some() && !class.interfaces.iter().any(|it| self.is_comparable(&it.ty)) {
            self.inherited_order(class);
        }
    }

    /// `fun (other: Root) -> this.Equals other`, if heirs may say what that is.
    pub(super) fn equality_of_object(
        &mut self,
        class: &Class,
        inheritable: bool,
        this: Name,
    ) -> Option<Expr> {
        let span = class.name().span;
        let in_family = inheritable || class.base.is_some();
        if !in_family || !self.overridden().contains(&Operation::Equals) {
            return None;
        }
        let root = root_of(class);
        let other = self.fresh_name("other", span);
        let name = asked(make::name(Operation::Equals.name(), span));
        let body = make::apply(field(make::ident(this), name), vec![make::ident(other)], span);
        Some(make::fun(vec![typed(make::var(other), &root)], body, span))
    }

    /// What classes of the program override.
    fn overridden(&self) -> Vec<Operation> {
        Operation::ALL.into_iter().filter(|it| self.outline.overrides(it.name())).collect()
    }

    /// The operation at the class from which all inherit, which heirs may override.
    fn root_member(&mut self, class: &mut Class, operation: Operation, root: &TypeExpr) {
        let span = class.name().span;
        let name = make::name(operation.name(), span);
        let result = || named_type(operation.result(), Vec::new(), span);
        let own = class.overriding.iter().copied();
        match own.into_iter().find(|&at| class.members[at].name.text == name.text) {
            Some(at) => takes(&mut class.members[at], &operation.param(root)),
            None => {
                let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
                let number = |it| field(make::ident(it), make::made(Made::Number, span));
                let (param, body) = match operation {
                    Operation::Equals => {
                        let same = make::library("same_identity", span);
                        let body = make::apply(same, vec![number(this), number(other)], span);
                        (typed(make::var(other), root), body)
                    }
                    Operation::GetHashCode => (make::unit_pattern(span), number(this)),
                };
                let value = fun_with(vec![make::var(this), param], Some(result()), body, span);
                class.overriding.push(class.members.len());
                class.members.push(member_of(name, MemberKind::Method, value));
            }
        }
        // Others may have the name, too; what `=` asks for is what the slot holds.
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let place = field(make::ident(this), slot_field(name));
        let (param, arg) = operation.parameter(other, root);
        let call = make::apply(place, vec![make::ident(this), arg], span);
        let value = fun_with(vec![make::var(this), param], Some(result()), call, span);
        class.members.push(member_of(asked(name), MemberKind::Method, value));
        class.slots.push(Slot { name, ty: arrow(operation.param(root), result()), set: false });
    }

    /// `member this.Equals (other: Root) = this.%base.Equals other`
    fn inherited_member(
        &mut self,
        class: &mut Class,
        (name, operation): (Name, Operation),
        root: &TypeExpr,
    ) {
        let span = class.name().span;
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let (param, arg) = operation.parameter(other, root);
        let inherited = field(make::ident(this), make::made(Made::Base, span));
        let call = make::apply(field(inherited, name), vec![arg], span);
        let result = named_type(operation.result(), Vec::new(), span);
        let value = fun_with(vec![make::var(this), param], Some(result), call, span);
        class.members.push(member_of(name, MemberKind::Method, value));
    }

    /// What `=` and `hash` do with values of the class: they ask the object.
    fn says_what_is_meant(&mut self, class: &mut Class, operation: Operation, root: &TypeExpr) {
        let span = class.name().span;
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let asked = field(make::ident(this), asked(make::name(operation.name(), span)));
        let (param, arg, marked) = match operation {
            Operation::Equals => {
                let seen = ExprKind::Coerce(Box::new(make::ident(other)), None, root.clone());
                let seen = make::expr(seen, span);
                (typed(make::var(other), &class.ty()), seen, ("equal", Mark::Equality))
            }
            Operation::GetHashCode => {
                (make::unit_pattern(span), make::unit(span), ("hash", Mark::Hash))
            }
        };
        let body = make::apply(asked, vec![arg], span);
        self.marked(class, marked, fun_with(vec![make::var(this), param], None, body, span));
    }

    /// `member this.%compare (other: Heir) = this.%base.%compare other.%base`, which is left out where the class that
    /// is inherited has no order.
    fn inherited_order(&mut self, class: &mut Class) {
        let span = class.name().span;
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let base = |it| field(make::ident(it), make::made(Made::Base, span));
        let compare = make::made(Made::local("compare"), span);
        let body = make::apply(field(base(this), compare), vec![base(other)], span);
        let param = typed(make::var(other), &class.ty());
        let value = fun_with(vec![make::var(this), param], None, body, span);
        self.marked(class, ("compare", Mark::InheritedOrder), value);
    }
}

/// `override this.Equals(other) = …` and `GetHashCode` are what `=` and `hash` do at the type. Where F# says `obj`,
/// `other` is a value of the type: nothing else is compared with one.
pub fn own_overrides(class: &mut Class) {
    let ty = class.ty();
    for at in class.overriding.clone() {
        let member = &mut class.members[at];
        gives_what_objects_give(member);
        match member.name.text.as_str() {
            "Equals" => compares(member, Mark::Equality, &ty),
            "GetHashCode" => {
                let span = member.name.span;
                member.binding.attributes.push(Attribute::mark(Mark::Hash, span));
            }
            _ => (),
        }
    }
}

/// `ToString`, `Equals` and `GetHashCode` give what those of .NET's objects give.
pub fn gives_what_objects_give(member: &mut Member) {
    let ty = match member.name.text.as_str() {
        "ToString" => "string",
        "Equals" => "bool",
        "GetHashCode" => "int",
        _ => return,
    };
    let ExprKind::Fun(params, _, body) = &mut member.binding.value.kind else { return };
    // Others are reported.
    if params.len() != 2 {
        return;
    }
    let span = body.span;
    let inner = std::mem::replace(body.as_mut(), make::unit(span));
    let ty = named_type(ty, Vec::new(), span);
    **body = make::expr(ExprKind::Annotate(Box::new(inner), ty), span);
}

/// The member takes a value of its type, and stands for an operation on such values.
pub fn compares(member: &mut Member, mark: Mark, ty: &TypeExpr) {
    let span = member.name.span;
    member.binding.attributes.push(Attribute::mark(mark, span));
    takes(member, ty);
}

/// The parameter behind the object has this type, whatever the program says of it.
pub fn takes(member: &mut Member, ty: &TypeExpr) {
    let ExprKind::Fun(params, _, _) = &mut member.binding.value.kind else { return };
    let [_, other] = params.as_mut_slice() else { return };
    let (at, named) = (other.pattern.span, other.pattern.clone());
    let inner = match named.kind {
        PatternKind::Annotate(inner, _) => inner,
        _ => Box::new(named),
    };
    other.pattern = make::pattern(PatternKind::Annotate(inner, ty.clone()), at);
}

/// The class from which all of the family inherit.
fn root_of(class: &Class) -> TypeExpr {
    match &class.base {
        None => class.ty(),
        Some(base) => {
            let span = base.ty.span;
            TypeExpr { kind: TypeExprKind::RootClass(Box::new(base.ty.clone())), span }
        }
    }
}

/// The member that calls what the slot of this name holds.
fn asked(name: Name) -> Name {
    hidden("asked", name)
}

fn typed(pattern: Pattern, ty: &TypeExpr) -> Pattern {
    let span = pattern.span;
    make::pattern(PatternKind::Annotate(Box::new(pattern), ty.clone()), span)
}
