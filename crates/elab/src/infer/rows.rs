//! Rows: the types of polymorphic variants, and those of objects.
//!
//! ```text
//! [> `A ] = [< `A | `B ]        [< `A | `B > `A ]
//! [> `A ] = [ `A | `B ]         [ `A | `B ]
//! [ `A ]  = [ `A | `B ]         no
//! ```
//!
//! A row that is not fixed is a variable with two bounds: the tags it has for certain and those it may have. Unifying
//! two of them makes one of both; unifying one with a fixed row, or with one that a signature quantifies over, binds
//! it to that. The variable is linked before the types of the arguments are unified, so that types may contain
//! themselves through rows. After J. Garrigue, *Programming with Polymorphic Variants*, 1998. The methods of an object
//! are unified as tags that are there for certain: `< m : int; .. >` as `` [> `m of int ] ``.

use oxbow_base::{FxHashMap, Symbol};
use oxbow_psg::tag_hash;

use crate::types::{GENERIC, Row, Tag, Type, TypeId, Walk};

use super::Infer;
use super::unify::{Mismatch, Pairs};

/// Types that have to be equal.
type Equations = Vec<(TypeId, TypeId)>;

impl Infer<'_> {
    pub(super) fn unify_rows(
        &mut self,
        (a, row_a): (TypeId, Row),
        (b, row_b): (TypeId, Row),
        walk: &mut Pairs,
    ) -> Result<(), Mismatch> {
        if row_a.object != row_b.object {
            return Err(Mismatch::Different);
        }
        let is_solid = |row: &Row| row.is_fixed() || row.level == GENERIC;
        let mut equations = Vec::new();
        self.unify_poly_methods(&row_a, &row_b)?;
        match (is_solid(&row_a), is_solid(&row_b)) {
            (true, true) => {
                if walk.has_entered((a, b)) {
                    return Ok(());
                }
                match (&row_a.name, &row_b.name) {
                    // One private type, at two arguments.
                    (Some((con, left)), Some((other, right)))
                        if con == other && !row_a.is_fixed() && !row_b.is_fixed() =>
                    {
                        equations.extend(left.iter().copied().zip(right.iter().copied()));
                    }
                    _ => same_tags(&row_a, &row_b, &mut equations)?,
                }
            }
            (false, true) => self.bind_row((a, &row_a), (b, &row_b), &mut equations)?,
            (true, false) => self.bind_row((b, &row_b), (a, &row_a), &mut equations)?,
            (false, false) => {
                let merged = merge(&row_a, &row_b, &mut equations)?;
                let level = merged.level;
                self.set_node(b, Type::Row(Box::new(merged)));
                self.set_node(a, Type::Link(b));
                self.lower(None, level, b, &mut Walk::default())?;
            }
        }
        equations.into_iter().try_for_each(|(a, b)| self.unify_parts(a, b, walk))
    }

    /// Binds a row to one that nothing can be added to.
    fn bind_row(
        &mut self,
        (a, row): (TypeId, &Row),
        (b, solid): (TypeId, &Row),
        equations: &mut Equations,
    ) -> Result<(), Mismatch> {
        if row.closed && !solid.closed {
            return Err(Mismatch::Different);
        }
        for (name, tag) in &solid.tags {
            match row.find(*name) {
                Some(own) => {
                    // What is there for certain must be there for certain.
                    match (own, tag) {
                        (Tag::Present(_), Tag::Maybe { .. }) => return Err(Mismatch::Different),
                        (Tag::Maybe { .. }, Tag::Maybe { .. }) => {
                            same_alternatives(own, tag, equations)?;
                        }
                        _ => drop(merge_tags(own, tag, equations)?),
                    }
                }
                None if row.closed => return Err(Mismatch::Different),
                None => (),
            }
        }
        for (name, tag) in &row.tags {
            let optional = matches!(tag, Tag::Maybe { matched: false, .. }) && solid.closed;
            if solid.find(*name).is_none() && !optional {
                return Err(Mismatch::Different);
            }
        }
        check_hashes(solid)?;
        self.lower(None, row.level, b, &mut Walk::default())?;
        self.set_node(a, Type::Link(b));
        Ok(())
    }
}

