//! What an op does with each operand.

/// Whether a use takes the reference over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Looks at it; whoever owns it keeps it.
    Borrow,
    /// Stores it or hands it on.
    Take,
    /// As the called function's parameter of this number.
    Param(u32),
    /// A component of a pair, which is borrowed if both are.
    Pair,
}

pub fn of_operand(name: &str, at: usize) -> Use {
    match name {
        "ocaml.call" | "ocaml.tail_call" => Use::Param(at as u32),
        // A closure lends itself to its code; only in tail position nobody is left to drop it.
        "ocaml.invoke" if at == 0 => Use::Borrow,
        "ocaml.return" | "ocaml.raise" | "ocaml.invoke" | "ocaml.tail_invoke"
        | "ocaml.block.new" | "ocaml.array.new" | "ocaml.array.make" | "ocaml.exn.new"
        | "ocaml.make_closure" | "ocaml.env.capture" | "ocaml.closure" | "ocaml.global_store"
        | "ocaml.opaque" => Use::Take,
        "ocaml.closure.fill" | "ocaml.env.fill" | "ocaml.region.block" | "ocaml.region.closure"
            if at > 0 =>
        {
            Use::Take
        }
        "ocaml.block.store" | "ocaml.array.set" | "ocaml.slot.store" if at == 0 => Use::Take,
        "ocaml.pair.new" => Use::Pair,
        _ => Use::Borrow,
    }
}
