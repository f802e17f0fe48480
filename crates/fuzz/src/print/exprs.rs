//! Expressions and patterns as OCaml text: everything that is not an atom is in parentheses.

use crate::globals::MODULES;
use crate::print::decls::shower;
use crate::print::names::Names;
use crate::tree::{Arg, Arm, Build, Expr, Kind, Param, Pat, Program, Var};
use crate::types::{Label, Ty};

pub struct Printer<'a> {
    pub program: &'a Program,
    pub names: Names<'a>,
    pub out: String,
    pub indent: usize,
}

/// Replaces `{0}`, `{1}`… in a text.
pub fn fill(template: &str, parts: &[String]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let hole = rest[at + 1..].split_once('}');
        match hole
            .and_then(|(number, tail)| Some((parts.get(number.parse::<usize>().ok()?)?, tail)))
        {
            Some((part, tail)) => {
                out.push_str(part);
                rest = tail;
            }
            None => {
                out.push('{');
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

fn read_by(exprs: &[&Expr]) -> Vec<Var> {
    let mut out = Vec::new();
    exprs.iter().for_each(|it| it.mentions(&mut out));
    out
}

impl Printer<'_> {
    fn line(&self) -> String {
        format!("\n{}", "  ".repeat(self.indent + 1))
    }

    pub fn text(&mut self, expr: &Expr) -> String {
        self.indent += 1;
        let text = self.expr(expr);
        self.indent -= 1;
        text
    }

    fn expr(&mut self, expr: &Expr) -> String {
        let scope = self.names.enter();
        let text = match &expr.kind {
            Kind::Atom(text) => text.clone(),
            Kind::Var(var) => self.names.get(*var).to_string(),
            Kind::Op(template, parts) => {
                let parts: Vec<String> = parts.iter().map(|it| self.text(it)).collect();
                fill(template, &parts)
            }
            Kind::Build(build, parts) => self.build(build, &expr.ty, parts),
            Kind::Show(of) => {
                format!("({} {})", shower(&self.program.types, &of.ty, "4"), self.text(of))
            }
            Kind::Call { func, args, permuted } => {
                let func = self.text(func);
                let mut args: Vec<String> = args.iter().filter_map(|it| self.arg(it)).collect();
                if *permuted {
                    args.reverse();
                }
                format!("({func} {})", args.join(" "))
            }
            Kind::Fun { params, body } => self.function(params, body),
            Kind::Let { pat, annotated, bound, body } => {
                let annotation = if *annotated {
                    format!(" : {}", self.program.types.text(&bound.ty))
                } else {
                    String::new()
                };
                let bound = self.text(bound);
                let pat = self.pat(pat, &read_by(&[body]));
                format!("(let {pat}{annotation} = {bound} in{}{})", self.line(), self.expr(body))
            }
            Kind::LetRec { binds, body } => {
                let mut scoped: Vec<&Expr> = binds.iter().map(|it| &it.1).collect();
                scoped.push(body);
                let mut read = read_by(&scoped);
                read.extend(binds.iter().map(|it| it.0));
                let names: Vec<String> =
                    binds.iter().map(|it| self.names.bind(it.0, &read)).collect();
                let texts: Vec<String> = names
                    .iter()
                    .zip(binds)
                    .map(|(name, it)| format!("{name} = {}", self.text(&it.1)))
                    .collect();
                let line = self.line();
                format!(
                    "(let rec {} in{line}{})",
                    texts.join(&format!("{line}and ")),
                    self.expr(body)
                )
            }
            Kind::LetModule { module, args, vars, body } => {
                let args: Vec<String> = args.iter().map(|it| self.text(it)).collect();
                let name = self.names.bind_module(vars, MODULES[*module].members);
                let text = fill(MODULES[*module].text, &args);
                format!("(let module {name} = {text} in{}{})", self.line(), self.expr(body))
            }
            Kind::Match { on, arms } => {
                let on = self.text(on);
                format!("(match {on} with{})", self.arms(arms))
            }
            Kind::Try { body, arms } => {
                let body = self.text(body);
                format!("(try {body} with{})", self.arms(arms))
            }
            Kind::For { var, down, from, to, body } => {
                let (from, to) = (self.text(from), self.text(to));
                let name = self.names.bind(*var, &read_by(&[body]));
                let word = if *down { "downto" } else { "to" };
                format!("(for {name} = {from} {word} {to} do {} done)", self.text(body))
            }
        };
        self.names.leave(scope);
        text
    }

    fn build(&mut self, build: &Build, ty: &Ty, parts: &[Expr]) -> String {
        let mut texts: Vec<String> = parts.iter().map(|it| self.text(it)).collect();
        match build {
            Build::Tuple => format!("({})", texts.join(", ")),
            Build::List => format!("[{}]", texts.join("; ")),
            Build::Array => format!("[|{}|]", texts.join("; ")),
            Build::Ctor(name, _) if parts.is_empty() => name.clone(),
            Build::Ctor(name, limit) => {
                if let Some(limit) = limit {
                    for (text, part) in texts.iter_mut().zip(parts) {
                        let list_of_self =
                            matches!(&part.ty, Ty::List(of) if self.is_limited(of, limit));
                        if list_of_self {
                            *text = format!("(List.map ({limit} 3) (first 3 {text}))");
                        } else if self.is_limited(&part.ty, limit) {
                            *text = format!("({limit} 3 {text})");
                        }
                    }
                }
                format!("({name} ({}))", texts.join(", "))
            }
            Build::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().zip(&texts).map(|(name, it)| format!("{name} = {it}")).collect();
                format!("{{ {} }}", fields.join("; "))
            }
            Build::Object(making, id) => {
                super::rich::object(&self.program.types, *making, (*id, ty), &texts)
            }
            Build::Package(rep, id) => super::rich::package(&self.program.types, rep, *id, &texts),
        }
    }

    /// Whether the function `limit` bounds values of the type.
    fn is_limited(&self, ty: &Ty, limit: &str) -> bool {
        let name = limit.strip_prefix("limit_").unwrap_or("");
        matches!(ty, Ty::Data(id, _) if self.program.types.data[*id].name == name)
    }

    fn arg(&mut self, arg: &Arg) -> Option<String> {
        let value = arg.value.as_ref()?;
        let text = self.text(value);
        Some(match arg.label {
            Label::None => text,
            Label::Named(name) | Label::Optional(name) => format!("~{name}:{text}"),
        })
    }

    fn function(&mut self, params: &[Param], body: &Expr) -> String {
        let mut text = "(fun".to_string();
        let mut scoped: Vec<&Expr> = params.iter().filter_map(|it| it.default.as_ref()).collect();
        scoped.push(body);
        let mut read = read_by(&scoped);
        read.extend(params.iter().flat_map(|it| it.pat.vars()));
        for param in params {
            let default = param.default.as_ref().map(|it| self.text(it));
            let pat = self.pat(&param.pat, &read);
            let labelled =
                param.ty.any(&|it| matches!(it, Ty::Fun(label, ..) if *label != Label::None));
            let ty = if labelled {
                format!(" : {}", self.program.types.text(&param.ty))
            } else {
                String::new()
            };
            text += &match (param.label, default) {
                (Label::Named(label), _) => format!(" ~{label}:({pat}{ty})"),
                (Label::Optional(label), default) => {
                    format!(" ?{label}:({pat} = {})", default.unwrap_or("0".into()))
                }
                (Label::None, _) if ty.is_empty() => format!(" {pat}"),
                (Label::None, _) => format!(" ({pat}{ty})"),
            };
        }
        format!("{text} -> {})", self.expr(body))
    }

    fn arms(&mut self, arms: &[Arm]) -> String {
        let mut text = String::new();
        for arm in arms {
            let scope = self.names.enter();
            let mut scoped = vec![&arm.body];
            scoped.extend(&arm.guard);
            let pat = self.pat(&arm.pat, &read_by(&scoped));
            let guard =
                arm.guard.as_ref().map(|it| format!(" when {}", self.text(it))).unwrap_or_default();
            text += &format!("{}| {pat}{guard} -> {}", self.line(), self.text(&arm.body));
            self.names.leave(scope);
        }
        text
    }

    /// The pattern, its variables in scope afterwards. `read` are the variables of its scope.
    fn pat(&mut self, pat: &Pat, read: &[Var]) -> String {
        let mut read = read.to_vec();
        read.extend(pat.vars());
        for var in pat.vars() {
            self.names.bind(var, &read);
        }
        self.pat_text(pat)
    }

    fn pat_text(&self, pat: &Pat) -> String {
        let all = |items: &[Pat]| items.iter().map(|it| self.pat_text(it)).collect::<Vec<_>>();
        match pat {
            Pat::Wild => "_".into(),
            Pat::Var(var) => self.names.get(*var).to_string(),
            Pat::Literal(text) => text.clone(),
            Pat::Tuple(items) => format!("({})", all(items).join(", ")),
            Pat::List(items) => format!("[{}]", all(items).join("; ")),
            Pat::Cons(head, tail) => {
                format!("({} :: {})", self.pat_text(head), self.pat_text(tail))
            }
            Pat::Ctor(name, items) if items.is_empty() => name.clone(),
            Pat::Ctor(name, items) => format!("({name} ({}))", all(items).join(", ")),
            Pat::Record(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, it)| format!("{name} = {}", self.pat_text(it)))
                    .collect();
                format!("{{ {}; _ }}", fields.join("; "))
            }
            Pat::Or(items) => format!("({})", all(items).join(" | ")),
            Pat::As(of, var) => format!("({} as {})", self.pat_text(of), self.names.get(*var)),
        }
    }
}
