//! Expressions of a given type and about a given size.

use crate::tree::{Build, Expr, Kind};
use crate::types::{Shape, Ty};

use super::Generator;

impl Generator {
    /// An expression of the type, with about `size` nodes.
    pub fn expr(&mut self, ty: &Ty, size: usize) -> Expr {
        if size <= 1 {
            return self.small(ty);
        }
        for _ in 0..4 {
            if let Some(expr) = self.production(ty, size) {
                return expr;
            }
        }
        self.small(ty)
    }

    /// A variable, or the simplest value.
    fn small(&mut self, ty: &Ty) -> Expr {
        if self.rng.chance(75)
            && let Some(expr) = self.exact(ty)
        {
            return expr;
        }
        match ty {
            Ty::Int => self.int_literal(),
            Ty::Bool => Expr::atom(Ty::Bool, if self.rng.chance(50) { "true" } else { "false" }),
            Ty::Str => {
                let text =
                    self.rng.pick(&["\"\"", "\"a\"", "\"bc\"", "\"x y\"", "\"\\n\"", "\"oxbow\""]);
                Expr::atom(Ty::Str, *text)
            }
            Ty::Float => {
                Expr::atom(Ty::Float, *self.rng.pick(&["0.5", "1.", "(-2.5)", "3.", "0.", "8.5"]))
            }
            Ty::Fun(..) if self.rng.chance(60) => self.function(ty, 3),
            Ty::Tuple(items) => {
                let parts = items.iter().map(|it| self.small(it)).collect();
                Expr::new(ty.clone(), Kind::Build(Build::Tuple, parts))
            }
            Ty::List(of) | Ty::Array(of) => {
                let count = 1 + self.rng.below(2);
                let parts = (0..count).map(|_| self.small(of)).collect();
                let build = if matches!(ty, Ty::List(_)) { Build::List } else { Build::Array };
                Expr::new(ty.clone(), Kind::Build(build, parts))
            }
            Ty::Option(of) if self.rng.chance(70) => {
                let part = self.small(of);
                Expr::new(ty.clone(), Kind::Build(Build::Ctor("Some".into(), None), vec![part]))
            }
            Ty::Ref(of) => {
                let part = self.small(of);
                Expr::op(ty.clone(), "(ref {0})", vec![part])
            }
            Ty::Data(id, args) if self.rng.chance(50) => self.data(ty, *id, args, 1),
            _ => self.leaf(ty),
        }
    }

    fn int_literal(&mut self) -> Expr {
        match self.rng.below(12) {
            0 => Expr::atom(Ty::Int, "max_int"),
            1 => Expr::atom(Ty::Int, "min_int"),
            2 => Expr::int(self.rng.range(-1000, 1000)),
            _ => Expr::int(self.rng.range(-3, 9)),
        }
    }

