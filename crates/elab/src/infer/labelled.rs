//! Tuples whose parts have labels.
//!
//! ```text
//! x:int * y:int           ('a, 'b) "x:_ * y:_"  at  int, int        one type constructor for each list of labels
//! ~x:1, ~y:2              { x = 1; y = 2 }
//! let ~y, .. = p          the parts in any order, as the type of `p` says
//! ```
//!
//! For all stages behind inference such a tuple is a record; nothing can name its fields.

use oxbow_base::{Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, Name};
use crate::tast;
use crate::types::{FieldInfo, GENERIC, TyCon, TyConId, TyConKind, Type, TypeId};

use super::env::Env;
use super::pattern::Bound;
use super::typexpr::Vars;
use super::{Expect, Infer};

type Labels = Vec<Option<Symbol>>;

impl Infer<'_> {
    /// `x:t * u`
    pub(super) fn labelled_type(
        &mut self,
        env: &Env,
        items: &[(Option<Name>, ast::TypeExpr)],
        span: Span,
        vars: Vars,
    ) -> TypeId {
        let types: Vec<TypeId> = items.iter().map(|it| self.type_expr(env, &it.1, vars)).collect();
        if !self.check_labels(items.iter().filter_map(|it| it.0)) {
            return self.builtins.error;
        }
        let tycon = self.labelled_tycon(labels_of(items), span);
        self.types.add(Type::Con(tycon, types))
    }

    /// `~x:e, e`
    pub(super) fn labelled_expr(
        &mut self,
        env: &Env,
        items: &[(Option<Name>, ast::Expr)],
        span: Span,
        expect: Expect,
    ) -> tast::Expr {
        if let [(label, _)] = items {
            let reported = self.lone_label(label.map_or(span, |it| it.span));
            return self.error_expr(reported, span);
        }
        let labels = labels_of(items);
        let expected = self.types.expand(expect.ty);
        let types: Vec<TypeId> = match &self.types.nodes[expected] {
            Type::Con(con, types) if self.types.tycons[*con].labels.as_ref() == Some(&labels) => {
                types.clone()
            }
            _ => items.iter().map(|_| self.fresh()).collect(),
        };
        let parts = items.iter().zip(&types);
        let fields =
            parts.map(|((_, it), &ty)| self.expr(env, it, Expect::plain(ty))).collect::<Vec<_>>();
        if !self.check_labels(items.iter().filter_map(|it| it.0)) {
            return self.failed(span);
        }
        let tycon = self.labelled_tycon(labels, span);
        let ty = self.types.add(Type::Con(tycon, types));
        self.node(tast::ExprKind::Record { tycon, fields }, ty, span, expect)
    }

    /// `~x, ~y:p, ..`
    pub(super) fn labelled_pattern(
        &mut self,
        env: &Env,
        (items, open): (&[(Option<Name>, ast::Pattern)], bool),
        span: Span,
        (expect, bound): (Expect, &mut Bound),
    ) -> tast::Pattern {
        if items.len() + usize::from(open) < 2 {
            let place = items.first().and_then(|it| it.0).map_or(span, |it| it.span);
            let reported = self.lone_label(place);
            return tast::Pattern {
                kind: tast::PatternKind::Error(reported),
                ty: self.builtins.error,
                span,
            };
        }
        let mut wrong = !self.check_labels(items.iter().filter_map(|it| it.0));
        let expected = self.types.expand(expect.ty);
        let known = match &self.types.nodes[expected] {
            Type::Con(con, types) => {
                self.types.tycons[*con].labels.clone().map(|it| (*con, it, types.clone()))
            }
            Type::Tuple(types) if open => {
                // Without labels: the first parts.
                let labels: Labels = types.iter().map(|_| None).collect();
                wrong |= items.iter().any(|it| it.0.is_some());
                let (types, count) = (types.clone(), items.len());
                if !wrong && count <= types.len() {
                    return self.first_parts(env, items, types, span, bound);
                }
                Some((self.labelled_tycon(labels.clone(), span), labels, types))
            }
            _ => None,
        };
        let (tycon, labels, types) = match known {
            Some(known) => known,
            None if open => {
                let reported = self.diagnostics.error(
                    Diagnostic::error("E0177", "it is not known which tuple this pattern is for")
                        .at(span, "`..` leaves out parts of a tuple of unknown type")
                        .help("annotate it with the type of the tuple"),
                );
                for (_, item) in items {
                    self.pattern(env, item, Expect::plain(self.builtins.error), bound);
                }
                let kind = tast::PatternKind::Error(reported);
                return tast::Pattern { kind, ty: self.builtins.error, span };
            }
            None => {
                let labels = labels_of(items);
                let types: Vec<TypeId> = items.iter().map(|_| self.fresh()).collect();
                (self.labelled_tycon(labels.clone(), span), labels, types)
            }
        };
        let places = (!wrong).then(|| places_of(items, &labels, open)).flatten();
        let Some(places) = places else {
            // The pattern's own type says what is wrong with it.
            let own = self.labelled_tycon(labels_of(items), span);
            let types: Vec<TypeId> = items.iter().map(|_| self.fresh()).collect();
            let ty = self.types.add(Type::Con(own, types.clone()));
            if !wrong && !open {
                self.expect(expect, ty, span);
            } else if !wrong {
                let shown = self.show(expect.ty);
                self.diagnostics.error(
                    Diagnostic::error("E0113", format!("expected `{shown}`, found another tuple"))
                        .at(span, "a label here is none of that tuple"),
                );
            }
            for ((_, item), ty) in items.iter().zip(types) {
                self.pattern(env, item, Expect::plain(ty), bound);
            }
            return self.error_pattern(span);
        };
        let ty = self.types.add(Type::Con(tycon, types.clone()));
        self.expect(expect, ty, span);
        let fields = items.iter().zip(places).map(|((_, item), place)| {
            let pattern = self.pattern(env, item, Expect::plain(types[place]), bound);
            (place as u32, pattern)
        });
        let fields = fields.collect();
        tast::Pattern { kind: tast::PatternKind::Record { tycon, fields }, ty, span }
    }

    /// `p, q, ..` for a tuple without labels.
    fn first_parts(
        &mut self,
        env: &Env,
        items: &[(Option<Name>, ast::Pattern)],
        types: Vec<TypeId>,
        span: Span,
        bound: &mut Bound,
    ) -> tast::Pattern {
        let mut parts = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            parts.push(match items.get(index) {
                Some((_, item)) => self.pattern(env, item, Expect::plain(ty), bound),
                None => tast::Pattern { kind: tast::PatternKind::Any, ty, span },
            });
        }
        let ty = self.types.add(Type::Tuple(types));
        tast::Pattern { kind: tast::PatternKind::Tuple(parts), ty, span }
    }

    /// The type constructor of tuples with these labels.
    fn labelled_tycon(&mut self, labels: Labels, span: Span) -> TyConId {
        let known = self.signatures.labelled.iter().find(|it| it.0 == labels);
        if let Some(known) = known {
            return known.1;
        }
        let names = labels.iter().enumerate().map(|(index, label)| {
            let name = label.map_or_else(|| format!("~{index}"), |it| format!("~{it}"));
            Symbol::new(&name)
        });
        let mut tycon = self.record_of_names(Symbol::new("tuple"), "tuple".into(), names, span);
        tycon.labels = Some(labels.clone());
        let tycon = self.types.tycons.push(tycon);
        self.signatures.labelled.push((labels, tycon));
        tycon
    }

    /// A record type that nobody declares: each field has a parameter of the type for its own type.
    pub(super) fn record_of_names(
        &mut self,
        name: Symbol,
        path: String,
        fields: impl Iterator<Item = Symbol>,
        span: Span,
    ) -> TyCon {
        let field = |name| FieldInfo {
            name,
            mutable: false,
            acyclic: false,
            role: ast::FieldRole::Plain,
            ty: self.types.add(Type::Var { level: GENERIC, name: None }),
            vars: Vec::new(),
            span,
        };
        let fields: Vec<FieldInfo> = fields.map(field).collect();
        let params = fields.iter().map(|it| it.ty).collect();
        TyCon::new(name, path, params, TyConKind::Record(fields), None)
    }

    fn lone_label(&mut self, span: Span) -> oxbow_diag::Reported {
        self.diagnostics.error(
            Diagnostic::error("E0001", "a label stands at a part of a tuple or at an argument")
                .at(span, "neither is here"),
        )
    }

    /// No label may be there twice.
    fn check_labels(&mut self, labels: impl Iterator<Item = Name>) -> bool {
        let mut seen: Vec<Name> = Vec::new();
        for label in labels {
            if let Some(first) = seen.iter().find(|it| it.text == label.text) {
                let report = Diagnostic::error(
                    "E0178",
                    format!("the label `{}` is there twice", label.text),
                )
                .at(label.span, "once more")
                .label(first.span, "the first one");
                self.diagnostics.error(report);
                return false;
            }
            seen.push(label);
        }
        true
    }
}

