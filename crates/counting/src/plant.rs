//! Faults on purpose, to show that a checked program finds them. For tests only.
//!
//! ```text
//! lose-dup@FILE:LINE     the dups of that line are left out: something is freed too early
//! extra-drop@FILE:LINE   what is duplicated there is dropped once more
//! lose-drop@FILE:LINE    the drops of that line are left out: something leaks
//! in-frame@FILE:LINE     what is allocated there goes into the frame, though it outlives it
//! in-region@FILE:LINE    it goes into a region that is left at once
//! early-leave@FILE:LINE  the region that begins there is left as soon as something was made in it
//! lose-leave@FILE:LINE   the region that begins there is never left, nor emptied
//! lose-token@FILE:LINE   what is made there does not use the cell that is kept for it
//! unique@FILE:LINE       closures taken apart there are said to have no other owner
//! ```

use oxbow_dialect::inspect::{
    blocks_of, copy_of, erase, insert_after, insert_before, ops_of, replace_uses, uses_of,
};
use oxbow_dialect::melior::ir::ValueLike;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::op::{
    DialectOp, Draft, Drop, Opcode, RegionBlock, RegionClosure, RegionEnter, RegionLeave, Storage,
    View, opcode, view,
};
use oxbow_dialect::{Builder, Kind, OcamlType, Op, Val, region_of, result_of};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    LoseDup,
    ExtraDrop,
    LoseDrop,
    InFrame,
    InRegion,
    EarlyLeave,
    LoseLeave,
    Unique,
    LoseToken,
}

/// A fault to be planted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    what: What,
    /// `file:line:`
    place: String,
}

impl Fault {
    /// Reads one of the forms above.
    pub fn parse(text: &str) -> Option<Self> {
        let (what, place) = text.split_once('@')?;
        let what = match what {
            "lose-dup" => What::LoseDup,
            "extra-drop" => What::ExtraDrop,
            "lose-drop" => What::LoseDrop,
            "in-frame" => What::InFrame,
            "in-region" => What::InRegion,
            "early-leave" => What::EarlyLeave,
            "lose-leave" => What::LoseLeave,
            "unique" => What::Unique,
            "lose-token" => What::LoseToken,
            _ => return None,
        };
        Some(Self { what, place: format!("{place}:") })
    }
}

/// Plants a fault in the function; how many ops it touched.
pub fn run<'c>(function: Op<'c>, fault: &Fault, build: &mut Builder<'c>) -> usize {
    let mut touched = 0;
    for block in blocks_of(region_of(function)) {
        let ops: Vec<_> = ops_of(block).collect();
        for op in ops {
            if format!("{}", op.location()).contains(&spelled(&fault.place)) {
                touched += usize::from(plant(op, fault.what, build));
            }
        }
    }
    touched
}

/// How a location prints: `"file":line:column`.
fn spelled(place: &str) -> String {
    match place.trim_end_matches(':').rsplit_once(':') {
        Some((file, line)) => format!("{file}\":{line}:"),
        None => place.to_string(),
    }
}

fn plant<'c>(op: Op<'c>, what: What, build: &mut Builder<'c>) -> bool {
    build.location = op.location();
    match (what, view(op)) {
        (What::LoseDup, View::Dup(_)) | (What::LoseDrop, View::Drop(_)) => erase(op),
        (What::ExtraDrop, View::Dup(dup)) => {
            if dup.value().r#type().kind() == Kind::Env {
                return false;
            }
            let drop = build.create(&Drop::draft(dup.value()));
            insert_after(op, drop);
            insert_after(drop, copy_of(drop));
        }
        (What::InFrame, it) => {
            return it.storage() == Some(Storage::Counted) && it.set_storage(Storage::Stack);
        }
        (What::InRegion, View::BlockNew(new)) if new.storage() == Storage::Counted => {
            let (ctor, ty) = (new.ctor(), new.block().r#type());
            in_region(op, build, |region| RegionBlock::draft(region, ctor, &new.fields(), ty));
        }
        // A closure without captures is a constant.
        (What::InRegion, View::MakeClosure(new))
            if new.storage() == Storage::Counted && !new.captures().is_empty() =>
        {
            let (func, ty) = (new.func(), new.closure().r#type());
            in_region(op, build, |region| RegionClosure::draft(region, func, &new.captures(), ty));
        }
        (What::EarlyLeave, View::RegionEnter(enter)) => return leave_early(enter, build),
        (What::Unique, View::Take(take)) => take.set_unique(true),
        (What::LoseToken, View::BlockNew(new)) if new.token().is_some() => new.remove_token(),
        (What::LoseToken, View::MakeClosure(new)) if new.token().is_some() => new.remove_token(),
        (What::LoseLeave, View::RegionEnter(enter)) => {
            for (user, _) in uses_of(enter.region()) {
                if matches!(opcode(user), Opcode::RegionLeave | Opcode::RegionReset) {
                    erase(user);
                }
            }
        }
        _ => return false,
    }
    true
}

/// What an op makes lies in a region that is left at once.
fn in_region<'c>(op: Op<'c>, build: &Builder<'c>, made: impl FnOnce(Val<'c>) -> Draft<'c>) {
    let enter = RegionEnter::of(build.create(&RegionEnter::draft(&[])));
    insert_before(op, enter.op());
    let new = build.create(&made(enter.region()));
    insert_before(op, new);
    insert_before(op, leave(build, enter.region()));
    replace_uses(result_of(op, 0), result_of(new, 0));
    erase(op);
}

/// Leaves a region behind the first op that makes something in it.
fn leave_early<'c>(enter: RegionEnter<'c>, build: &mut Builder<'c>) -> bool {
    let makes = |it: &Op<'c>| {
        matches!(opcode(*it), Opcode::Call | Opcode::RegionBlock | Opcode::RegionClosure)
    };
    let Some(user) = uses_of(enter.region()).into_iter().map(|it| it.0).find(makes) else {
        return false;
    };
    build.location = user.location();
    insert_after(user, leave(build, enter.region()));
    true
}

fn leave<'c>(build: &Builder<'c>, region: Val<'c>) -> Op<'c> {
    build.create(&RegionLeave::draft(region))
}
