//! Declared types of the profile `rich`: constructors with results of their own, polymorphic variants, objects, packed
//! modules; their values, and what is done with them.

use crate::print::rich::module_type;
use crate::tree::{Arm, Build, Expr, Kind, Making, Pat};
use crate::types::{Ctor, Data, Field, GadtCtor, Shape, Ty};

use super::Generator;

impl Generator {
    pub fn declare_rich_types(&mut self) {
        self.tags();
        for index in 0..self.rng.range(1, 2) {
            self.gadt(index);
        }
        for index in 0..self.rng.range(1, 2) {
            let params = usize::from(self.rng.chance(30));
            let fields = self.fields(&format!("m{index}"), params, 3);
            self.declare(format!("obj{index}"), params, Shape::Object(fields), None);
        }
        for index in 0..self.rng.range(1, 2) {
            let mut fields = self.fields(&format!("pv{index}"), 0, 1);
            fields.iter_mut().for_each(|it| it.mutable = false);
            self.declare(format!("pack{index}"), 0, Shape::Package(fields), None);
        }
    }

    fn declare(&mut self, name: String, params: usize, shape: Shape, includes: Option<usize>) {
        let (recursive, preset) = (false, false);
        self.types.data.push(Data { name, params, shape, recursive, preset, includes });
    }

    /// A polymorphic variant, and one that has its tags and more.
    fn tags(&mut self) {
        let mut all = Vec::new();
        let mut includes = None;
        for (at, letters) in [["P", "Q", "R"], ["S", "T", "U"]].iter().enumerate() {
            let mut own = Vec::new();
            for letter in letters.iter().take(self.rng.range(1, 3) as usize) {
                let args = match self.rng.below(3) {
                    0 => Vec::new(),
                    1 => vec![self.ty(2)],
                    _ => vec![Ty::Tuple(vec![self.ty(1), self.ty(2)])],
                };
                own.push(Ctor { name: format!("`{letter}{at}"), args });
            }
            all.extend(own);
            let id = self.types.data.len();
            self.declare(format!("row{at}"), 0, Shape::Tags(all.clone()), includes);
            includes = Some(id);
        }
    }

    fn fields(&mut self, prefix: &str, params: usize, most: i64) -> Vec<Field> {
        (0..self.rng.range(1, most.max(1) + 1))
            .map(|at| {
                let is_param = params > 0 && (at == 0 || self.rng.chance(30));
                let ty = if is_param { Ty::Param(0) } else { self.ty(2) };
                Field { name: format!("{prefix}_{at}"), mutable: self.rng.chance(50), ty }
            })
            .collect()
    }

    /// What the values of such a type may evaluate to.
    pub fn index(&mut self) -> Ty {
        match self.rng.below(7) {
            0 | 1 => Ty::Int,
            2 => Ty::Bool,
            3 => Ty::Str,
            4 => Ty::Float,
            5 => Ty::Tuple(vec![Ty::Int, Ty::Bool]),
            _ => Ty::list(Ty::Int),
        }
    }

    fn gadt(&mut self, index: i64) {
        let id = self.types.data.len();
        let name = format!("expr{index}");
        let of = |ty: Ty| Ty::Data(id, vec![ty]);
        let eval = |it: u32| format!("eval_{name} {{{it}}}");
        let mut ctors = Vec::new();
        let mut add = |letter: &str, args: Vec<Ty>, result: Ty, eval: String| {
            ctors.push(GadtCtor { name: format!("{letter}{index}"), args, result, eval });
        };
        let (a, b) = (Ty::Param(0), Ty::Param(1));
        add("Any", vec![a.clone()], a.clone(), "{0}".into());
        let (of_int, of_string) = (self.ty(2), self.ty(2));
        let wanted: Vec<bool> = (0..8).map(|_| self.rng.chance(55)).collect();
        if wanted[0] {
            let args = vec![Ty::Int, of_int];
            add("Num", args, Ty::Int, "ignore {1}; {0}".into());
        }
        if wanted[1] {
            add("Text", vec![Ty::Str, of_string], Ty::Str, "ignore {1}; cat {0} {0}".into());
        }
        if wanted[2] {
            let args = vec![of(Ty::Bool), of(a.clone()), of(a.clone())];
            let text = format!("if {} then {} else {}", eval(0), eval(1), eval(2));
            add("If", args, a.clone(), text);
        }
        if wanted[3] {
            let pair = Ty::Tuple(vec![a.clone(), b.clone()]);
            let text = format!("let v1 = {} in ({}, v1)", eval(1), eval(0));
            add("Pair", vec![of(a.clone()), of(b.clone())], pair, text);
        }
        if wanted[4] {
            let pair = Ty::Tuple(vec![a.clone(), b.clone()]);
            add("First", vec![of(pair)], a.clone(), format!("Stdlib.fst ({})", eval(0)));
        }
        if wanted[5] {
            let func = Ty::fun(std::slice::from_ref(&b), Ty::Int);
            let text = format!("let v0 = {} in {{1}} v0", eval(0));
            add("Hide", vec![of(b.clone()), func], Ty::Int, text);
        }
        if wanted[6] {
            let func = of(Ty::fun(std::slice::from_ref(&b), a.clone()));
            let text = format!("let v1 = {} in let v0 = {} in v0 v1", eval(1), eval(0));
            add("App", vec![func, of(b.clone())], a.clone(), text);
        }
        if wanted[7] {
            let text = format!("{} > 2", eval(0));
            add("Test", vec![of(Ty::Int)], Ty::Bool, text);
        }
        self.declare(name, 1, Shape::Gadt(ctors), None);
    }