    fn production(&mut self, ty: &Ty, size: usize) -> Option<Expr> {
        if self.profile == super::Profile::Rich
            && self.rng.chance(12)
            && let Some(expr) = self.rich_use(ty, size)
        {
            return Some(expr);
        }
        let raising = if self.tries > 0 { 4 } else { 0 };
        let big = usize::from(size >= 6);
        let half = size / 2;
        match self.rng.weighted(&[
            8,
            12,
            18,
            5,
            6,
            3 * big,
            2,
            4 * big,
            3 * big,
            2,
            3,
            2,
            raising,
            5,
            6 * big,
        ]) {
            0 => self.exact(ty),
            1 => Some(self.construct(ty, size)),
            2 => self.something_known(ty, size),
            3 => Some(self.let_value(ty, size)),
            4 => Some(self.let_function(ty, size)),
            5 => Some(self.let_recursion(ty, size)),
            6 => {
                let test = self.expr(&Ty::Bool, size / 3);
                let parts = vec![test, self.expr(ty, size / 3), self.expr(ty, size / 3)];
                Some(Expr::op(ty.clone(), "(if {0} then {1} else {2})", parts))
            }
            7 => Some(self.matching(ty, size)),
            8 => Some(self.trying(ty, size)),
            9 => {
                // The callee is an expression.
                let param = self.ty(1);
                let func = self.expr(&Ty::fun(std::slice::from_ref(&param), ty.clone()), half);
                let arg = self.expr(&param, half);
                if matches!(func.kind, Kind::Var(_) | Kind::Atom(_) | Kind::Fun { .. }) {
                    return Some(Expr::call(func, vec![arg]));
                }
                // Whether `ocamlopt` evaluates a computed function before or after the arguments
                // depends on what it knows of the function; a variable settles it.
                let var = self.fresh(&func.ty);
                let call = Expr::call(Expr::var(func.ty.clone(), var), vec![arg]);
                Some(Expr::bind(var, func, call))
            }
            10 => {
                self.marks += 1;
                let mark = Expr::int(self.marks);
                let value = self.expr(ty, size - 1);
                Some(Expr::op(ty.clone(), "(log {0}; {1})", vec![mark, value]))
            }
            11 => {
                let effect = self.expr(&Ty::Unit, half);
                let value = self.expr(ty, half);
                Some(Expr::op(ty.clone(), "({0}; {1})", vec![effect, value]))
            }
            12 => {
                let exn = self.expr(&Ty::Exn, size.min(6));
                Some(Expr::op(ty.clone(), "(raise {0})", vec![exn]))
            }
            13 => self.part_of(ty),
            _ => self.shape(ty, size),
        }
    }

    /// A part of something in scope: a field, a component, the contents of a cell.
    fn part_of(&mut self, ty: &Ty) -> Option<Expr> {
        let mut ways: Vec<Expr> = Vec::new();
        let knot = self.types.has_function(ty);
        for entry in self.scope.iter().filter(|it| it.lead.is_none() && it.params == 0) {
            let whole = || Expr::var(entry.ty.clone(), entry.var);
            let one = |text| Expr::op(ty.clone(), text, vec![whole()]);
            match &entry.ty {
                Ty::Ref(of) if **of == *ty => {
                    ways.push(one(if knot { "(tick (); !{0})" } else { "!{0}" }))
                }
                Ty::Lazy(of) if **of == *ty => ways.push(one("(Lazy.force {0})")),
                Ty::Tuple(items) if items.len() == 2 => {
                    if items[0] == *ty {
                        ways.push(one("(Stdlib.fst {0})"));
                    }
                    if items[1] == *ty {
                        ways.push(one("(Stdlib.snd {0})"));
                    }
                }
                Ty::List(of) if **of == *ty && self.tries > 0 => ways.push(one("(List.hd {0})")),
                Ty::List(of) if **of == *ty => {
                    let parts = vec![whole(), self.leaf(ty)];
                    ways.push(Expr::op(ty.clone(), "(nth {0} 0 {1})", parts));
                }
                Ty::Option(of) if **of == *ty => {
                    let parts = vec![whole(), self.leaf(ty)];
                    ways.push(Expr::op(
                        ty.clone(),
                        "(match {0} with Some it -> it | None -> {1})",
                        parts,
                    ));
                }
                Ty::Array(of) if **of == *ty => {
                    let text = if knot { "(tick (); at {0} {1} {2})" } else { "(at {0} {1} {2})" };
                    ways.push(Expr::op(
                        ty.clone(),
                        text,
                        vec![whole(), Expr::int(1), self.leaf(ty)],
                    ));
                    ways.push(one(if knot { "(tick (); {0}.(0))" } else { "{0}.(0)" }));
                }
                Ty::Data(id, args) => {
                    let Shape::Record(fields) = &self.types.data[*id].shape else { continue };
                    for field in fields.iter().filter(|it| it.ty.subst(args) == *ty) {
                        let text =
                            if knot && field.mutable { "(tick (); {0}.{1})" } else { "{0}.{1}" };
                        let name = Expr::atom(Ty::Unit, field.name.clone());
                        ways.push(Expr::op(ty.clone(), text, vec![whole(), name]));
                    }
                }
                _ => (),
            }
        }
        if ways.is_empty() { None } else { Some(ways.swap_remove(self.rng.below(ways.len()))) }
    }

