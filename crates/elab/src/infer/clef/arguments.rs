//! Named and optional arguments of methods.
//!
//! ```text
//! member _.Draw(x: int, ?color: string) = …
//! pen.Draw(1)                     pen.Draw(1, None)
//! pen.Draw(color = "red", x = 1)  pen.Draw(1, Some "red")
//! pen.Draw(1, ?color = c)         pen.Draw(1, c)
//! max.Of(1, 2, 3)                 max.Of([| 1; 2; 3 |])       of [<ParamArray>] xs
//! Pen(1, Width = 2)               let p = Pen(1) in p.Width <- 2; p
//! ```

use oxbow_base::{Made, Mark, Span, Symbol};

use oxbow_diag::Diagnostic;

use crate::ast::{self, ArgLabel, Expr, ExprKind};
use crate::types::TyConId;

use super::super::env::Env;
use super::super::{Expect, Infer};
use super::flow::bound;
use super::member::MemberInfo;
use super::{construct, node};

/// A parameter of a method.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub name: Option<Symbol>,
    pub kind: ParameterKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Needed,
    /// `?x`: it may be left out.
    Optional,
    /// `[<ParamArray>] xs`: an array, or the arguments that are left.
    Rest,
}

/// The parameters of the method that a call was found to mean.
#[derive(Clone, Debug)]
pub struct Chosen {
    place: Span,
    names: Vec<Parameter>,
    /// It makes objects of a class that has none of its own.
    abstract_class: bool,
}

