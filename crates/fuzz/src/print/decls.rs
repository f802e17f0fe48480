//! The types and exceptions of a program, and the functions that show its values.

use std::fmt::Write as _;

use crate::tree::Program;
use crate::types::{Data, Shape, Ty, Types};

/// The declarations that the items need: those whose names they mention, and what those need.
pub fn text(program: &Program, items: &str) -> String {
    let types = &program.types;
    let mut needed = vec![false; types.data.len()];
    let mut text = String::new();
    for exn in &types.exns {
        if exn.name.starts_with("Exn") && has_word(items, &exn.name) {
            let _ = writeln!(text, "exception {}{}", exn.name, arguments(types, &exn.args));
            exn.args.iter().for_each(|it| need(types, it, &mut needed));
        }
    }
    for (id, data) in types.data.iter().enumerate() {
        if !data.preset && names(data).iter().any(|it| has_word(items, it)) {
            need(types, &Ty::Data(id, Vec::new()), &mut needed);
        }
    }
    let mut decls = String::new();
    for (id, data) in types.data.iter().enumerate() {
        if needed[id] && !data.preset {
            if !super::rich::declare(types, data, &mut decls) {
                declare(types, data, &mut decls);
                show(types, data, &mut decls);
            }
            if data.recursive && has_word(items, &format!("limit_{}", data.name)) {
                limit(data, id, &mut decls);
            }
        }
    }
    decls + &text
}

/// Marks the declared types inside a type.
fn need(types: &Types, ty: &Ty, needed: &mut [bool]) {
    let found = std::cell::RefCell::new(Vec::new());
    ty.any(&|it| {
        if let Ty::Data(id, _) = it {
            found.borrow_mut().push(*id);
        }
        false
    });
    for id in found.into_inner() {
        if !std::mem::replace(&mut needed[id], true) {
            types.members(id).iter().for_each(|it| need(types, &it.1, needed));
            if let Some(part) = types.data[id].includes {
                need(types, &Ty::Data(part, Vec::new()), needed);
            }
        }
    }
}

/// The words by which a text refers to a declared type.
fn names(data: &Data) -> Vec<String> {
    let mut names = vec![data.name.clone(), format!("show_{}", data.name)];
    match &data.shape {
        Shape::Record(fields) => names.extend(fields.iter().map(|it| it.name.clone())),
        Shape::Variant(ctors) => names.extend(ctors.iter().map(|it| it.name.clone())),
        Shape::Tags(ctors) => names.extend(ctors.iter().map(|it| it.name.replace('`', ""))),
        Shape::Gadt(ctors) => {
            names.extend(ctors.iter().map(|it| it.name.clone()));
            names.push(format!("eval_{}", data.name));
        }
        Shape::Object(_) => names.extend(super::rich::class_names(data)),
        Shape::Package(_) => names.push(super::rich::module_type(data)),
    }
    names
}

pub fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|it| it == word)
}

pub(super) fn arguments(types: &Types, args: &[Ty]) -> String {
    let args: Vec<_> = args.iter().map(|it| types.text(it)).collect();
    if args.is_empty() { String::new() } else { format!(" of {}", args.join(" * ")) }
}

fn declare(types: &Types, data: &Data, out: &mut String) {
    let params = match data.params {
        0 => "",
        1 => "'a ",
        _ => "('a, 'b) ",
    };
    let body: Vec<String> = match &data.shape {
        Shape::Record(fields) => {
            let field = |it: &crate::types::Field| {
                format!(
                    "{}{} : {}",
                    if it.mutable { "mutable " } else { "" },
                    it.name,
                    types.text(&it.ty)
                )
            };
            vec![format!("{{ {} }}", fields.iter().map(field).collect::<Vec<_>>().join("; "))]
        }
        Shape::Variant(ctors) => {
            ctors.iter().map(|it| format!("{}{}", it.name, arguments(types, &it.args))).collect()
        }
        Shape::Tags(ctors) => {
            let included = data.includes.map(|it| types.data[it].name.clone());
            let tags = ctors.iter().map(|it| format!("{}{}", it.name, arguments(types, &it.args)));
            vec![format!(
                "[ {} ]",
                included.into_iter().chain(tags).collect::<Vec<_>>().join(" | ")
            )]
        }
        Shape::Gadt(_) | Shape::Object(_) | Shape::Package(_) => Vec::new(),
    };
    let _ = writeln!(out, "type {params}{} = {}", data.name, body.join(" | "));
}