    /// A value built by the type's own operations.
    fn construct(&mut self, ty: &Ty, size: usize) -> Expr {
        let half = (size / 2).max(1);
        let build = |build, parts| Expr::new(ty.clone(), Kind::Build(build, parts));
        match ty {
            Ty::Int => self.integer(size),
            Ty::Bool => self.boolean(size),
            Ty::Str => self.string(size),
            Ty::Float => {
                let text = self.rng.pick(&[
                    "({0} +. {1})",
                    "({0} -. {1})",
                    "(clamp ({0} *. {1}))",
                    "(float_of_int ({2} land 15))",
                ]);
                let parts =
                    vec![self.expr(ty, half), self.expr(ty, half), self.expr(&Ty::Int, half)];
                Expr::op(Ty::Float, text, parts)
            }
            Ty::Unit => self.effect(size),
            Ty::Exn => {
                let at = self.rng.below(self.types.exns.len());
                let exn = self.types.exns[at].clone();
                let share = size / exn.args.len().max(1);
                let parts = exn.args.iter().map(|it| self.expr(it, share)).collect();
                build(Build::Ctor(exn.name, None), parts)
            }
            Ty::Tuple(items) => {
                let share = (size - 1) / items.len();
                let parts = items.iter().map(|it| self.expr(it, share)).collect();
                build(Build::Tuple, parts)
            }
            Ty::List(of) | Ty::Array(of) => {
                let list = matches!(ty, Ty::List(_));
                if list && self.rng.chance(40) {
                    let parts = vec![self.expr(of, half), self.expr(ty, half)];
                    return Expr::op(ty.clone(), "({0} :: {1})", parts);
                }
                let count = self.rng.below(4) + usize::from(!list);
                let share = size / (count + 1);
                let parts = (0..count).map(|_| self.expr(of, share)).collect();
                build(if list { Build::List } else { Build::Array }, parts)
            }
            Ty::Option(of) => {
                let part = self.expr(of, size - 1);
                build(Build::Ctor("Some".into(), None), vec![part])
            }
            Ty::Ref(of) => {
                let part = self.expr(of, size - 1);
                Expr::op(ty.clone(), "(ref {0})", vec![part])
            }
            Ty::Lazy(of) => {
                let part = self.expr(of, size - 1);
                Expr::op(ty.clone(), "(lazy {0})", vec![part])
            }
            Ty::Data(id, args) => self.data(ty, *id, args, size),
            Ty::Fun(..) => self.function(ty, size),
            Ty::Param(_) => self.leaf(ty),
        }
    }

    fn data(&mut self, ty: &Ty, id: usize, args: &[Ty], size: usize) -> Expr {
        let data = self.types.data[id].clone();
        match data.shape {
            Shape::Record(mut fields) => {
                if self.rng.chance(20) {
                    fields.reverse();
                }
                let share = (size - 1) / fields.len();
                let parts = fields.iter().map(|it| self.expr(&it.ty.subst(args), share)).collect();
                let names: Vec<String> = fields.into_iter().map(|it| it.name).collect();
                if names.len() > 1
                    && self.rng.chance(20)
                    && let Some(whole) = self.exact(ty)
                {
                    let mut parts: Vec<Expr> = parts;
                    let part = parts.swap_remove(0);
                    let name = Expr::atom(Ty::Unit, names[0].clone());
                    return Expr::op(ty.clone(), "{ {0} with {1} = {2} }", vec![whole, name, part]);
                }
                Expr::new(ty.clone(), Kind::Build(Build::Record(names), parts))
            }
            Shape::Gadt(ctors) => self.gadt_value(&ctors, ty, size),
            Shape::Object(fields) => self.object_value(&fields, ty, size),
            Shape::Package(fields) => self.package_value(&fields, ty, size),
            Shape::Tags(_)
                if let Some(part) = data.includes
                    && self.rng.chance(30) =>
            {
                self.widened(part, ty, size)
            }
            Shape::Variant(ctors) | Shape::Tags(ctors) => {
                let ctor = self.rng.pick(&ctors).clone();
                let share = (size - 1) / ctor.args.len().max(1);
                let parts = ctor.args.iter().map(|it| self.expr(&it.subst(args), share)).collect();
                let limit = data.recursive.then(|| format!("limit_{}", data.name));
                Expr::new(ty.clone(), Kind::Build(Build::Ctor(ctor.name, limit), parts))
            }
        }
    }