fn same_tags(a: &Row, b: &Row, equations: &mut Equations) -> Result<(), Mismatch> {
    if a.tags.len() != b.tags.len() || a.closed != b.closed || !a.is_fixed() || !b.is_fixed() {
        return Err(Mismatch::Different);
    }
    for ((name, tag), (other, other_tag)) in a.tags.iter().zip(&b.tags) {
        if name != other {
            return Err(Mismatch::Different);
        }
        merge_tags(tag, other_tag, equations)?;
    }
    Ok(())
}

/// A tag that a value may have, in a row that is bound to one of a signature: there it holds what it holds here.
fn same_alternatives(own: &Tag, solid: &Tag, equations: &mut Equations) -> Result<(), Mismatch> {
    let (held, wanted) = (own.types(), solid.types());
    let is_constant = |it: &Tag| matches!(it, Tag::Maybe { constant: true, .. });
    if is_constant(own) && !is_constant(solid) {
        return Err(Mismatch::Different);
    }
    match wanted {
        // A pattern of a tag that no value has.
        _ if solid.is_impossible() && matches!(own, Tag::Maybe { matched: true, .. }) => (),
        _ if held.len() == wanted.len() => {
            equations.extend(held.iter().copied().zip(wanted.iter().copied()));
        }
        [first, ..] => equations.extend(held.iter().map(|&it| (it, *first))),
        [] => return Err(Mismatch::Different),
    }
    Ok(())
}

/// The row that has the bounds of both.
fn merge(a: &Row, b: &Row, equations: &mut Equations) -> Result<Row, Mismatch> {
    let mut merged = Row {
        object: a.object,
        tags: Vec::new(),
        closed: a.closed || b.closed,
        level: a.level.min(b.level),
        name: None,
    };
    for (one, other) in [(a, b), (b, a)] {
        for (name, tag) in &one.tags {
            let tag = match other.find(*name) {
                Some(other) => {
                    if merged.find(*name).is_some() {
                        continue;
                    }
                    merge_tags(tag, other, equations)?
                }
                None if !other.closed => tag.clone(),
                None if matches!(tag, Tag::Maybe { matched: false, .. }) => continue,
                None => return Err(Mismatch::Different),
            };
            merged.add(*name, tag);
        }
    }
    check_hashes(&merged)?;
    Ok(merged)
}

fn merge_tags(a: &Tag, b: &Tag, equations: &mut Equations) -> Result<Tag, Mismatch> {
    Ok(match (a, b) {
        (Tag::Present(None), Tag::Present(None)) => Tag::Present(None),
        (&Tag::Present(Some(a)), &Tag::Present(Some(b))) => {
            equations.push((a, b));
            Tag::Present(Some(a))
        }
        (Tag::Present(_), Tag::Present(_)) => return Err(Mismatch::Different),
        // Their types have been compared.
        (Tag::Poly { .. }, Tag::Poly { .. }) => a.clone(),
        (Tag::Poly { .. }, _) | (_, Tag::Poly { .. }) => return Err(Mismatch::Different),
        (Tag::Maybe { constant, types, .. }, Tag::Present(held))
        | (Tag::Present(held), Tag::Maybe { constant, types, .. }) => {
            match held {
                Some(held) if !constant => equations.extend(types.iter().map(|&it| (it, *held))),
                None if types.is_empty() => (),
                Some(_) | None => return Err(Mismatch::Different),
            }
            Tag::Present(*held)
        }
        (
            Tag::Maybe { constant, types, matched },
            Tag::Maybe { constant: constant_b, types: types_b, matched: matched_b },
        ) => {
            let (constant, matched) = (*constant || *constant_b, *matched || *matched_b);
            let mut all = types.clone();
            all.extend(types_b.iter().filter(|it| !types.contains(it)));
            // What is matched has one type, unless no value has the tag.
            let is_impossible = a.is_impossible() || b.is_impossible();
            if matched
                && !is_impossible
                && let Some(&first) = all.first()
            {
                if constant {
                    return Err(Mismatch::Different);
                }
                equations.extend(all.drain(1..).map(|it| (first, it)));
            }
            Tag::Maybe { constant, types: all, matched }
        }
    })
}

/// OCaml tells tags by their hashes.
pub(super) fn check_hashes(row: &Row) -> Result<(), Mismatch> {
    if row.object {
        return Ok(());
    }
    let mut seen: FxHashMap<i64, Symbol> = FxHashMap::default();
    for (name, _) in &row.tags {
        if let Some(other) = seen.insert(tag_hash(name.as_str()), *name) {
            return Err(Mismatch::SameHash(other, *name));
        }
    }
    Ok(())
}
