//! Declared types of programs of the profile `rich`, and the values that are written by them.
//!
//! ```text
//! type _ g0 = Any0 : 'a -> 'a g0 | …          show_g0, eval_g0
//! type o0 = < m0 : int; set_m0 : … >          show_o0, class cls_o0, class sub_o0, which inherits from it
//! module type PK_p0 = sig type t … end        type p0 = (module PK_p0), show_p0
//! ```
//!
//! What only a template reads has a name that no variable of a program gets.

use std::fmt::Write as _;

use crate::print::decls::shower;
use crate::print::exprs::fill;
use crate::tree::Making;
use crate::types::{Data, Field, GadtCtor, Shape, Ty, Types};

/// The name of the module type of a packed module.
pub fn module_type(data: &Data) -> String {
    format!("PK_{}", data.name)
}

pub fn class_names(data: &Data) -> [String; 2] {
    ["cls", "sub"].map(|it| format!("{it}_{}", data.name))
}

/// Declares the type if it is one of those here, with the functions and classes that belong to it.
pub fn declare(types: &Types, data: &Data, out: &mut String) -> bool {
    match &data.shape {
        Shape::Gadt(ctors) => gadt(types, data, ctors, out),
        Shape::Object(fields) => classes(types, data, fields, out),
        Shape::Package(fields) => signature(types, data, fields, out),
        Shape::Record(_) | Shape::Variant(_) | Shape::Tags(_) => return false,
    }
    true
}

fn gadt(types: &Types, data: &Data, ctors: &[GadtCtor], out: &mut String) {
    let name = &data.name;
    let _ = writeln!(out, "type _ {name} =");
    for ctor in ctors {
        let args: Vec<String> = ctor.args.iter().map(|it| types.text(it)).collect();
        let (args, result) = (args.join(" * "), types.text(&ctor.result));
        let _ = writeln!(out, "  | {} : {args} -> {result} {name}", ctor.name);
    }
    let vars = |ctor: &GadtCtor| -> Vec<String> {
        (0..ctor.args.len()).map(|it| format!("x{it}")).collect()
    };
    let _ = writeln!(
        out,
        "let rec show_{name} : type a. (a -> string) -> int -> a {name} -> string =\n  \
         fun s0 d x -> if d = 0 then \".\" else match x with"
    );
    for ctor in ctors {
        let vars = vars(ctor);
        let _ = write!(out, "  | {} ({}) -> ", ctor.name, vars.join(", "));
        if ctor.result != Ty::Param(0) {
            // What the constructor hides is not shown.
            out.push_str("let s0 _ = \"?\" in ");
        }
        let _ = write!(out, "let s1 _ = \"?\" in ignore s0; ignore s1; \"{}\"", ctor.name);
        for (var, ty) in vars.iter().zip(&ctor.args) {
            let shown = match ty {
                Ty::Fun(..) if ty.any(&|it| matches!(it, Ty::Param(_))) => continue,
                // A function whose argument is hidden cannot be called here.
                Ty::Data(_, args) if args.iter().any(|it| matches!(it, Ty::Fun(..))) => {
                    format!("(show_{name} (fun _ -> \"fun\") (d - 1))")
                }
                _ => shower(types, ty, "(d - 1)"),
            };
            let _ = write!(out, " ^ \" \" ^ {shown} {var}");
        }
        out.push('\n');
    }
    let _ = writeln!(
        out,
        "let rec eval_{name} : type a. a {name} -> a = fun x -> tick (); match x with"
    );
    for ctor in ctors {
        let vars = vars(ctor);
        let body = fill(&ctor.eval, &vars);
        let _ = writeln!(out, "  | {} ({}) -> {body}", ctor.name, vars.join(", "));
    }
}

/// The type parameters in front of a name.
fn params(data: &Data) -> &'static str {
    if data.params == 0 { "" } else { "'a " }
}

/// The method of a field that takes a value.
fn giving(field: &Field) -> String {
    format!("{}_{}", if field.mutable { "set" } else { "with" }, field.name)
}

