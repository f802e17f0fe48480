//! The parts of a signature.

use oxbow_elab::ast::{SigItem, SigItemKind};

use crate::model::Sort;

use super::structure::{Body, Element, What, parts};

pub fn elements(items: &[SigItem]) -> Vec<Element<'_>> {
    items.iter().flat_map(element).collect()
}

fn element(item: &SigItem) -> Vec<Element<'_>> {
    let one = |what| vec![Element { range: (item.span.start, item.span.end), what }];
    match &item.kind {
        SigItemKind::Value { name, ty } => one(What::Value(*name, Some(ty))),
        SigItemKind::External(it) => one(What::Value(it.name, Some(&it.ty))),
        SigItemKind::Type { decls, .. } => {
            parts(item.span, decls.iter().map(|it| (it.span, What::Type(it))).collect())
        }
        SigItemKind::Exception(it) => one(What::Exception(it)),
        SigItemKind::Extend(it) => one(What::Extend(it)),
        SigItemKind::Module { name, ty } => one(What::Module(*name, Body::Type(ty))),
        SigItemKind::RecModules(all) => {
            let all = all
                .iter()
                .map(|(name, ty)| (name.span.to(ty.span), What::Module(*name, Body::Type(ty))));
            parts(item.span, all.collect())
        }
        SigItemKind::ModuleAlias { name, target } => {
            one(What::Module(*name, Body::Alias(target.span())))
        }
        SigItemKind::ModuleType { name, body } => one(What::ModuleType(*name, body.as_ref())),
        SigItemKind::Include(ty) => one(What::Include(Body::Type(ty))),
        SigItemKind::Class(all) => {
            let all = all.iter().map(|it| (it.span, What::ClassType(it, Sort::Class)));
            parts(item.span, all.collect())
        }
        SigItemKind::ClassType(all) => {
            let all = all.iter().map(|it| (it.span, What::ClassType(it, Sort::ClassType)));
            parts(item.span, all.collect())
        }
        SigItemKind::Local(_)
        | SigItemKind::Open(_)
        | SigItemKind::Attribute(_)
        | SigItemKind::Error(_) => one(What::Nothing),
    }
}
