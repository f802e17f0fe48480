//! A rough estimate of how many steps an expression takes, to know what must burn fuel.

use crate::tree::{Expr, Kind};

use super::Generator;

/// Functions that may cost more than this call `tick`.
const LIMIT: usize = 150;

impl Generator {
    /// The cost of evaluating an expression once.
    fn cost(&self, expr: &Expr) -> usize {
        let mut sum = 1usize;
        match &expr.kind {
            Kind::Fun { .. } => return 1,
            Kind::For { from, to, body, .. } => {
                return self.cost(from) + self.cost(to) + 7 * self.cost(body);
            }
            Kind::Op(text, _) if text.starts_with("(while") => {
                let mut inner = 0;
                expr.children(&mut |it| inner += self.cost(it));
                return 7 * inner;
            }
            // It burns fuel itself, as much as this.
            Kind::Op(text, _) if text.starts_with("(burn") => sum += 100,
            Kind::Show(of) => return 30 + self.cost(of),
            Kind::Call { func, args, .. } => {
                sum += match &func.kind {
                    Kind::Var(var) => self.costs[*var],
                    Kind::Fun { body, .. } => self.cost(body),
                    Kind::Atom(name) => {
                        self.globals.iter().find(|it| it.name == name).map_or(20, |it| it.cost)
                    }
                    _ => 20,
                };
                // A function that is passed is probably called some times.
                for arg in args.iter().filter_map(|it| it.value.as_ref()) {
                    sum = sum.saturating_add(5 * self.body_cost(arg));
                }
            }
            _ => (),
        }
        expr.children(&mut |it| sum = sum.saturating_add(self.cost(it)));
        sum
    }

    /// The cost of calling a function, if the expression is one.
    pub fn body_cost(&self, expr: &Expr) -> usize {
        match &expr.kind {
            Kind::Fun { body, .. } => match &body.kind {
                Kind::Fun { .. } => self.body_cost(body),
                _ => self.cost(body),
            },
            Kind::Var(var) => self.costs[*var],
            _ => 20,
        }
    }

    /// Makes a function's body burn fuel if it may be costly.
    pub fn bounded(&self, body: Expr) -> Expr {
        if self.cost(&body) > LIMIT { self.ticking(body) } else { body }
    }

    pub fn ticking(&self, body: Expr) -> Expr {
        let ty = body.ty.clone();
        Expr::op(ty, "(tick (); {0})", vec![body])
    }
}
