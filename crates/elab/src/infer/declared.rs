//! Declarations as OCaml's prompt tells them.
//!
//! ```text
//! type 'a t = A | B of 'a * int        exception E of int
//! module M : sig val x : int end       module type S = sig type t end
//! ```

use oxbow_base::Symbol;
use oxbow_base::doc::{Doc, SPACE};
use oxbow_psg::ExnId;

use crate::ast::{self, ItemKind};
use crate::types::{FieldInfo, TyConId, TyConKind, TypeId};

use super::Infer;
use super::env::{Ctor, Module, ModuleTypeDef, Structure, Value};
use super::phrase::{type_doc, value_name};
use super::print::Printer;

impl Infer<'_> {
    /// What an item declares, if it is no value.
    pub(super) fn declarations(&mut self, item: &ast::Item, structure: &Structure) -> Vec<Doc> {
        match &item.kind {
            ItemKind::External(external) => {
                let Some(value) = structure.values.get(&external.name.text) else {
                    return Vec::new();
                };
                let ty = type_doc(&self.show(value.ty));
                let name = format!("external {} :", value_name(external.name.text));
                let prims: Vec<String> =
                    external.prims.iter().map(|it| format!("\"{it}\"")).collect();
                let parts = vec![
                    Doc::text(name),
                    SPACE,
                    ty,
                    SPACE,
                    Doc::text(format!("= {}", prims.join(" "))),
                ];
                vec![Doc::hov(2, parts)]
            }
            ItemKind::Type { decls, .. } => {
                let cons = decls.iter().filter_map(|it| structure.types.get(&it.name.text));
                let cons: Vec<TyConId> = cons.copied().collect();
                cons.iter().enumerate().map(|(at, &it)| self.type_decl(it, at == 0)).collect()
            }
            ItemKind::Exception(decl) => match structure.ctors.get(&decl.name.text) {
                Some(Ctor::Exn(exn)) => vec![self.exn_decl(*exn)],
                _ => Vec::new(),
            },
            ItemKind::Module { name, body } => match structure.modules.get(&name.text) {
                Some(module) => match stated(body) {
                    Some(ty) => vec![Doc::text(format!("module {} : {ty}", name.text))],
                    None => vec![self.module_decl(name.text, module)],
                },
                None => Vec::new(),
            },
            ItemKind::RecModules(modules) => {
                let known = modules.iter().filter_map(|it| {
                    Some((it.name.text, structure.modules.get(&it.name.text)?.clone()))
                });
                let known: Vec<_> = known.collect();
                known.iter().map(|it| self.module_decl(it.0, &it.1)).collect()
            }
            ItemKind::ModuleType { name, .. } => match structure.module_types.get(&name.text) {
                Some(def) => vec![self.module_type_decl(name.text, def)],
                None => Vec::new(),
            },
            ItemKind::Include(_) => self.items_of(structure),
            ItemKind::Class(decls) => {
                decls.iter().map(|it| Doc::text(format!("class {}", it.name.text))).collect()
            }
            ItemKind::ClassType(decls) => {
                let name = |it: &ast::ClassDecl<_>| format!("class type {}", it.name.text);
                decls.iter().map(|it| Doc::text(name(it))).collect()
            }
            ItemKind::Let { .. }
            | ItemKind::Eval(_)
            | ItemKind::Extend(_)
            | ItemKind::Open(_)
            | ItemKind::Members(_)
            | ItemKind::Broken(_)
            | ItemKind::Attribute(_)
            | ItemKind::Error(_) => Vec::new(),
        }
    }

    pub(super) fn value_doc(&self, name: Symbol, value: &Value) -> Doc {
        let ty = type_doc(&self.show(value.ty));
        Doc::hov(2, vec![Doc::text(format!("val {} :", value_name(name))), SPACE, ty])
    }

    /// `type t = …`, or `and t = …`.
    pub(super) fn type_decl(&self, con: TyConId, first: bool) -> Doc {
        let decl = &self.types.tycons[con];
        let mut printer = Printer::new(&self.types);
        let params: Vec<String> = decl.params.iter().map(|&it| printer.show(it)).collect();
        let params = match &params[..] {
            [] => String::new(),
            [one] => format!("{one} "),
            many => format!("({}) ", many.join(", ")),
        };
        let keyword = if first { "type" } else { "and" };
        let head = Doc::text(format!("{keyword} {params}{}", decl.name));
        let private = if decl.private { " private" } else { "" };
        let mut parts = vec![head];
        match &decl.kind {
            TyConKind::Alias(of) => {
                parts.extend([Doc::text(format!(" ={private}")), SPACE]);
                parts.push(type_doc(&printer.show(*of)));
                return Doc::hov(2, parts);
            }
            // What is in an object is nobody else's business.
            TyConKind::Record(fields) if is_class(fields) => (),
            TyConKind::Record(fields) => {
                parts.push(Doc::text(format!(" ={private} {{")));
                parts.extend(record(fields, &mut printer));
            }
            TyConKind::Variant(ctors) if ctors.is_empty() => {
                parts.push(Doc::text(format!(" ={private} |")))
            }
            TyConKind::Variant(ctors) => {
                parts.extend([Doc::text(format!(" ={private}")), Doc::Break(1, 2)]);
                for (at, ctor) in ctors.iter().enumerate() {
                    if at > 0 {
                        parts.extend([SPACE, Doc::text("| ")]);
                    }
                    let result = ctor.own.as_ref().map(|it| (con, it.args.clone()));
                    let inline = ctor.inline_record;
                    let of = self.arguments(&ctor.args, inline, result, &mut printer);
                    parts.push(Doc::hov(2, [vec![Doc::text(ctor.name.as_str())], of].concat()));
                }
            }
            TyConKind::Open => parts.push(Doc::text(" = ..")),
            TyConKind::Builtin(_)
            | TyConKind::Abstract { .. }
            | TyConKind::InlineRecord { .. }
            | TyConKind::Pending => (),
        }
        Doc::hv(2, parts)
    }

    /// What stands behind the name of a constructor.
    fn arguments(
        &self,
        args: &[TypeId],
        inline: Option<TyConId>,
        result: Option<(TyConId, Vec<TypeId>)>,
        printer: &mut Printer<'_>,
    ) -> Vec<Doc> {
        let mut out = Vec::new();
        let word = if result.is_some() { " :" } else { " of" };
        if let Some(TyConKind::InlineRecord { fields, .. }) =
            inline.map(|it| &self.types.tycons[it].kind)
        {
            out.extend([Doc::text(word), SPACE, Doc::text("{")]);
            out.push(Doc::hov(2, record(fields, printer)));
        } else if !args.is_empty() {
            let shown = args.iter().map(|&it| Doc::text(printer.show_part(it)));
            out.extend([Doc::text(word), SPACE]);
            out.extend(Doc::joined(shown, &[Doc::text(" *"), SPACE]));
        }
        if let Some((con, types)) = result {
            let arrow = if args.is_empty() { " :" } else { " ->" };
            out.extend([Doc::text(arrow), SPACE, Doc::text(printer.show_con(con, &types))]);
        }
        out
    }

    pub(super) fn exn_decl(&self, exn: ExnId) -> Doc {
        let info = &self.types.exns[exn];
        let mut printer = Printer::new(&self.types);
        let of = self.arguments(&info.args, info.inline_record, None, &mut printer);
        Doc::hov(2, [vec![Doc::text(format!("exception {}", info.name))], of].concat())
    }

    pub(super) fn module_decl(&mut self, name: Symbol, module: &Module) -> Doc {
        let body = match module {
            // Inside, types have no path.
            Module::Structure(it) => without(self.signature_doc(it), &format!("{name}.")),
            Module::Functor(_) => Doc::text("functor … -> …"),
            Module::Later(_) | Module::Error => Doc::text("…"),
        };
        Doc::hov(2, vec![Doc::text(format!("module {name} :")), SPACE, body])
    }

    fn module_type_decl(&mut self, name: Symbol, def: &ModuleTypeDef) -> Doc {
        let ModuleTypeDef::Closure(closure) = def else {
            return Doc::text(format!("module type {name}"));
        };
        let mark = self.diagnostics.mark();
        let module = self.frozen_module_type(&closure.1, &closure.0);
        self.diagnostics.rollback(mark);
        let body = match &module {
            Module::Structure(it) => self.signature_doc(it),
            _ => Doc::text("…"),
        };
        Doc::hov(2, vec![Doc::text(format!("module type {name} =")), SPACE, body])
    }

    fn signature_doc(&mut self, structure: &Structure) -> Doc {
        let items = self.items_of(structure);
        if items.is_empty() {
            return Doc::text("sig end");
        }
        let mut parts = vec![Doc::text("sig"), SPACE];
        parts.extend(Doc::joined(items, &[SPACE]));
        parts.extend([Doc::Break(1, -2), Doc::text("end")]);
        Doc::hv(2, parts)
    }

    /// Everything in a structure, in the order of the text.
    fn items_of(&mut self, structure: &Structure) -> Vec<Doc> {
        let mut items: Vec<(u32, u32, Doc)> = Vec::new();
        for (&name, &con) in &structure.types {
            let at = self.types.tycons[con].span.map_or(0, |it| it.start);
            items.push((at, 0, self.type_decl_as(name, con)));
        }
        for ctor in structure.ctors.values() {
            if let Ctor::Exn(exn) = ctor {
                items.push((self.types.exns[*exn].span.start, 0, self.exn_decl(*exn)));
            }
        }
        for (&name, value) in &structure.values {
            items.push((value.span.start, 1, self.value_doc(name, value)));
        }
        for (&name, module) in &structure.modules.clone() {
            let at = self.place_in(module);
            items.push((at, 2, self.module_decl(name, module)));
        }
        for (&name, def) in &structure.module_types.clone() {
            items.push((u32::MAX, 3, self.module_type_decl(name, def)));
        }
        items.sort_by_key(|it| (it.0, it.1));
        items.into_iter().map(|it| it.2).collect()
    }

    /// The same under the name that it has in a structure.
    fn type_decl_as(&self, name: Symbol, con: TyConId) -> Doc {
        let decl = &self.types.tycons[con];
        if decl.name == name && decl.path == name.as_str() || decl.span.is_some() {
            return self.type_decl(con, true);
        }
        Doc::hov(2, vec![Doc::text(format!("type {name} =")), SPACE, Doc::text(decl.path.clone())])
    }

    /// Where the first thing of a module stands.
    fn place_in(&self, module: &Module) -> u32 {
        let Module::Structure(it) = module else { return u32::MAX };
        let values = it.values.values().map(|it| it.span.start);
        let types = it.types.values().filter_map(|&it| self.types.tycons[it].span);
        values.chain(types.map(|it| it.start)).min().unwrap_or(u32::MAX)
    }
}

