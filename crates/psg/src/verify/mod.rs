//! The rules of the graph, checked. A fault here is a fault of the compiler.
//!
//! ```text
//! shape       a tree; every binder binds once; variables are in scope; jumps stand in
//!             tail position of their join                            both phases
//! types       every node has the type that its kind and operands give both phases
//! captures    recomputed by `captures` and compared                  both phases
//! mono        no type variable, no polymorphic primitive             Mono only
//! ```
//!
//! A node that produces no value (`Raise`, `Jump`) has the type of its place, so no
//! rule speaks about it. That the type variables of a type are those of an enclosing
//! binding is not checked.

mod mono;
mod shape;
mod types;

use std::fmt;

use crate::{Mono, NodeId, NodeKind, Poly, Program, captures, walk};

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyError {
    pub message: String,
    /// The node that breaks it, if one does.
    pub node: Option<NodeId>,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.node {
            Some(node) => write!(f, "{node}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for VerifyError {}

type Result<T = ()> = std::result::Result<T, VerifyError>;

fn fail<T>(node: NodeId, message: impl Into<String>) -> Result<T> {
    Err(VerifyError { message: message.into(), node: Some(node) })
}

/// Checks a program as the front ends and the first passes have it.
pub fn verify_poly(program: &Program<Poly>) -> Result {
    verify(program)
}

/// Checks a program without polymorphism.
pub fn verify_mono(program: &Program<Mono>) -> Result {
    verify(program)?;
    mono::check(program)
}

fn verify<P>(program: &Program<P>) -> Result {
    shape::check(program)?;
    types::check(program)?;
    check_captures(program)
}

/// Compares the captures of every lambda with those that its body needs.
pub fn check_captures<P>(program: &Program<P>) -> Result {
    let needed = captures::all(program);
    let mut result = Ok(());
    walk::for_each_reachable(program, |node| {
        let NodeKind::Lambda(lambda) = program.nodes[node].kind else { return };
        let (found, needed) = (&program.lambdas[lambda].captures, &needed[lambda]);
        if found != needed && result.is_ok() {
            let names = |list: &[crate::Capture]| {
                let names: Vec<_> =
                    list.iter().map(|it| program.vars[it.var].name.as_str()).collect();
                names.join(", ")
            };
            let (listed, needed_names) = (names(found), names(needed));
            result = fail(
                node,
                if listed == needed_names {
                    format!("captures ({listed}) have other types, modes or sources")
                } else {
                    format!("captures are ({listed}), the body needs ({needed_names})")
                },
            );
        }
    });
    result
}

#[cfg(test)]
mod tests;
