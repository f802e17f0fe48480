//! Anonymous records: a type for each set of names of fields, made when it is first mentioned.
//!
//! ```text
//! {| X = 1; Y = "a" |}        a record of the type with the fields X and Y, whose types are its parameters
//! {| r with Y = 2; Z = 3 |}   {| X = r.X; Y = 2; Z = 3 |}
//! ```
//!
//! Needs: nothing. All files of a program share the types.

use oxbow_base::{Made, Span, Symbol};
use oxbow_diag::Diagnostic;

use crate::ast::{self, ExprKind, Name, Path, TypeExpr, TypeExprKind};
use crate::tast;
use crate::types::{TyConId, TyConKind, Type};

use super::super::env::Env;
use super::super::{Expect, Infer};

impl Infer<'_> {
    /// The type of the records with these fields: `X.Y`, in the order of the alphabet.
    pub(in super::super) fn anonymous_tycon(&mut self, fields: Symbol, span: Span) -> TyConId {
        if let Some(known) = self.clef.anonymous.iter().find(|it| it.0 == fields) {
            return known.1;
        }
        let names = fields.as_str().split('.').filter(|it| !it.is_empty()).map(Symbol::new);
        let made = Made::Anonymous(fields);
        let tycon = self.record_of_names(made.symbol(), made.shown(), names, span);
        let tycon = self.types.tycons.push(tycon);
        self.clef.anonymous.push((fields, tycon));
        tycon
    }

    /// `{| base with X = e |}`
    pub(in super::super) fn anonymous_copy(
        &mut self,
        env: &Env,
        base: &ast::Expr,
        fields: &[(Name, ast::Expr)],
        expect: Expect,
    ) -> tast::Expr {
        let span = fields.iter().fold(base.span, |span, it| span.to(it.1.span));
        let ty = self.fresh();
        let typed = self.expr(env, base, Expect::plain(ty));
        if matches!(self.types.get(typed.ty), Type::Error) {
            return typed;
        }
        let con = self.head_con(typed.ty).map(|it| it.0);
        let Some(con) = con.filter(|&it| self.is_plain_record(it)) else {
            if self.is_unknown(typed.ty) {
                let what = "the type of what is copied must be known here";
                let report = Diagnostic::error("E0113", what).at(base.span, "a record");
                let help = "annotate it where it is bound: `(x: {| … |})`";
                let reported = self.diagnostics.error(report.help(help));
                return self.error_expr(reported, span);
            }
            let shown = self.show(typed.ty);
            let what = format!("only a record can be copied with changes, and this is `{shown}`");
            let report = Diagnostic::error("E0113", what).at(base.span, "no record");
            let reported = self.diagnostics.error(report);
            return self.error_expr(reported, span);
        };
        let kept: Vec<Symbol> = self.fields_of(con).iter().map(|it| it.name).collect();
        self.with_typed(env, typed, super::typed("copied"), |this, env, mention| {
            let given = |it: &Symbol| fields.iter().any(|field| field.0.text == *it);
            let part = |it: Symbol| {
                let name = Path::plain(Name { text: it, span: base.span });
                let value = ExprKind::Field(Box::new(mention.clone()), name.clone());
                (name, None, super::node(value, base.span))
            };
            let kept = kept.iter().filter(|it| !given(it)).map(|&it| part(it));
            let own = fields.iter().map(|it| (Path::plain(it.0), None, it.1.clone()));
            let all: Vec<ast::FieldValue> = own.chain(kept).collect();
            let mut names: Vec<&str> = all.iter().map(|it| it.0.name.text.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            let text = Made::Anonymous(Symbol::new(&names.join("."))).symbol();
            let any = names.iter().map(|_| TypeExpr { kind: TypeExprKind::Any, span });
            let path = Path::plain(Name { text, span });
            let ty = TypeExpr { kind: TypeExprKind::Constr(path, any.collect()), span };
            let record = super::node(ExprKind::Record { base: None, fields: all }, span);
            let record = ExprKind::Annotate(Box::new(record), ty);
            this.expr(env, &super::node(record, span), expect)
        })
    }

    /// One whose fields programs can name.
    fn is_plain_record(&self, con: TyConId) -> bool {
        let TyConKind::Record(fields) = &self.types.tycons[con].kind else { return false };
        fields.iter().all(|it| it.role == ast::FieldRole::Plain)
    }
}