/// A text without a prefix of its names.
fn without(doc: Doc, prefix: &str) -> Doc {
    match doc {
        Doc::Text(text) => {
            let mut out = String::with_capacity(text.len());
            for (at, part) in text.split(prefix).enumerate() {
                let is_inside = |it: char| it.is_alphanumeric() || "_'.".contains(it);
                if at > 0 && out.ends_with(is_inside) {
                    out.push_str(prefix);
                }
                out.push_str(part);
            }
            Doc::Text(out)
        }
        Doc::Box(kind, indent, parts) => {
            Doc::Box(kind, indent, parts.into_iter().map(|it| without(it, prefix)).collect())
        }
        other @ Doc::Break(..) => other,
    }
}

/// The name of the module type that a module is declared with.
fn stated(module: &ast::ModuleExpr) -> Option<String> {
    match &module.kind {
        ast::ModuleExprKind::Constraint(_, ty) => match &ty.kind {
            ast::ModuleTypeKind::Path(path) if path.prefix.is_none() => {
                Some(path.name.text.to_string())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Are these the fields of a class of Clef?
pub(super) fn is_class(fields: &[FieldInfo]) -> bool {
    fields.first().is_some_and(|it| it.role == ast::FieldRole::Number)
}

/// The fields of a record and the brace behind them.
fn record(fields: &[FieldInfo], printer: &mut Printer<'_>) -> Vec<Doc> {
    let mut parts = Vec::new();
    for field in fields {
        let mutable = if field.mutable { "mutable " } else { "" };
        let mut ty = printer.show(field.ty);
        if !field.vars.is_empty() {
            let vars: Vec<String> = field.vars.iter().map(|&it| printer.show(it)).collect();
            ty = format!("{}. {ty}", vars.join(" "));
        }
        parts.push(SPACE);
        let name = Doc::text(format!("{mutable}{} :", field.name));
        parts.push(Doc::hov(2, vec![name, SPACE, type_doc(&ty), Doc::text(";")]));
    }
    parts.extend([Doc::Break(1, -2), Doc::text("}")]);
    parts
}