fn classes(types: &Types, data: &Data, fields: &[Field], out: &mut String) {
    let (name, params) = (&data.name, params(data));
    let methods: Vec<String> = fields
        .iter()
        .map(|it| {
            let ty = types.text(&it.ty);
            let made = if it.mutable { "unit".into() } else { format!("{params}{name}") };
            format!("{} : {ty}; {} : {ty} -> {made}", it.name, giving(it))
        })
        .collect();
    let _ = writeln!(out, "type {params}{name} = < {} >", methods.join("; "));
    let [class, heir] = class_names(data);
    let brackets = if data.params == 0 { "" } else { "['a] " };
    let taken: Vec<String> =
        fields.iter().map(|it| format!("(arg_{} : {})", it.name, types.text(&it.ty))).collect();
    let _ = writeln!(out, "class {brackets}{class} {} = object", taken.join(" "));
    for field in fields {
        let ty = types.text(&field.ty);
        members(field, &format!("arg_{}", field.name), &ty, out);
    }
    let _ = writeln!(out, "end");
    let names: Vec<String> = fields.iter().map(|it| format!("arg_{}", it.name)).collect();
    let _ = writeln!(
        out,
        "class {brackets}{heir} {} = object (this)\n  inherit {brackets}{class} {} as super",
        taken.join(" "),
        names.join(" ")
    );
    for field in fields {
        let changed = match &field.ty {
            Ty::Int => format!("super#{0} + 1", field.name),
            Ty::Str => format!("cat super#{} \"!\"", field.name),
            Ty::Bool => format!("not super#{}", field.name),
            Ty::List(_) => format!("List.rev super#{}", field.name),
            _ => continue,
        };
        let _ = writeln!(out, "  method! {} = {changed}", field.name);
    }
    let _ = writeln!(out, "  method again = ignore this#{}; this\nend", fields[0].name);
    let shown: Vec<String> =
        fields.iter().map(|it| format!("{} x#{}", shower(types, &it.ty, "d"), it.name)).collect();
    let shower = if data.params == 0 { "" } else { "s0 " };
    let _ = writeln!(
        out,
        "let show_{name} {shower}d (x : {params}{name}) = ignore d; \"<\" ^ {} ^ \">\"",
        shown.join(" ^ \"; \" ^ ")
    );
}

/// The instance variable of a field and its two methods.
fn members(field: &Field, value: &str, ty: &str, out: &mut String) {
    let name = &field.name;
    if field.mutable {
        let _ = writeln!(
            out,
            "  val mutable iv_{name} : {ty} = {value} method {name} = iv_{name} \
             method set_{name} (new_{name} : {ty}) = iv_{name} <- new_{name}"
        );
    } else {
        let _ = writeln!(
            out,
            "  val iv_{name} : {ty} = {value} method {name} = iv_{name} \
             method with_{name} (new_{name} : {ty}) = {{< iv_{name} = new_{name} >}}"
        );
    }
}

/// An object with these values for its fields.
pub fn object(types: &Types, making: Making, (id, ty): (usize, &Ty), parts: &[String]) -> String {
    let data = &types.data[id];
    let Shape::Object(fields) = &data.shape else { return String::new() };
    let args = match ty {
        Ty::Data(_, args) => args.as_slice(),
        _ => &[],
    };
    let [class, heir] = class_names(data);
    let text = types.text(ty);
    match making {
        Making::New => format!("(new {class} {} : {text})", parts.join(" ")),
        Making::Heir => {
            let args = text.strip_suffix(data.name.as_str()).unwrap_or("");
            format!("(new {heir} {} : {args}{heir} :> {text})", parts.join(" "))
        }
        Making::Immediate => {
            let mut body = String::new();
            for (field, part) in fields.iter().zip(parts) {
                members(field, part, &types.text(&field.ty.subst(args)), &mut body);
            }
            format!("(object\n{body}end : {text})")
        }
    }
}

fn signature(types: &Types, data: &Data, fields: &[Field], out: &mut String) {
    let (name, signature) = (&data.name, module_type(data));
    let _ = writeln!(
        out,
        "module type {signature} = sig\n  type t\n  val pk_mk : int -> t\n  val pk_get : t -> int"
    );
    for field in fields {
        let _ = writeln!(out, "  val {} : {}", field.name, types.text(&field.ty));
    }
    let _ = writeln!(
        out,
        "  module Twice : functor (X : sig val f : t -> t end) -> sig val f : t -> t val one : t end\nend"
    );
    let shown: Vec<String> =
        fields.iter().map(|it| format!("{} P.{}", shower(types, &it.ty, "d"), it.name)).collect();
    let _ = writeln!(
        out,
        "type {name} = (module {signature})\nlet show_{name} d (module P : {signature}) = ignore d; \
         \"(\" ^ show_int (P.pk_get (P.pk_mk 5)){} ^ \")\"",
        shown.iter().map(|it| format!(" ^ \"; \" ^ {it}")).collect::<String>()
    );
}

/// A packed module whose hidden type is `rep`.
pub fn package(types: &Types, rep: &Ty, id: usize, parts: &[String]) -> String {
    let data = &types.data[id];
    let Shape::Package(fields) = &data.shape else { return String::new() };
    let mut text = format!("(module struct\n  type t = {}", types.text(rep));
    let names = ["pk_mk", "pk_get"].into_iter().chain(fields.iter().map(|it| it.name.as_str()));
    for (name, part) in names.zip(parts) {
        let _ = write!(text, "\n  let {name} = {part}");
    }
    text.push_str(
        "\n  module Twice (X : sig val f : t -> t end) = struct let one = pk_mk 1 let f v0 = X.f (X.f v0) end",
    );
    let _ = write!(text, "\nend : {})", module_type(data));
    text
}