    /// A constructor that makes this type, with what its variables stand for.
    pub fn gadt_value(&mut self, ctors: &[GadtCtor], ty: &Ty, size: usize) -> Expr {
        let index = match ty {
            Ty::Data(_, args) if args.len() == 1 => args[0].clone(),
            _ => Ty::Int,
        };
        let mut ways = Vec::new();
        for ctor in ctors {
            let mut found = Vec::new();
            if ctor.result.matches(&index, &mut found) {
                ways.push((ctor.clone(), found));
            }
        }
        let at = if size < 4 { 0 } else { self.rng.below(ways.len()) };
        let (ctor, mut found) = ways.swap_remove(at);
        found.resize(2, None);
        // What it hides is anything; evaluated things are small.
        let vars: Vec<Ty> =
            found.into_iter().map(|it| it.unwrap_or_else(|| self.index())).collect();
        let share = (size - 1) / ctor.args.len();
        let parts = ctor.args.iter().map(|it| self.expr(&it.subst(&vars), share)).collect();
        Expr::new(ty.clone(), Kind::Build(Build::Ctor(ctor.name, None), parts))
    }

    /// An arm for each constructor that can make a value of this type; those that cannot need none.
    pub fn gadt_arms(&mut self, ctors: &[GadtCtor], index: &Ty, ty: &Ty, share: usize) -> Vec<Arm> {
        let mut arms = Vec::new();
        for ctor in ctors {
            let mut found = Vec::new();
            if !ctor.result.matches(index, &mut found) {
                continue;
            }
            let scope = self.scope.len();
            let args = ctor.args.iter().map(|it| {
                let is_known = |it: &Ty| match it {
                    Ty::Param(at) => found.get(*at).is_some_and(Option::is_some),
                    _ => true,
                };
                // No part of the type is hidden.
                (!it.any(&|it| !is_known(it))).then(|| {
                    let vars: Vec<Ty> =
                        found.iter().map(|it| it.clone().unwrap_or(Ty::Int)).collect();
                    it.subst(&vars)
                })
            });
            let args: Vec<Option<Ty>> = args.collect();
            let items = args.iter().map(|it| match it {
                Some(ty) => self.bound(ty),
                None => Pat::Wild,
            });
            let pat = Pat::Ctor(ctor.name.clone(), items.collect());
            let body = self.expr(ty, share);
            self.scope.truncate(scope);
            arms.push(Arm { pat, guard: None, body });
        }
        arms
    }

    pub fn object_value(&mut self, fields: &[Field], ty: &Ty, size: usize) -> Expr {
        let Ty::Data(id, args) = ty else { return self.leaf(ty) };
        let share = (size - 1) / fields.len();
        let parts = fields.iter().map(|it| self.expr(&it.ty.subst(args), share)).collect();
        let making = *self.rng.pick(&[Making::Immediate, Making::New, Making::Heir]);
        Expr::new(ty.clone(), Kind::Build(Build::Object(making, *id), parts))
    }

    pub fn package_value(&mut self, fields: &[Field], ty: &Ty, size: usize) -> Expr {
        let Ty::Data(id, _) = ty else { return self.leaf(ty) };
        let rep = match self.rng.below(4) {
            0 => Ty::Int,
            1 => self.function_type(1),
            _ => self.ty(2),
        };
        let rep = if rep.any(&|it| matches!(it, Ty::Param(_))) { Ty::Int } else { rep };
        let share = (size - 1) / (fields.len() + 2);
        let rep_only = std::slice::from_ref(&rep);
        let mut parts = vec![
            self.function(&Ty::fun(&[Ty::Int], rep.clone()), share),
            self.function(&Ty::fun(rep_only, Ty::Int), share),
        ];
        parts.extend(fields.iter().map(|it| self.expr(&it.ty, share)));
        Expr::new(ty.clone(), Kind::Build(Build::Package(rep, *id), parts))
    }

