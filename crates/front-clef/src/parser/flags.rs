//! Enumerations whose values are sets of bits (decision 270).
//!
//! ```text
//! [<Flags>]                      type Perm = { %bits.Perm: int }
//! type Perm = Read = 1 | …       static member Read = { %bits.Perm = 1 }
//! a ||| b                        a static member `|||`, like the other operators
//! match p with Perm.Read -> …    the pattern { %bits.Perm = 1 }
//! ```

use oxbow_base::{Made, Span, Symbol};
use oxbow_elab::ast::{
    Constant, Expr, ExprKind, FieldRole, MemberKind, ModulePath, Name, Path, Pattern, PatternKind,
    TypeDeclKind,
};
use oxbow_psg::IntWidth;

use super::class::Class;
use super::class_code::{
    field, field_decl, fun_with, hidden, int_type, member_of, named_type, record,
};
use super::{Parser, make};

/// An enumeration of flags that has been declared.
pub struct Flags {
    owner: Name,
    cases: Vec<(Name, i64)>,
}

fn number(value: i64) -> Constant {
    Constant::Sized(IntWidth::I32, value)
}

fn bits_of(owner: Name) -> Name {
    hidden("bits", owner)
}

impl Parser<'_> {
    /// The record of such an enumeration, and its members.
    pub(super) fn flags(&mut self, class: &mut Class, cases: Vec<(Name, i64)>) -> TypeDeclKind {
        let owner = class.name();
        let span = owner.span;
        let bits = bits_of(owner);
        let made = |bits_are: Expr| record(vec![(bits, bits_are)], class.ty(), span);
        let [a, b] = ["a", "b"].map(|it| self.fresh_name(it, span));
        let part = |it: Name| field(make::ident(it), bits);
        let typed = |it: Name| {
            make::pattern(PatternKind::Annotate(Box::new(make::var(it)), class.ty()), span)
        };
        let mut members = Vec::new();
        for &(name, value) in &cases {
            let value = made(make::expr(ExprKind::Constant(number(value)), span));
            let value = fun_with(vec![make::unit_pattern(span)], None, value, name.span);
            members.push(member_of(name, MemberKind::StaticProperty, value));
        }
        for operator in ["|||", "&&&", "^^^"] {
            let value = made(make::binary(operator, span, part(a), part(b)));
            let value = fun_with(vec![typed(a), typed(b)], None, value, span);
            members.push(member_of(make::name(operator, span), MemberKind::StaticMethod, value));
        }
        let all = make::apply(make::named("~~~", span), vec![part(a)], span);
        let all = fun_with(vec![typed(a)], None, made(all), span);
        members.push(member_of(make::name("~~~", span), MemberKind::StaticMethod, all));
        for conversion in ["int", "int32"] {
            let value = fun_with(vec![typed(a)], Some(int_type(span)), part(a), span);
            members.push(member_of(make::name(conversion, span), MemberKind::StaticMethod, value));
        }
        let of_number = fun_with(vec![make::var(a)], None, made(make::ident(a)), span);
        let name = make::made(Made::local("enum"), span);
        members.push(member_of(name, MemberKind::StaticMethod, of_number));
        let has = make::binary("=", span, make::binary("&&&", span, part(a), part(b)), part(b));
        let has = fun_with(vec![make::var(a), typed(b)], None, has, span);
        members.push(member_of(make::name("HasFlag", span), MemberKind::Method, has));
        members.push(self.flags_text(&cases, (a, part(a)), span));
        class.explicit = true;
        class.overriding.push(class.members.len() + members.len() - 1);
        class.members.extend(members);
        self.flags.push(Flags { owner, cases });
        TypeDeclKind::Record(vec![field_decl(bits, int_type(span), FieldRole::Plain)])
    }

    /// `Read, Write`: the names of the bits.
    fn flags_text(
        &mut self,
        cases: &[(Name, i64)],
        (this, bits): (Name, Expr),
        span: Span,
    ) -> oxbow_elab::ast::Member {
        let case = |&(name, value): &(Name, i64)| {
            let name = make::string(name.text.as_str().as_bytes().to_vec(), span);
            let value = make::expr(ExprKind::Constant(number(value)), span);
            make::expr(ExprKind::Tuple(vec![name, value]), span)
        };
        let cases = make::expr(ExprKind::List(cases.iter().map(case).collect()), span);
        let text = make::apply(make::library("flags_text", span), vec![bits, cases], span);
        let params = vec![make::var(this), make::unit_pattern(span)];
        let string = named_type("string", Vec::new(), span);
        let value = fun_with(params, Some(string), text, span);
        member_of(make::name("ToString", span), MemberKind::Method, value)
    }

    /// `Perm.Read` as a pattern.
    pub(super) fn flag_pattern(&self, path: &Path) -> Option<Pattern> {
        let owner = match path.prefix.as_deref()? {
            ModulePath::Name(name) | ModulePath::Dot(_, name) => name.text,
            _ => return None,
        };
        let flags = self.flags.iter().rfind(|it| it.owner.text == owner)?;
        let is_case = |it: &&(Name, i64)| it.0.text == path.name.text;
        let value = flags.cases.iter().find(is_case)?.1;
        let span = path.span();
        let value = make::pattern(PatternKind::Constant(number(value)), span);
        let fields = vec![(Path::plain(bits_of(flags.owner)), value)];
        Some(make::pattern(PatternKind::Record { fields, open_row: false }, span))
    }

    /// Another type of this name is not meant any more.
    pub(super) fn forget_flags(&mut self, name: Symbol) {
        self.flags.retain(|it| it.owner.text != name);
    }
}