fn show(types: &Types, data: &Data, out: &mut String) {
    let params = ["s0 ", "s1 "][..data.params].concat();
    let rec = if data.recursive { "rec " } else { "" };
    let _ = write!(out, "let {rec}show_{} {params}d x = ", data.name);
    match &data.shape {
        Shape::Record(fields) => {
            let parts: Vec<String> = fields
                .iter()
                .map(|it| format!("{} x.{}", shower(types, &it.ty, "d"), it.name))
                .collect();
            let _ = writeln!(out, "\"{{\" ^ {} ^ \"}}\"", parts.join(" ^ \"; \" ^ "));
        }
        Shape::Gadt(_) | Shape::Object(_) | Shape::Package(_) => (),
        Shape::Variant(ctors) | Shape::Tags(ctors) => {
            out.push_str("if d = 0 then \".\" else match x with");
            for ctor in ctors {
                let vars: Vec<String> = (0..ctor.args.len()).map(|it| format!("x{it}")).collect();
                let pattern =
                    if vars.is_empty() { String::new() } else { format!(" ({})", vars.join(", ")) };
                let _ = write!(out, " | {}{pattern} -> \"{}\"", ctor.name, ctor.name);
                for (var, ty) in vars.iter().zip(&ctor.args) {
                    let _ = write!(out, " ^ \" \" ^ {} {var}", shower(types, ty, "(d - 1)"));
                }
            }
            out.push('\n');
        }
    }
}

/// The function that cuts a recursive value at a depth.
fn limit(data: &Data, id: usize, out: &mut String) {
    let (Shape::Variant(ctors) | Shape::Tags(ctors)) = &data.shape else { return };
    let name = format!("limit_{}", data.name);
    let first = ctors.first().map_or("", |it| &it.name);
    let _ = write!(out, "let rec {name} d x = match x with");
    for ctor in ctors {
        let vars: Vec<String> = (0..ctor.args.len()).map(|it| format!("x{it}")).collect();
        let is_self = |ty: &Ty| matches!(ty, Ty::Data(it, _) if *it == id);
        let part = |(var, ty): (&String, &Ty)| match ty {
            Ty::List(of) if is_self(of) => format!("List.map ({name} (d - 1)) {var}"),
            ty if is_self(ty) => format!("{name} (d - 1) {var}"),
            _ => var.clone(),
        };
        let parts: Vec<String> = vars.iter().zip(&ctor.args).map(part).collect();
        if parts.is_empty() {
            let _ = write!(out, " | {} -> x", ctor.name);
        } else {
            let (vars, parts) = (vars.join(", "), parts.join(", "));
            let _ = write!(
                out,
                " | {0} ({vars}) -> if d = 0 then {first} else {0} ({parts})",
                ctor.name
            );
        }
    }
    out.push('\n');
}

/// A function from values of a type to their text. `depth` bounds recursive values.
pub fn shower(types: &Types, ty: &Ty, depth: &str) -> String {
    let inner = |ty: &Ty| shower(types, ty, depth);
    match ty {
        Ty::Int => "show_int".into(),
        Ty::Bool => "show_bool".into(),
        Ty::Str => "show_string".into(),
        Ty::Float => "show_float".into(),
        Ty::Unit => "show_unit".into(),
        Ty::Exn => "show_exn".into(),
        Ty::Param(index) => format!("s{index}"),
        Ty::List(of) => format!("(show_list {})", inner(of)),
        Ty::Option(of) => format!("(show_option {})", inner(of)),
        Ty::Ref(of) => format!("(show_ref {})", inner(of)),
        Ty::Array(of) => format!("(show_array {})", inner(of)),
        Ty::Lazy(of) => format!("(show_lazy {})", inner(of)),
        Ty::Tuple(items) => {
            let vars: Vec<String> = (0..items.len()).map(|it| format!("t{it}")).collect();
            let parts: Vec<String> =
                vars.iter().zip(items).map(|(var, ty)| format!("{} {var}", inner(ty))).collect();
            format!("(fun ({}) -> \"(\" ^ {} ^ \")\")", vars.join(", "), parts.join(" ^ \", \" ^ "))
        }
        Ty::Data(id, args) => {
            let args: Vec<String> = args.iter().map(inner).collect();
            format!("(show_{} {} {depth})", types.data[*id].name, args.join(" "))
        }
        Ty::Fun(..) => {
            // Shown by what it gives for some arguments.
            let (params, result) = ty.arrows();
            let args: Vec<String> = params
                .iter()
                .map(|(label, ty)| {
                    let value = crate::leaf::leaf_text(types, ty);
                    match label {
                        crate::types::Label::Named(name) => format!("~{name}:{value}"),
                        _ => value,
                    }
                })
                .collect();
            format!(
                "(fun fn -> \"<\" ^ probe (fun () -> {} (fn {})) ^ \">\")",
                inner(&result),
                args.join(" ")
            )
        }
    }
}