impl Infer<'_> {
    pub(super) fn note_chosen(&mut self, info: &MemberInfo, place: Option<Span>) {
        if let Some(place) = place {
            let (names, abstract_class) = (info.names.clone(), info.abstract_class);
            self.clef.chosen = Some(Chosen { place, names, abstract_class });
        }
    }

    /// The arguments of a call in the order of the parameters, if they are not so already.
    pub(super) fn arranged(
        &mut self,
        env: &Env,
        func: &Expr,
        args: &[(ArgLabel, Expr)],
    ) -> Option<Vec<(ArgLabel, Expr)>> {
        let (ExprKind::Field(_, path) | ExprKind::Ident(path)) = &func.kind else { return None };
        let Chosen { names, abstract_class, .. } =
            self.clef.chosen.take().filter(|it| it.place == path.name.span)?;
        let inherits = |it: &ast::Attribute| it.is(Mark::Inherits) || it.is(Mark::Defines);
        if abstract_class && !func.attributes.iter().any(inherits) {
            self.abstract_object(path.name);
        }
        self.check_object_expression(env, func, path.name);
        let [(label, arg), rest @ ..] = args else { return None };
        let items: Vec<&Expr> = match &arg.kind {
            ExprKind::Tuple(items) => items.iter().collect(),
            ExprKind::Construct(path, None) if path.name.text.as_str() == "()" => Vec::new(),
            _ => vec![arg],
        };
        let rest_of_items = self.rest_of_items(env, &names, &items, arg.span);
        let items: Vec<&Expr> = match &rest_of_items {
            Some((kept, array)) => items[..*kept].iter().copied().chain([array]).collect(),
            None => items,
        };
        let given: Vec<Option<(Symbol, &Expr)>> = items.iter().map(|it| named(it)).collect();
        let is_param = |name: Symbol| names.iter().any(|it| it.name == Some(plain(name)));
        let any_named = given.iter().flatten().any(|it| is_param(it.0));
        let any_optional = names.iter().any(|it| it.kind == ParameterKind::Optional);
        let as_written = !any_named && !any_optional && rest_of_items.is_none();
        if as_written || items.len() > names.len() {
            return None;
        }
        let mut slots: Vec<Option<Expr>> = names.iter().map(|_| None).collect();
        let mut next = 0;
        for (item, named) in items.iter().zip(given) {
            let mut is_option = false;
            let (at, value) = match named.filter(|it| is_param(it.0)) {
                Some((name, value)) => {
                    is_option = plain(name) != name;
                    (names.iter().position(|it| it.name == Some(plain(name)))?, value)
                }
                None => {
                    next += 1;
                    (next - 1, *item)
                }
            };
            let value = value.clone();
            let span = value.span;
            slots[at] = Some(match names[at].kind == ParameterKind::Optional && !is_option {
                true => construct("Some", Some(value), span),
                false => value,
            });
        }
        let mut parts = Vec::new();
        for (slot, param) in slots.into_iter().zip(&names) {
            match slot {
                Some(value) => parts.push(value),
                None if param.kind == ParameterKind::Optional => {
                    parts.push(construct("None", None, arg.span))
                }
                None => return None,
            }
        }
        let whole = match parts.len() {
            0 => construct("()", None, arg.span),
            1 => parts.remove(0),
            _ => node(ExprKind::Tuple(parts), arg.span),
        };
        let first = (*label, whole);
        Some(std::iter::once(first).chain(rest.iter().cloned()).collect())
    }

    /// How many arguments stay as they are, and the array of those behind them.
    fn rest_of_items(
        &mut self,
        env: &Env,
        names: &[Parameter],
        items: &[&Expr],
        whole: Span,
    ) -> Option<(usize, Expr)> {
        let kept = names.len().checked_sub(1)?;
        if names[kept].kind != ParameterKind::Rest || items.len() < kept {
            return None;
        }
        if let [one] = items[kept..]
            && self.is_array(env, one)
        {
            return None;
        }
        let span = match (items.get(kept), items.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => whole,
        };
        let array = items[kept..].iter().map(|&it| it.clone()).collect();
        Some((kept, node(ExprKind::Array(array), span)))
    }

    /// Is an argument an array? Its type is found out on trial.
    fn is_array(&mut self, env: &Env, arg: &Expr) -> bool {
        let trial = self.begin_trial();
        let ty = self.fresh();
        let typed = self.expr(env, arg, Expect::plain(ty));
        let is_array = self.head_con(typed.ty).is_some_and(|it| it.0 == self.builtins.array);
        self.forget_trial(trial);
        is_array
    }

    /// `C(1, X = 2)` where `X` is a property of `C` that can be set: the object is made, and then changed.
    pub(super) fn with_settings(
        &mut self,
        env: &Env,
        func: &Expr,
        args: &[(ArgLabel, Expr)],
        span: Span,
    ) -> Option<Expr> {
        let named_type = match &func.kind {
            ExprKind::TypeApply(inner, _) => inner,
            _ => func,
        };
        let [(label, arg)] = args else { return None };
        let items = match &arg.kind {
            ExprKind::Tuple(items) => items.as_slice(),
            _ => std::slice::from_ref(arg),
        };
        if !items.iter().any(|it| named(it).is_some()) {
            return None;
        }
        let tycon = self.constructed(env, named_type)?;
        let con = self.types.declaration(tycon);
        let makers = self.clef.members.get(&(con, Made::Constructor.symbol()))?.clone();
        let is_param =
            |name| makers.iter().any(|it| it.names.iter().any(|it| it.name == Some(plain(name))));
        let (mut kept, mut settings) = (Vec::new(), Vec::new());
        for item in items {
            match named(item).filter(|it| !is_param(it.0) && self.has_setter(con, it.0)) {
                Some((name, value)) => {
                    settings.push((ast::Name { text: name, span: item.span }, value.clone()));
                }
                None => kept.push(item.clone()),
            }
        }
        if settings.is_empty() {
            return None;
        }
        let kept = match kept.len() {
            0 => construct("()", None, arg.span),
            1 => kept.remove(0),
            _ => node(ExprKind::Tuple(kept), arg.span),
        };
        let call = node(ExprKind::Apply(Box::new(func.clone()), vec![(*label, kept)]), span);
        self.clef.typed_names += 1;
        let made = super::made(Made::Typed(Symbol::new("made"), self.clef.typed_names), span);
        let mut steps: Vec<Expr> = settings
            .into_iter()
            .map(|(name, value)| {
                let object = Box::new(super::ident(made));
                let at = name.span;
                node(ExprKind::SetField(object, ast::Path::plain(name), Box::new(value)), at)
            })
            .collect();
        steps.push(super::ident(made));
        Some(bound(made, call, node(ExprKind::Sequence(steps), span), span))
    }

    fn has_setter(&self, con: TyConId, name: Symbol) -> bool {
        let setter = Made::Setter(name).symbol();
        let mut class = Some(con);
        while let Some(con) = class {
            if self.clef.members.contains_key(&(con, setter)) {
                return true;
            }
            class = self.base_of(con);
        }
        false
    }

    fn abstract_object(&mut self, name: ast::Name) {
        self.diagnostics.error(
            Diagnostic::error("E0188", format!("`{}` is an abstract class", name.text))
                .at(name.span, "no object can be made of it")
                .help("make an object of a class that inherits from it"),
        );
    }
}

/// The name of a parameter without the `?` that passes an option.
pub(super) fn plain(name: Symbol) -> Symbol {
    name.as_str().strip_prefix('?').map_or(name, Symbol::new)
}

/// `name = e`
pub(super) fn named(item: &Expr) -> Option<(Symbol, &Expr)> {
    let ExprKind::Apply(func, args) = &item.kind else { return None };
    let (ExprKind::Ident(op), [(_, left), (_, right)]) = (&func.kind, args.as_slice()) else {
        return None;
    };
    let ExprKind::Ident(ast::Path { prefix: None, name }) = &left.kind else { return None };
    (op.name.text.as_str() == "=").then_some((name.text, right))
}