fn labels_of<T>(items: &[(Option<Name>, T)]) -> Labels {
    items.iter().map(|it| it.0.map(|it| it.text)).collect()
}

/// Which parts of the tuple the parts of a pattern are: those with labels by them, the others in their order.
fn places_of<T>(
    items: &[(Option<Name>, T)],
    labels: &[Option<Symbol>],
    open: bool,
) -> Option<Vec<usize>> {
    if items.len() > labels.len() || !open && items.len() < labels.len() {
        return None;
    }
    let mut plain = (0..labels.len()).filter(|&it| labels[it].is_none());
    let place = |(label, _): &(Option<Name>, T)| match label {
        Some(label) => labels.iter().position(|it| *it == Some(label.text)),
        None => plain.next(),
    };
    items.iter().map(place).collect()
}

/// Does a pattern say `..` of a tuple?
pub(super) fn leaves_out_parts(pattern: &ast::Pattern) -> bool {
    use ast::PatternKind;
    match &pattern.kind {
        PatternKind::LabelledTuple { items, open } => {
            *open || items.iter().any(|it| leaves_out_parts(&it.1))
        }
        PatternKind::Tuple(items) => items.iter().any(leaves_out_parts),
        PatternKind::Alias(inner, _) => leaves_out_parts(inner),
        PatternKind::Record { fields, .. } => fields.iter().any(|it| leaves_out_parts(&it.1)),
        _ => false,
    }
}
