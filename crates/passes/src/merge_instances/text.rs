//! The text of a function: what its code is, whatever its variables are called.
//!
//! Variables of the function itself are numbered as they are bound. Global variables are left out: `mentions` has them
//! in the order in which they stand.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use oxbow_base::{Id, IdMap, Span, Symbol};
use oxbow_psg::{
    Callee, Const, ExnId, InlineHint, IntWidth, JoinId, Key, LambdaId, Mono, NodeId, NodeKind,
    Prim, Program, VarId, walk,
};

use super::types::{TyNumber, Types};

/// Two texts are equal if their tokens are; what they mention is compared by who knows which functions are equal.
pub struct Text {
    tokens: Vec<Token>,
    pub mentions: Vec<VarId>,
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.tokens == other.tokens
    }
}

impl Eq for Text {}

impl std::hash::Hash for Text {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.tokens.hash(state);
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Token {
    /// A node, before its operands.
    Node(Discriminant<NodeKind>, TyNumber, Span),
    Function(Option<Symbol>, Discriminant<InlineHint>, bool, bool),
    /// A variable or a parameter that is bound here.
    Binds(TyNumber, bool),
    /// One that was bound before, or a join point.
    Local(usize),
    /// The next of `mentions`.
    Global,
    Number(u64),
    Int(IntWidth, i64),
    Bytes(Arc<[u8]>),
    Prim(Prim),
    Key(Key),
    Exn(ExnId),
}

impl Text {
    pub fn of(program: &Program<Mono>, types: &mut Types, lambda: LambdaId) -> Self {
        let text = Self { tokens: Vec::new(), mentions: Vec::new() };
        let mut writer =
            Writer { program, types, text, vars: IdMap::new(), joins: IdMap::new(), bound: 0 };
        writer.function(lambda);
        walk::for_each_node(program, program.lambdas[lambda].body, |node| writer.node(node));
        writer.text
    }
}

struct Writer<'a> {
    program: &'a Program<Mono>,
    types: &'a mut Types,
    text: Text,
    vars: IdMap<VarId, usize>,
    joins: IdMap<JoinId, usize>,
    bound: usize,
}

impl Writer<'_> {
    fn put(&mut self, token: Token) {
        self.text.tokens.push(token);
    }

    fn number(&mut self, number: impl Into<u64>) {
        self.put(Token::Number(number.into()));
    }

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    fn function(&mut self, lambda: LambdaId) {
        let it = &self.program.lambdas[lambda];
        self.put(Token::Function(it.name, discriminant(&it.inline), it.adapter, it.dispatches));
        self.count(it.params.len());
        for &param in &it.params {
            self.bind(param);
        }
    }

    fn bind(&mut self, var: VarId) {
        let it = &self.program.vars[var];
        let ty = self.types.number(&self.program.types, it.ty);
        self.put(Token::Binds(ty, it.mutable));
        self.vars.insert(var, self.bound);
        self.bound += 1;
    }

    fn mention(&mut self, var: VarId) {
        match self.vars.get(var) {
            Some(&number) => self.put(Token::Local(number)),
            None => {
                self.put(Token::Global);
                self.text.mentions.push(var);
            }
        }
    }

    /// A node without its operands, which follow.
    fn node(&mut self, node: NodeId) {
        let program = self.program;
        let it = &program.nodes[node];
        let ty = self.types.number(&program.types, it.ty);
        self.put(Token::Node(discriminant(&it.kind), ty, it.span));
        if let NodeKind::Join { join, .. } = it.kind {
            self.joins.insert(join, self.bound);
            self.bound += 1;
            self.number(program.joins[join].recursive);
            self.count(program.joins[join].params.len());
        }
        it.kind.for_each_binder(&program.joins, |var| self.bind(var));
        match &it.kind {
            NodeKind::Const(value) => self.constant(value),
            NodeKind::Var { var, .. } | NodeKind::Assign { var, .. } => self.mention(*var),
            NodeKind::Lambda(lambda) => self.function(*lambda),
            NodeKind::Apply { args, callee, .. } => {
                self.number(matches!(callee, Callee::Known(_)));
                self.count(args.len());
            }
            NodeKind::Prim { prim, args } => {
                self.put(Token::Prim(*prim));
                self.count(args.len());
            }
            NodeKind::LetRec { vars, .. } => self.count(vars.len()),
            NodeKind::Switch { cases, default, .. } => {
                self.count(cases.len());
                cases.iter().for_each(|it| self.put(Token::Key(it.0.clone())));
                self.number(default.is_some());
            }
            NodeKind::For { down, .. } => self.number(*down),
            NodeKind::Seq(items)
            | NodeKind::Tuple(items)
            | NodeKind::Record(items)
            | NodeKind::Array(items) => self.count(items.len()),
            NodeKind::TupleGet { index, .. } => self.number(*index),
            NodeKind::Construct { ctor, args } => {
                self.number(*ctor);
                self.count(args.len());
            }
            NodeKind::Field { ctor, index, .. } | NodeKind::SetField { ctor, index, .. } => {
                self.number(*ctor);
                self.number(*index);
            }
            NodeKind::MakeExn { exn, args } => {
                self.put(Token::Exn(*exn));
                self.count(args.len());
            }
            NodeKind::ExnField { exn, index, .. } => {
                self.put(Token::Exn(*exn));
                self.number(*index);
            }
            NodeKind::Jump { join, args } => {
                let number = self.joins.get(*join).copied();
                self.put(Token::Local(number.unwrap_or(join.index())));
                self.count(args.len());
            }
            NodeKind::Let { .. }
            | NodeKind::If { .. }
            | NodeKind::While { .. }
            | NodeKind::Raise(_)
            | NodeKind::Try { .. }
            | NodeKind::Join { .. } => (),
        }
    }

    fn constant(&mut self, value: &Const) {
        let token = match value {
            Const::Unit => Token::Number(0),
            Const::Bool(it) => Token::Number(u64::from(*it)),
            Const::Int(width, it) => Token::Int(*width, *it),
            Const::Float(it) => Token::Number(it.to_bits()),
            Const::Char(it) => Token::Number(u64::from(*it)),
            Const::String(it) => Token::Bytes(Arc::clone(it)),
        };
        self.put(token);
    }
}