    /// A value of a polymorphic variant with fewer tags.
    pub fn widened(&mut self, part: usize, ty: &Ty, size: usize) -> Expr {
        let narrow = Ty::Data(part, Vec::new());
        let (from, to) = (self.types.text(&narrow), self.types.text(ty));
        let value = self.expr(&narrow, size - 1);
        let parts = vec![value, Expr::atom(Ty::Unit, from), Expr::atom(Ty::Unit, to)];
        Expr::op(ty.clone(), "({0} : {1} :> {2})", parts)
    }

    /// What a value of one of these types in scope, or a new one, gives at this type.
    pub fn rich_use(&mut self, ty: &Ty, size: usize) -> Option<Expr> {
        let mut ways: Vec<(usize, Vec<Ty>, &'static str, String)> = Vec::new();
        for (id, data) in self.types.data.iter().enumerate() {
            match &data.shape {
                Shape::Gadt(_) => {
                    let is_index = matches!(ty, Ty::Int | Ty::Bool | Ty::Str | Ty::Float)
                        || *ty == Ty::Tuple(vec![Ty::Int, Ty::Bool])
                        || *ty == Ty::list(Ty::Int);
                    if is_index {
                        let name = format!("eval_{}", data.name);
                        ways.push((id, vec![ty.clone()], "({1} {0})", name));
                    }
                }
                Shape::Object(fields) => {
                    for field in fields {
                        let mut found = Vec::new();
                        if !field.ty.matches(ty, &mut found) {
                            continue;
                        }
                        found.resize(data.params, None);
                        let args = found.into_iter().map(|it| it.unwrap_or(Ty::Int)).collect();
                        // A function out of something mutable could tie a knot.
                        let text = match field.mutable && self.types.has_function(ty) {
                            true => "(tick (); {0}#{1})",
                            false => "{0}#{1}",
                        };
                        ways.push((id, args, text, field.name.clone()));
                    }
                }
                Shape::Package(fields) => {
                    let name = module_type(data);
                    if *ty == Ty::Int {
                        for text in [
                            "(let module Pk = (val {0} : {1}) in Pk.pk_get (Pk.pk_mk 4))",
                            "(let module Pk = (val {0} : {1}) in let module Tw = Pk.Twice (struct let f v0 = Pk.pk_mk (Pk.pk_get v0 + 1) end) in Pk.pk_get (Tw.f Tw.one))",
                        ] {
                            ways.push((id, Vec::new(), text, name.clone()));
                        }
                    }
                    for field in fields.iter().filter(|it| it.ty == *ty) {
                        let text = "(let module Pk = (val {0} : {1}) in Pk.{2})";
                        ways.push((id, Vec::new(), text, format!("{name} {}", field.name)));
                    }
                }
                Shape::Record(_) | Shape::Variant(_) | Shape::Tags(_) => (),
            }
        }
        if ways.is_empty() {
            return None;
        }
        let (id, args, text, names) = ways.swap_remove(self.rng.below(ways.len()));
        let of = Ty::Data(id, args);
        let value = match self.rng.chance(60).then(|| self.exact(&of)).flatten() {
            Some(value) => value,
            None => self.expr(&of, size - 1),
        };
        let mut parts = vec![value];
        parts.extend(names.split(' ').map(|it| Expr::atom(Ty::Unit, it)));
        Some(Expr::op(ty.clone(), text, parts))
    }

    /// Sets a field of an object in scope, or makes a copy of it.
    pub fn change_object(&mut self, size: usize) -> Option<Expr> {
        let mut ways = Vec::new();
        for entry in self.scope.iter().filter(|it| it.lead.is_none() && it.params == 0) {
            let Ty::Data(id, args) = &entry.ty else { continue };
            let Shape::Object(fields) = &self.types.data[*id].shape else { continue };
            for field in fields {
                let whole = Expr::var(entry.ty.clone(), entry.var);
                let name = match field.mutable {
                    true => format!("set_{}", field.name),
                    false => format!("with_{}", field.name),
                };
                ways.push((whole, field.mutable, name, field.ty.subst(args)));
            }
        }
        if ways.is_empty() {
            return None;
        }
        let (whole, mutable, name, of) = ways.swap_remove(self.rng.below(ways.len()));
        let value = self.expr(&of, size - 1);
        let text = if mutable { "({0}#{1} {2})" } else { "(ignore ({0}#{1} {2}))" };
        Some(Expr::op(Ty::Unit, text, vec![whole, Expr::atom(Ty::Unit, name), value]))
    }
}