    fn integer(&mut self, size: usize) -> Expr {
        let half = (size / 2).max(1);
        const TWO: &[&str] = &[
            "({0} + {1})",
            "({0} - {1})",
            "({0} * {1})",
            "({0} land {1})",
            "({0} lxor {1})",
            "({0} lsl ({1} land 7))",
            "({0} asr ({1} land 7))",
            "({0} / (1 + ({1} land 7)))",
            "({0} mod (1 + ({1} land 15)))",
            "({0} / {1})",
        ];
        match self.rng.below(8) {
            0 => {
                let text = self.expr(&Ty::Str, size - 1);
                Expr::op(Ty::Int, "(String.length {0})", vec![text])
            }
            1 => {
                // Immediate types have an order of evaluation of their own.
                let of = Some(self.comparable()).filter(|it| *it != Ty::Unit).unwrap_or(Ty::Int);
                let parts = vec![self.expr(&of, half), self.expr(&of, half)];
                Expr::op(Ty::Int, "(Stdlib.compare {0} {1})", parts)
            }
            2 => self.int_literal(),
            _ => {
                let count = if self.tries > 0 { TWO.len() } else { TWO.len() - 1 };
                let text = TWO[self.rng.below(count)];
                Expr::op(Ty::Int, text, vec![self.expr(&Ty::Int, half), self.expr(&Ty::Int, half)])
            }
        }
    }

    /// A type whose values may be compared.
    pub fn comparable(&mut self) -> Ty {
        for _ in 0..5 {
            let ty = self.ty(2);
            if !self.types.has_function(&ty) {
                return ty;
            }
        }
        Ty::Int
    }

    fn boolean(&mut self, size: usize) -> Expr {
        let half = (size / 2).max(1);
        if self.rng.chance(40) {
            let text = self.rng.pick(&["({0} && {1})", "({0} || {1})", "(not {0})"]);
            let parts = vec![self.expr(&Ty::Bool, half), self.expr(&Ty::Bool, half)];
            return Expr::op(Ty::Bool, text, parts);
        }
        let of = if self.rng.chance(60) { Ty::Int } else { self.comparable() };
        let text = self.rng.pick(&["({0} = {1})", "({0} < {1})", "({0} <> {1})", "({0} >= {1})"]);
        let parts = vec![self.expr(&of, half), self.expr(&of, half)];
        Expr::op(Ty::Bool, text, parts)
    }

    fn string(&mut self, size: usize) -> Expr {
        let half = (size / 2).max(1);
        match self.rng.below(4) {
            0 => {
                let parts = vec![self.expr(&Ty::Str, half), self.expr(&Ty::Int, half)];
                Expr::op(Ty::Str, "({0} ^ string_of_int {1})", parts)
            }
            1 => {
                let parts = vec![self.expr(&Ty::Str, half), self.expr(&Ty::Str, half)];
                Expr::op(Ty::Str, "(cat {0} {1})", parts)
            }
            2 => {
                let of = self.ty(2);
                let part = self.expr(&of, half);
                Expr::new(Ty::Str, Kind::Show(Box::new(part)))
            }
            _ => {
                let parts = vec![self.expr(&Ty::Int, half), self.expr(&Ty::Str, half)];
                Expr::op(Ty::Str, "(Printf.sprintf \"%d-%s\" {0} (cut {1}))", parts)
            }
        }
    }
}
