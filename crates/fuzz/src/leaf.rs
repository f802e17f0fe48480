//! The smallest closed expression of each type: what shrinking aims at, and sample arguments.

use crate::tree::{Build, Expr, Kind, Param, Pat};
use crate::types::{Shape, Ty, Types};

/// The smallest expression of a type, without variables.
pub fn leaf(types: &Types, ty: &Ty) -> Expr {
    let one = |of: &Ty| vec![leaf(types, of)];
    let build = |build: Build, parts: Vec<Expr>| Expr::new(ty.clone(), Kind::Build(build, parts));
    match ty {
        Ty::Int | Ty::Param(_) => Expr::int(3),
        Ty::Bool => Expr::atom(Ty::Bool, "true"),
        Ty::Str => Expr::atom(Ty::Str, "\"s\""),
        Ty::Float => Expr::atom(Ty::Float, "1.5"),
        Ty::Unit => Expr::atom(Ty::Unit, "()"),
        Ty::Exn => Expr::atom(Ty::Exn, "Exit"),
        Ty::Tuple(items) => build(Build::Tuple, items.iter().map(|it| leaf(types, it)).collect()),
        Ty::List(_) => build(Build::List, Vec::new()),
        Ty::Option(_) => build(Build::Ctor("None".into(), None), Vec::new()),
        Ty::Array(of) => build(Build::Array, one(of)),
        Ty::Ref(of) => Expr::op(ty.clone(), "(ref {0})", one(of)),
        Ty::Lazy(of) => Expr::op(ty.clone(), "(lazy {0})", one(of)),
        Ty::Data(id, args) => match &types.data[*id].shape {
            Shape::Record(fields) => {
                let parts = fields.iter().map(|it| leaf(types, &it.ty.subst(args))).collect();
                build(Build::Record(fields.iter().map(|it| it.name.clone()).collect()), parts)
            }
            Shape::Gadt(ctors) => {
                let name = ctors.first().map_or(String::new(), |it| it.name.clone());
                build(Build::Ctor(name, None), args.iter().map(|it| leaf(types, it)).collect())
            }
            Shape::Object(fields) => {
                let parts = fields.iter().map(|it| leaf(types, &it.ty.subst(args))).collect();
                build(Build::Object(crate::tree::Making::New, *id), parts)
            }
            Shape::Package(fields) => {
                let func = leaf(types, &Ty::fun(&[Ty::Int], Ty::Int));
                let mut parts = vec![func.clone(), func];
                parts.extend(fields.iter().map(|it| leaf(types, &it.ty)));
                build(Build::Package(Ty::Int, *id), parts)
            }
            Shape::Variant(ctors) | Shape::Tags(ctors) => match ctors.first() {
                Some(ctor) => {
                    let parts = ctor.args.iter().map(|it| leaf(types, &it.subst(args))).collect();
                    build(Build::Ctor(ctor.name.clone(), None), parts)
                }
                None => Expr::int(0),
            },
        },
        Ty::Fun(..) => {
            let (params, result) = ty.arrows();
            let param = |it: &(crate::types::Label, Ty)| Param {
                pat: Pat::Wild,
                label: it.0,
                ty: it.1.clone(),
                default: matches!(it.0, crate::types::Label::Optional(_))
                    .then(|| leaf(types, &it.1)),
            };
            let params = params.iter().map(param).collect();
            Expr::new(ty.clone(), Kind::Fun { params, body: Box::new(leaf(types, &result)) })
        }
    }
}

/// The text of a sample argument.
pub fn leaf_text(types: &Types, ty: &Ty) -> String {
    text(types, &leaf(types, ty))
}

fn text(types: &Types, expr: &Expr) -> String {
    match &expr.kind {
        Kind::Atom(text) => text.clone(),
        Kind::Op(template, parts) => {
            template.replace("{0}", &parts.first().map(|it| text(types, it)).unwrap_or_default())
        }
        Kind::Build(build, parts) => {
            let parts: Vec<String> = parts.iter().map(|it| text(types, it)).collect();
            match build {
                Build::Tuple => format!("({})", parts.join(", ")),
                Build::List => format!("[{}]", parts.join("; ")),
                Build::Array => format!("[|{}|]", parts.join("; ")),
                Build::Ctor(name, _) if parts.is_empty() => name.clone(),
                Build::Ctor(name, _) => format!("({name} ({}))", parts.join(", ")),
                Build::Record(fields) => {
                    let fields: Vec<String> = fields
                        .iter()
                        .zip(&parts)
                        .map(|(name, it)| format!("{name} = {it}"))
                        .collect();
                    format!("{{ {} }}", fields.join("; "))
                }
                Build::Object(making, id) => {
                    crate::print::rich::object(types, *making, (*id, &expr.ty), &parts)
                }
                Build::Package(rep, id) => crate::print::rich::package(types, rep, *id, &parts),
            }
        }
        Kind::Fun { params, body } => {
            let param = |it: &Param| match it.label {
                crate::types::Label::Named(name) => format!("~{name}:_"),
                _ => "_".to_string(),
            };
            let params: Vec<String> = params.iter().map(param).collect();
            format!("(fun {} -> {})", params.join(" "), text(types, body))
        }
        _ => "(assert false)".into(),
    }
}
