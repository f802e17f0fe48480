//! `Equals`, `GetHashCode` and `IComparable` of classes that inherit or are inherited from (decision 244).
//!
//! ```text
//! type Root() = …                  a slot `Equals: Root -> bool`, if a class of the file overrides it, and
//!                                  member this.%equal (other: Root) = this.Equals other     what `=` means
//! type Heir() = inherit Root()     member this.Equals (other: Root) = this.%base.Equals other
//!     override this.Equals o = …   sets the slot; `o` is a `Root`
//! ```
//!
//! Needs: the class from which all others inherit stands in the same file. Others are refused.

use oxbow_base::{Made, Mark, Symbol};
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::{
    Attribute, Expr, ExprKind, Member, MemberKind, Name, Pattern, PatternKind, TypeExpr,
    TypeExprKind,
};

use super::class::{Class, Slot};
use super::class_code::{arrow, field, fun_with, member_of, named_type};
use super::{Parser, Tok, make};

/// What heirs of a class have to know of it.
pub struct Family {
    name: Symbol,
    /// The class from which all inherit.
    root: TypeExpr,
    is_root: bool,
    /// The operations that heirs may define.
    slots: Vec<Operation>,
    /// Does it say what `compare` means?
    ordered: bool,
    /// The interfaces that it and those before it implement.
    interfaces: Vec<Symbol>,
}

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
        let own_order = class.interfaces.iter().any(|it| self.is_comparable(&it.ty));
        let name = class.name().text;
        let interfaces = self.interfaces_of_family(class);
        if class.base.is_none() {
            if !inheritable {
                return;
            }
            let overridden = |it: &Operation| self.overrides_in_file(it.name());
            let slots: Vec<Operation> = Operation::ALL.into_iter().filter(overridden).collect();
            let root = class.ty();
            for &operation in &slots {
                self.root_member(class, operation, &root);
                self.says_what_is_meant(class, operation, &root);
            }
            self.heirs.push(Family {
                name,
                root,
                is_root: true,
                slots,
                ordered: own_order,
                interfaces,
            });
            return;
        }
        let Some((root, slots, ordered)) = self.family_of_base(class) else {
            self.refuse_equality(class, &[]);
            return;
        };
        self.refuse_equality(class, &slots);
        for &operation in &slots {
            for &at in &class.overriding {
                if class.members[at].name.text.as_str() == operation.name() {
                    takes(&mut class.members[at], &operation.param(&root));
                }
            }
            self.inherited_member(class, operation, &root);
            self.says_what_is_meant(class, operation, &root);
        }
        if ordered && !own_order {
            self.inherited_order(class);
        }
        let ordered = ordered || own_order;
        self.heirs.push(Family { name, root, is_root: false, slots, ordered, interfaces });
    }

    /// Those of the class and of the classes that it inherits from. One of both is refused: what the object is seen as
    /// would be that of the base.
    fn interfaces_of_family(&mut self, class: &Class) -> Vec<Symbol> {
        let base = class.base.as_ref().and_then(|it| head_of(&it.ty));
        let family = self.heirs.iter().rev().find(|it| Some(it.name) == base);
        let mut all = family.map_or(Vec::new(), |it| it.interfaces.clone());
        let inherited = all.len();
        for implemented in &class.interfaces {
            let Some(name) = head_of(&implemented.ty) else { continue };
            if all[..inherited].contains(&name) && !self.is_comparable(&implemented.ty) {
                let what = "an interface that the class implements from which this one inherits";
                self.report(Diagnostic::not_supported(implemented.ty.span, what).help(
                    "let the member of the interface call an abstract member, and override that",
                ));
            }
            all.push(name);
        }
        all
    }

    /// Does it inherit from a class that says what `compare` means?
    pub(super) fn is_ordered_by_base(&self, class: &Class) -> bool {
        self.family_of_base(class).is_some_and(|it| it.2)
    }

    /// `fun (other: Root) -> this.Equals other`, if heirs may say what that is.
    pub(super) fn equality_of_object(&mut self, class: &Class, this: Name) -> Option<Expr> {
        let span = class.name().span;
        let family = self.heirs.iter().rev().find(|it| it.name == class.name().text)?;
        if !family.slots.contains(&Operation::Equals) {
            return None;
        }
        let root = family.root.clone();
        let other = self.fresh_name("other", span);
        let asked = field(make::ident(this), make::name(Operation::Equals.name(), span));
        let body = make::apply(asked, vec![make::ident(other)], span);
        Some(make::fun(vec![typed(make::var(other), &root)], body, span))
    }

    fn family_of_base(&self, class: &Class) -> Option<(TypeExpr, Vec<Operation>, bool)> {
        let base = &class.base.as_ref()?.ty;
        let TypeExprKind::Constr(path, _) = &base.kind else { return None };
        let family = self.heirs.iter().rev().find(|it| it.name == path.name.text)?;
        let root = if family.is_root { base.clone() } else { family.root.clone() };
        Some((root, family.slots.clone(), family.ordered))
    }

    /// Is there an `override this.name` in this file?
    fn overrides_in_file(&self, name: &str) -> bool {
        self.tokens.windows(4).any(|it| {
            matches!(it[0].tok, Tok::Key("override" | "default"))
                && it[2].tok == Tok::Key(".")
                && matches!(&it[3].tok, Tok::Ident(text) if text.as_str() == name)
        })
    }

    fn refuse_equality(&mut self, class: &Class, slots: &[Operation]) {
        for member in class.overriding.iter().map(|&at| &class.members[at]) {
            let text = member.name.text;
            let meant = Operation::ALL.into_iter().find(|it| it.name() == text.as_str());
            if meant.is_some_and(|it| !slots.contains(&it)) {
                let what =
                    format!("an own `{text}` of a class that inherits from one of another file");
                self.report(Diagnostic::not_supported(member.name.span, &what));
            }
        }
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
        class.slots.push(Slot { name, ty: arrow(operation.param(root), result()), set: false });
    }

    /// `member this.Equals (other: Root) = this.%base.Equals other`
    fn inherited_member(&mut self, class: &mut Class, operation: Operation, root: &TypeExpr) {
        let span = class.name().span;
        let name = make::name(operation.name(), span);
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let (param, arg) = match operation {
            Operation::Equals => (typed(make::var(other), root), make::ident(other)),
            Operation::GetHashCode => (make::unit_pattern(span), make::unit(span)),
        };
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
        let asked = field(make::ident(this), make::name(operation.name(), span));
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

    /// `member this.%compare (other: Heir) = this.%base.%compare other.%base`
    fn inherited_order(&mut self, class: &mut Class) {
        let span = class.name().span;
        let (this, other) = (self.fresh_name("this", span), self.fresh_name("other", span));
        let base = |it| field(make::ident(it), make::made(Made::Base, span));
        let compare = make::made(Made::local("compare"), span);
        let body = make::apply(field(base(this), compare), vec![base(other)], span);
        let param = typed(make::var(other), &class.ty());
        let value = fun_with(vec![make::var(this), param], None, body, span);
        self.marked(class, ("compare", Mark::Order), value);
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

fn head_of(ty: &TypeExpr) -> Option<Symbol> {
    let TypeExprKind::Constr(path, _) = &ty.kind else { return None };
    Some(path.name.text)
}

fn typed(pattern: Pattern, ty: &TypeExpr) -> Pattern {
    let span = pattern.span;
    make::pattern(PatternKind::Annotate(Box::new(pattern), ty.clone()), span)
}
