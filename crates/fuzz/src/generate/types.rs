//! Random types, and the declarations of a program.

use crate::globals;
use crate::types::{Ctor, Data, Field, Label, Shape, Ty};

use super::Generator;

impl Generator {
    /// Declares records, variants and exceptions.
    pub fn declare_types(&mut self) {
        self.types.data = globals::presets();
        for index in 0..self.rng.range(1, 4) {
            let params = if self.rng.chance(30) { 1 } else { 0 };
            let data = if self.rng.chance(50) {
                self.record(index, params)
            } else {
                self.variant(index, params)
            };
            self.types.data.push(data);
        }
        if self.profile == super::Profile::Rich {
            self.declare_rich_types();
        }
        self.types.exns = globals::exceptions();
        for index in 0..self.rng.range(1, 4) {
            let args = match self.rng.below(4) {
                0 => Vec::new(),
                1 => vec![Ty::Int],
                2 => vec![self.ty(2)],
                _ => vec![self.ty(1), self.ty(2)],
            };
            // `ocamlopt` makes no object for `lazy "s"`, and printing an exception shows it.
            let args = args.into_iter().map(|it| match it {
                Ty::Lazy(of) => *of,
                it => it,
            });
            self.types.exns.push(Ctor { name: format!("Exn{index}"), args: args.collect() });
        }
    }

    fn record(&mut self, index: i64, params: usize) -> Data {
        let mut fields = Vec::new();
        for field in 0..self.rng.range(1, 5) {
            let ty = if params > 0 && self.rng.chance(40) { Ty::Param(0) } else { self.ty(3) };
            fields.push(Field {
                name: format!("f{index}_{field}"),
                mutable: self.rng.chance(50),
                ty,
            });
        }
        if params > 0 {
            fields.push(Field {
                name: format!("f{index}_last"),
                mutable: self.rng.chance(50),
                ty: Ty::Param(0),
            });
        }
        Data {
            name: format!("rec{index}"),
            params,
            shape: Shape::Record(fields),
            recursive: false,
            preset: false,
            includes: None,
        }
    }

    fn variant(&mut self, index: i64, params: usize) -> Data {
        let name = format!("var{index}");
        let id = self.types.data.len();
        let myself = Ty::Data(id, (0..params).map(Ty::Param).collect());
        let recursive = self.rng.chance(60);
        let mut ctors = vec![Ctor { name: format!("A{index}"), args: Vec::new() }];
        for (at, letter) in
            ["B", "C", "D", "E"].iter().take(self.rng.range(1, 4) as usize).enumerate()
        {
            let mut args = Vec::new();
            for _ in 0..self.rng.below(3) {
                let ty = match self.rng.below(10) {
                    0..=3 if recursive => myself.clone(),
                    4 if recursive => Ty::list(myself.clone()),
                    0..=4 if params > 0 => Ty::Param(0),
                    _ => self.ty(2),
                };
                args.push(ty);
            }
            if at == 0 && args.is_empty() {
                args.push(if params > 0 { Ty::Param(0) } else { Ty::Int });
            }
            if at == 0 && recursive {
                args.push(myself.clone());
            }
            ctors.push(Ctor { name: format!("{letter}{index}"), args });
        }
        Data {
            name,
            params,
            shape: Shape::Variant(ctors),
            recursive,
            preset: false,
            includes: None,
        }
    }

    /// A type of about the given size.
    pub fn ty(&mut self, size: usize) -> Ty {
        if size > 0 && !self.scope.is_empty() && self.rng.chance(25) {
            let at = self.rng.below(self.scope.len());
            let ty = self.scope[at].ty.clone();
            let plain = |it: &Ty| !matches!(it, Ty::Param(_) | Ty::Fun(Label::Optional(_), ..));
            if ty.size() <= 9 && !ty.any(&|it| !plain(it)) {
                return ty;
            }
        }
        if size == 0 {
            return self
                .rng
                .pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Bool, Ty::Str, Ty::Float, Ty::Unit])
                .clone();
        }
        let less = size - 1;
        match self.rng.weighted(&[6, 2, 3, 1, 1, 3, 3, 2, 2, 1, 1, 4, 6, 1]) {
            0 => Ty::Int,
            1 => Ty::Bool,
            2 => Ty::Str,
            3 => Ty::Float,
            4 => Ty::Unit,
            5 => {
                let count = self.rng.range(2, 3) as usize;
                Ty::Tuple((0..count).map(|_| self.ty(less / 2)).collect())
            }
            6 => Ty::list(self.ty(less)),
            7 => Ty::option(self.ty(less)),
            8 => Ty::reference(self.ty(less)),
            9 => Ty::array(self.ty(less)),
            10 => Ty::Lazy(Box::new(self.ty(less))),
            11 => self.data_type(less),
            12 => self.function_type(less),
            _ => Ty::Exn,
        }
    }

    fn data_type(&mut self, size: usize) -> Ty {
        let id = self.rng.below(self.types.data.len());
        if let Shape::Gadt(_) = self.types.data[id].shape {
            return Ty::Data(id, vec![self.index()]);
        }
        let params = self.types.data[id].params;
        Ty::Data(id, (0..params).map(|_| self.ty(size / 2)).collect())
    }

    /// A function of one to four arguments, sometimes with a label.
    pub fn function_type(&mut self, size: usize) -> Ty {
        let count = 1 + self.rng.weighted(&[5, 4, 2, 1]);
        let mut ty = self.ty(size / 2);
        for _ in 0..count {
            let param = self.ty(size / 2);
            let label = if self.rng.chance(4) {
                Label::Named(if self.rng.chance(50) { "a" } else { "b" })
            } else {
                Label::None
            };
            // A label that comes twice would be ambiguous in any order but one.
            let label =
                if ty.arrows().0.iter().any(|it| it.0 == label) { Label::None } else { label };
            ty = Ty::Fun(label, Box::new(param), Box::new(ty));
        }
        // A function that ends in labels only could not be applied without them.
        match &ty {
            Ty::Fun(..) if ty.arrows().0.last().is_some_and(|it| it.0 != Label::None) => {
                let (params, result) = ty.arrows();
                let params: Vec<Ty> = params.into_iter().map(|it| it.1).collect();
                Ty::fun(&params, result)
            }
            _ => ty,
        }
    }
}
