//! Abbreviations that mention themselves, which they may do inside of rows: always at their own parameters.
//!
//! ```text
//! type 'a t = < next : 'a t >              regular
//! type 'a t = < next : 'a list t >         no: `int t` would have to be written out without end
//! ```
//!
//! Types with constructors or fields may mention themselves at any arguments. In a group of classes, a class has one
//! type: what the group gives its parameters is what they are.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;

use crate::ast::TypeDecl;
use crate::types::{TyConId, TyConKind, Type, TypeId, Walk};

use super::{Expect, Infer};

impl Infer<'_> {
    pub(super) fn check_regular(&mut self, decls: &[TypeDecl], tycons: &[TyConId]) {
        for (decl, &tycon) in decls.iter().zip(tycons) {
            let TyConKind::Alias(body) = self.types.tycons[tycon].kind else { continue };
            if self.types.tycons[tycon].params.is_empty() {
                continue;
            }
            let Some(used) = self.irregular_use(tycon, body, tycons) else { continue };
            let (name, used) = (decl.name.text, self.show(used));
            self.diagnostics.error(
                Diagnostic::error("E0111", format!("the abbreviation `{name}` is not regular"))
                    .at(decl.name.span, format!("it mentions itself as `{used}`"))
                    .help("mention it at its own parameters, or declare a variant or a record"),
            );
            self.types.tycons[tycon].kind = TyConKind::Alias(self.builtins.error);
        }
    }

    /// A mention of the abbreviation in what it stands for, at other arguments than its parameters.
    fn irregular_use(&mut self, tycon: TyConId, body: TypeId, group: &[TyConId]) -> Option<TypeId> {
        let params = self.types.tycons[tycon].params.clone();
        let mut walk = Walk::default();
        let mut todo = vec![(body, Vec::new())];
        while let Some((ty, expanded)) = todo.pop() {
            let ty = self.types.repr(ty);
            if walk.has_seen(ty) {
                continue;
            }
            if let Type::Con(con, args) = self.types.nodes[ty].clone() {
                let same = |(a, b): (&TypeId, &TypeId)| self.types.repr(*a) == self.types.repr(*b);
                if con == tycon && !args.iter().zip(&params).all(same) {
                    return Some(ty);
                }
                // Only abbreviations of the group can lead back, and one that has been looked into could go on forever.
                if let TyConKind::Alias(inner) = self.types.tycons[con].kind
                    && con != tycon
                    && group.contains(&con)
                    && !expanded.contains(&con)
                {
                    let of = self.types.tycons[con].params.clone();
                    let inner = self.types.substitute(inner, &of, &args);
                    let mut expanded: Vec<TyConId> = expanded.clone();
                    expanded.push(con);
                    todo.push((inner, expanded));
                }
            }
            todo.extend(self.types.parts(ty).into_iter().map(|it| (it, expanded.clone())));
        }
        None
    }

    /// A class that is mentioned in its own group has the parameters that it is mentioned with.
    pub(super) fn mention_in_group(&mut self, tycon: TyConId, args: &[TypeId], span: Span) {
        if !self.classes.group.contains(&tycon) {
            return;
        }
        let params = self.types.tycons[tycon].params.clone();
        for (param, &arg) in params.into_iter().zip(args) {
            self.expect(Expect::plain(param), arg, span);
        }
    }
}
