//! Balanced trees of the library as lists of their elements.
//!
//! ```text
//! set [1; 2] = set [2; 1]      the trees differ in shape, the elements do not
//! ```
//!
//! `=`, `compare` and `hash` look at the elements of a map or a set in order, never at the tree.

use oxbow_psg::{Compared, DataId, DataKind, Key, NodeId, NodeKind, Ty, TyId, VarId};

use super::Context;
use super::generate::{Code, Task};

impl Context<'_> {
    /// The type of the list of elements, if values of this type are trees of the library.
    pub(super) fn elements_type(&mut self, ty: TyId) -> Option<TyId> {
        if self.compared(ty) != Compared::Elements {
            return None;
        }
        let ctors = self.ctors(ty)?.1;
        let node = ctors.iter().position(|it| !it.fields.is_empty())?;
        let fields = self.field_types(ty, node);
        let item = match *fields.as_slice() {
            [_, key, value, _, _] => self.out.types.intern(Ty::Tuple(vec![key, value])),
            [_, key, _, _] => key,
            _ => return None,
        };
        let list = self.list_data()?.0;
        Some(self.data_type(list, vec![item]))
    }

    /// The type of lists, and its constructors `[]` and `::`.
    fn list_data(&self) -> Option<(DataId, u32, u32)> {
        self.out.types.datas.iter().find_map(|(data, decl)| {
            let DataKind::Variant(ctors) = &decl.kind else { return None };
            let place = |name: &str| ctors.iter().position(|it| it.name.as_str() == name);
            Some((data, place("[]")? as u32, place("::")? as u32))
        })
    }
}

impl Code<'_, '_> {
    /// The elements of a tree as a list, with the type of that list.
    pub(super) fn elements(&mut self, ty: TyId, tree: VarId) -> Option<(NodeId, TyId)> {
        let list = self.context.elements_type(ty)?;
        let nil = self.context.list_data()?.1;
        let end = self.add(NodeKind::Construct { ctor: nil, args: Vec::new() }, list);
        let tree = self.read(tree);
        Some((self.call(Task::Elements, ty, vec![tree, end]), list))
    }

    /// `elements(left, item :: elements(right, rest))`
    pub(super) fn elements_body(&mut self, ty: TyId, a: VarId, rest: VarId) -> NodeId {
        let ctors = self.context.ctors(ty).map_or(Vec::new(), |it| it.1);
        let list = self.context.out.vars[rest].ty;
        let cons = self.context.list_data().map_or(0, |it| it.2);
        let mut cases = Vec::new();
        for index in 0..ctors.len() {
            let (at, types) = (index as u32, self.context.field_types(ty, index));
            let case = match types.as_slice() {
                &[left, key, .., right, _] => {
                    let value = (types.len() == 5).then(|| types[2]);
                    let right_at = types.len() as u32 - 2;
                    let right = self.ctor_field(a, at, right_at, right);
                    let end = self.read(rest);
                    let after = self.call(Task::Elements, ty, vec![right, end]);
                    let key_ty = key;
                    let mut item = self.ctor_field(a, at, 1, key);
                    if let Some(value_ty) = value {
                        let value = self.ctor_field(a, at, 2, value_ty);
                        let pair = self.context.out.types.intern(Ty::Tuple(vec![key_ty, value_ty]));
                        item = self.add(NodeKind::Tuple(vec![item, value]), pair);
                    }
                    let args = self.context.fit_fields(vec![item, after], list, cons);
                    let more = self.add(NodeKind::Construct { ctor: cons, args }, list);
                    let left = self.ctor_field(a, at, 0, left);
                    self.call(Task::Elements, ty, vec![left, more])
                }
                _ => self.read(rest),
            };
            cases.push((Key::Ctor(at), case));
        }
        let value = self.read(a);
        self.add(NodeKind::Switch { value, cases, default: None }, list)
    }
}
