//! Reads the text that [`crate::print`] writes: programs for tests that feed one pass
//! alone.
//!
//! Everything that the text leaves out is made up: spans are empty, types of nodes
//! follow from their operands. The program is not checked; `verify` does that.
//! Captures are taken as they are listed.

mod decls;
mod expr;
mod lambda;
mod lexer;
mod types;

use std::fmt;

use oxbow_base::{FileId, FxHashMap, Id, IdMap, Span, Symbol};

use crate::{
    Callee, DataId, ExnId, JoinId, LambdaId, NodeId, NodeKind, Program, TyId, TyVarId, Var, VarId,
};
use lexer::{Name, Token};

/// The text is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub message: String,
    /// Counted from 1.
    pub line: usize,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

type Result<T = ()> = std::result::Result<T, ReadError>;

/// Reads a program. Which phase it belongs to is the caller's claim.
pub fn read<P>(text: &str) -> Result<Program<P>> {
    let tokens = lexer::tokens(text)?;
    let mut reader = Reader::new(tokens);
    reader.declare_types()?;
    reader.declare_globals()?;
    while !reader.at_end() {
        reader.declaration()?;
    }
    reader.finish()
}

struct Reader<P> {
    tokens: Vec<(Token, usize)>,
    at: usize,
    program: Program<P>,
    datas: FxHashMap<Name, DataId>,
    exns: FxHashMap<Name, ExnId>,
    globals: FxHashMap<Name, VarId>,
    /// The type variables of items, by the place where an item begins.
    item_tyvars: FxHashMap<usize, FxHashMap<Name, TyVarId>>,
    /// Of the current item.
    locals: FxHashMap<Name, VarId>,
    joins: FxHashMap<Name, JoinId>,
    tyvars: FxHashMap<Name, TyVarId>,
    exn_tyvars: FxHashMap<Name, TyVarId>,
    /// The node that binds a variable, and the lambda that it is bound to.
    sources: IdMap<VarId, NodeId>,
    bound_lambdas: IdMap<VarId, LambdaId>,
    /// Calls of known lambdas, with the label if there is one.
    known_calls: Vec<(NodeId, Option<i64>, usize)>,
    labels: FxHashMap<i64, LambdaId>,
}

fn no_span() -> Span {
    Span::new(FileId::from_index(0), 0, 0)
}

impl<P> Reader<P> {
    fn new(tokens: Vec<(Token, usize)>) -> Self {
        Self {
            tokens,
            at: 0,
            program: Program::new(),
            datas: FxHashMap::default(),
            exns: FxHashMap::default(),
            globals: FxHashMap::default(),
            item_tyvars: FxHashMap::default(),
            locals: FxHashMap::default(),
            joins: FxHashMap::default(),
            tyvars: FxHashMap::default(),
            exn_tyvars: FxHashMap::default(),
            sources: IdMap::new(),
            bound_lambdas: IdMap::new(),
            known_calls: Vec::new(),
            labels: FxHashMap::default(),
        }
    }

    /// Fills in what could not be known earlier.
    fn finish(mut self) -> Result<Program<P>> {
        for (node, label, line) in std::mem::take(&mut self.known_calls) {
            let NodeKind::Apply { func, .. } = self.program.nodes[node].kind else { continue };
            let lambda = if let Some(label) = label {
                self.labels.get(&label).copied()
            } else if let NodeKind::Var { var, .. } = self.program.nodes[func].kind {
                self.bound_lambdas.get(var).copied()
            } else if let NodeKind::Lambda(lambda) = self.program.nodes[func].kind {
                Some(lambda)
            } else {
                None
            };
            let Some(lambda) = lambda else {
                return Err(ReadError { message: "which lambda is called?".into(), line });
            };
            if let NodeKind::Apply { callee, .. } = &mut self.program.nodes[node].kind {
                *callee = Callee::Known(lambda);
            }
        }
        for lambda in self.program.lambdas.values_mut() {
            for capture in &mut lambda.captures {
                capture.source = self.sources.get(capture.var).copied();
            }
        }
        Ok(self.program)
    }

    fn at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |it| it.1)
    }

    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ReadError { message: message.into(), line: self.line() })
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        match self.peek() {
            Some(token) => self.error(format!("expected {what}, found {token:?}")),
            None => self.error(format!("expected {what}, found the end")),
        }
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|it| &it.0)
    }

    fn peek_second(&self) -> Option<&Token> {
        self.tokens.get(self.at + 1).map(|it| &it.0)
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek().is_some_and(|it| it.is(text))
    }

    /// Takes a keyword or a sign if it is next.
    fn accept(&mut self, text: &str) -> bool {
        let found = self.next_is(text);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, text: &str) -> Result {
        if self.accept(text) { Ok(()) } else { self.expected(&format!("`{text}`")) }
    }

    fn name(&mut self) -> Result<Name> {
        if let Some(Token::Name(name)) = self.peek() {
            let name = name.clone();
            self.at += 1;
            return Ok(name);
        }
        self.expected("a name")
    }

    fn index(&mut self) -> Result<u32> {
        if let Some(&Token::Int(_, value)) = self.peek()
            && let Ok(value) = u32::try_from(value)
        {
            self.at += 1;
            return Ok(value);
        }
        self.expected("an index")
    }

    /// Items with commas between them, up to `close`.
    fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut items = Vec::new();
        while !self.accept(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn add(&mut self, kind: NodeKind, ty: TyId) -> NodeId {
        let node = self.program.add(kind, ty, no_span());
        let (kind, sources) = (&self.program.nodes[node].kind, &mut self.sources);
        kind.for_each_binder(&self.program.joins, |var| {
            sources.insert(var, node);
        });
        node
    }

    fn ty(&self, node: NodeId) -> TyId {
        self.program.ty(node)
    }

    /// `mut x['a, 'b]: ty`, global with an `@` before the name.
    fn binder(&mut self) -> Result<VarId> {
        let mutable = self.accept("mut");
        let global = self.accept("@");
        let name = self.name()?;
        let tyvars = if self.accept("[") { self.list("]", |it| it.tyvar())? } else { Vec::new() };
        self.expect(":")?;
        let ty = self.parse_type()?;
        if global && let Some(&declared) = self.globals.get(&name) {
            return Ok(declared);
        }
        let symbol = Symbol::new(&name.base);
        let var = self.program.vars.push(Var {
            name: symbol,
            ty,
            tyvars,
            mutable,
            global,
            span: no_span(),
        });
        let scope = if global { &mut self.globals } else { &mut self.locals };
        scope.insert(name, var);
        Ok(var)
    }
}

#[cfg(test)]
mod tests;
