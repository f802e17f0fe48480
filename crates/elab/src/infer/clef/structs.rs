//! Structs whose fields can be assigned (decision 273).
//!
//! ```text
//! [<Struct>] type P = { mutable X: int }
//! p.X <- 1               p <- { p with X = 1 }                            of a `let mutable p`
//! a.[f ()].P.X <- 1      let i = f () in a.[i] <- { a.[i] with P = { a.[i].P with X = 1 } }
//! ```
//!
//! A struct is a value: who binds, passes or reads one has a copy. Here nothing ever changes one, and to assign a field
//! is to assign the place that holds it.

use oxbow_base::{Made, Mark, Span, Symbol};
use oxbow_psg::Compared;

use crate::ast::{self, ExprKind, Path};
use crate::tast;
use crate::types::{FieldInfo, TyConId};

use super::super::env::Env;
use super::super::{Expect, Infer};

impl Infer<'_> {
    /// The fields of a struct: nothing changes them, but places that hold it may be assigned by their names.
    pub(in super::super) fn note_struct(
        &mut self,
        con: TyConId,
        attributes: &[ast::Attribute],
        fields: &mut [FieldInfo],
    ) {
        if !attributes.iter().any(|it| it.is(Mark::Struct)) {
            return;
        }
        let changed = fields.iter_mut().filter(|it| it.mutable);
        let names: Vec<Symbol> = changed
            .map(|it| {
                it.mutable = false;
                it.name
            })
            .collect();
        if !names.is_empty() {
            self.clef.structs.insert(con, names);
        }
    }

    /// `object.Field <- value` where the object is a struct in a place of its own.
    pub(super) fn set_in_struct(
        &mut self,
        env: &Env,
        (object, path): (&ast::Expr, &Path),
        value: &ast::Expr,
        span: Span,
        expect: Expect,
    ) -> Option<tast::Expr> {
        if self.clef.structs.is_empty()
            || !self.holds_struct(env, object, path.name.text)
            || !self.is_place(env, object)
        {
            return None;
        }
        let mut temporaries = Vec::new();
        let place = self.place_once(object, &mut temporaries);
        // The other fields are read when the value is there, which may have changed them.
        let value = match value.kind {
            ExprKind::Fun(..) | ExprKind::Construct(_, None) => value.clone(),
            _ => self.named_once(value, &mut temporaries),
        };
        let fields = vec![(path.clone(), None, value)];
        let copy = ExprKind::Record { base: Some(Box::new(place.clone())), fields };
        let mut copy = super::node(copy, span);
        // The fields of a struct with constructors, too.
        copy.attributes.push(ast::Attribute::mark(Mark::Class, span));
        let copy = Box::new(copy);
        let kind = match place.kind {
            ExprKind::Ident(path) => ExprKind::AssignVar(path, copy),
            ExprKind::Field(object, path) => ExprKind::SetField(object, path, copy),
            ExprKind::Index(object, index) => ExprKind::SetIndex(object, index, copy),
            // What a call gives is nowhere.
            _ => return None,
        };
        let assignment = super::node(kind, span);
        let whole = temporaries
            .into_iter()
            .rfold(assignment, |body, (name, value)| super::flow::bound(name, value, body, span));
        Some(self.expr(env, &whole, expect))
    }

    /// Is this a struct with such a field that can be assigned? Its type is found out on trial.
    fn holds_struct(&mut self, env: &Env, object: &ast::Expr, field: Symbol) -> bool {
        let con = self.con_on_trial(env, object);
        let names = con.and_then(|it| self.clef.structs.get(it));
        names.is_some_and(|it| it.contains(&field))
    }

    /// Can this field be assigned where a place holds the struct?
    pub(in super::super) fn is_struct_field(&self, con: TyConId, field: Symbol) -> bool {
        self.clef.structs.get(con).is_some_and(|it| it.contains(&field))
    }

    /// Is it a variable, a field or an element, and not what a property or an indexer gives, which is a copy?
    fn is_place(&mut self, env: &Env, place: &ast::Expr) -> bool {
        let (object, field) = match &place.kind {
            ExprKind::Ident(_) => return true,
            ExprKind::Field(object, path) => (object, Some(path.name.text)),
            ExprKind::Index(object, _) => (object, None),
            // The compiler's own, and what is nowhere.
            _ => return true,
        };
        let Some(con) = self.con_on_trial(env, object) else { return true };
        match field {
            Some(name) => self.fields_of(con).iter().any(|it| it.name == name),
            // Arrays give the element itself.
            None => self.types.tycons[con].compared != Compared::Identity,
        }
    }

    /// The type of an expression, whose inference is forgotten.
    fn con_on_trial(&mut self, env: &Env, expr: &ast::Expr) -> Option<TyConId> {
        let trial = self.begin_trial();
        let ty = self.fresh();
        let typed = self.expr(env, expr, Expect::plain(ty));
        let typed = self.dereferenced(typed);
        let con = self.head_con(typed.ty).map(|it| it.0);
        self.forget_trial(trial);
        con
    }

    /// The place with names for what would be computed twice.
    fn place_once(
        &mut self,
        place: &ast::Expr,
        temporaries: &mut Vec<(ast::Name, ast::Expr)>,
    ) -> ast::Expr {
        let span = place.span;
        let kind = match &place.kind {
            ExprKind::Ident(_) | ExprKind::Constant(_) => return place.clone(),
            ExprKind::Field(object, path) => {
                let object = Box::new(self.place_once(object, temporaries));
                ExprKind::Field(object, path.clone())
            }
            ExprKind::Index(object, index) => {
                let object = Box::new(self.place_once(object, temporaries));
                let index = match &index.kind {
                    ExprKind::Tuple(items) => {
                        let items = items.iter().map(|it| self.named_once(it, temporaries));
                        let items = items.collect();
                        Box::new(super::node(ExprKind::Tuple(items), index.span))
                    }
                    _ => Box::new(self.named_once(index, temporaries)),
                };
                ExprKind::Index(object, index)
            }
            _ => return self.named_once(place, temporaries),
        };
        super::node(kind, span)
    }

    fn named_once(
        &mut self,
        expr: &ast::Expr,
        temporaries: &mut Vec<(ast::Name, ast::Expr)>,
    ) -> ast::Expr {
        if matches!(expr.kind, ExprKind::Ident(_) | ExprKind::Constant(_)) {
            return expr.clone();
        }
        self.clef.typed_names += 1;
        let text = Made::Typed(Symbol::new("part"), self.clef.typed_names);
        let name = super::made(text, expr.span);
        temporaries.push((name, expr.clone()));
        super::ident(name)
    }
}
