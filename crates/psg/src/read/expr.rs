//! Expressions in the text. See `print::expr` for the three levels: atoms, values,
//! blocks.

use oxbow_base::Symbol;

use super::lexer::{Name, Token};
use super::{Reader, Result, no_span};
use crate::{
    Callee, Const, DataKind, Join, Key, NodeId, NodeKind, Prim, Storage, Ty, TyId, Var, VarId,
    prim_types, print,
};

/// A statement of a block.
enum Statement {
    Let(VarId, NodeId),
    LetRec(Vec<VarId>, Vec<NodeId>),
    Join(crate::JoinId, NodeId),
    Value(NodeId),
}

impl<P> Reader<P> {
    /// Statements, the last one without a semicolon.
    fn block(&mut self) -> Result<NodeId> {
        let mut statements = Vec::new();
        let mut body = loop {
            if self.accept("let") {
                let var = self.binder()?;
                self.expect("=")?;
                let value = self.value()?;
                self.bound_to(var, value);
                statements.push(Statement::Let(var, value));
            } else if self.accept("rec") {
                let (vars, values) = self.recursive()?;
                statements.push(Statement::LetRec(vars, values));
            } else if self.accept("join") {
                statements.push(self.join()?);
            } else {
                let value = self.value()?;
                if !self.next_is(";") {
                    break value;
                }
                statements.push(Statement::Value(value));
            }
            self.expect(";")?;
        };
        while let Some(statement) = statements.pop() {
            let ty = self.ty(body);
            let kind = match statement {
                Statement::Let(var, value) => NodeKind::Let { var, value, body },
                Statement::LetRec(vars, values) => NodeKind::LetRec { vars, values, body },
                Statement::Join(join, code) => NodeKind::Join { join, body: code, rest: body },
                Statement::Value(value) => {
                    let mut items = vec![body, value];
                    while let Some(Statement::Value(value)) = statements.last() {
                        items.push(*value);
                        statements.pop();
                    }
                    items.reverse();
                    NodeKind::Seq(items)
                }
            };
            body = self.add(kind, ty);
        }
        Ok(body)
    }

    fn join(&mut self) -> Result<Statement> {
        let recursive = self.accept("rec");
        let name = self.name()?;
        self.expect("(")?;
        let params = self.list(")", Self::binder)?;
        let join = Join { name: Symbol::new(&name.base), params, recursive };
        let join = self.program.joins.push(join);
        self.joins.insert(name, join);
        self.expect("=")?;
        Ok(Statement::Join(join, self.value()?))
    }

    pub(super) fn value(&mut self) -> Result<NodeId> {
        let Some(Token::Name(name)) = self.peek() else { return self.postfix_value() };
        let Some(word) = name.word().map(str::to_string) else { return self.postfix_value() };
        if !print::is_reserved(&word) {
            return self.postfix_value();
        }
        if let Some(prim) = Prim::from_name(&format!("%{word}")) {
            self.at += 1;
            return self.prim(prim);
        }
        let unit = self.program.types.unit;
        let start = self.at;
        self.at += 1;
        match word.as_str() {
            "stack" | "static" => {
                let value = self.value()?;
                let stack = word == "stack";
                self.program.nodes[value].storage =
                    if stack { Storage::Stack } else { Storage::Static };
                Ok(value)
            }
            "fn" => self.lambda(),
            "if" => {
                let cond = self.value()?;
                self.expect("then")?;
                let then = self.value()?;
                self.expect("else")?;
                let otherwise = self.value()?;
                let ty = self.ty(then);
                Ok(self.add(NodeKind::If { cond, then, otherwise }, ty))
            }
            "switch" => self.switch(),
            "while" => {
                let cond = self.value()?;
                self.expect("do")?;
                let body = self.value()?;
                Ok(self.add(NodeKind::While { cond, body }, unit))
            }
            "for" => {
                let var = self.binder()?;
                self.expect("=")?;
                let from = self.value()?;
                let down = self.accept("downto");
                if !down {
                    self.expect("to")?;
                }
                let to = self.value()?;
                self.expect("do")?;
                let body = self.value()?;
                Ok(self.add(NodeKind::For { var, from, to, down, body }, unit))
            }
            "try" => self.try_with(),
            "raise" => {
                let ty = self.bracketed_type()?;
                let value = self.value()?;
                Ok(self.add(NodeKind::Raise(value), ty))
            }
            "jump" => {
                let ty = self.bracketed_type()?;
                let name = self.name()?;
                let Some(&join) = self.joins.get(&name) else {
                    return self.error(format!("no join `{}`", name.base));
                };
                let args = self.arguments()?;
                Ok(self.add(NodeKind::Jump { join, args }, ty))
            }
            "seq" => {
                let items = self.arguments()?;
                let ty = items.last().map_or(unit, |&it| self.ty(it));
                Ok(self.add(NodeKind::Seq(items), ty))
            }
            _ => {
                self.at = start;
                self.postfix_value()
            }
        }
    }

    fn bracketed_type(&mut self) -> Result<TyId> {
        self.expect("[")?;
        let ty = self.parse_type()?;
        self.expect("]")?;
        Ok(ty)
    }

    fn arguments(&mut self) -> Result<Vec<NodeId>> {
        self.expect("(")?;
        self.list(")", Self::value)
    }

    fn prim(&mut self, prim: Prim) -> Result<NodeId> {
        let open = if self.next_is("[") { Some(self.bracketed_type()?) } else { None };
        let mut args = vec![self.postfix()?];
        while args.len() < prim.arity() {
            self.expect(",")?;
            args.push(self.postfix()?);
        }
        let tys: Vec<_> = args.iter().map(|&it| self.ty(it)).collect();
        let ty = open.or_else(|| prim_types::result(&mut self.program.types, prim, &tys));
        match ty {
            Some(ty) => Ok(self.add(NodeKind::Prim { prim, args }, ty)),
            None => self.error(format!("which type has the result of `{}`?", prim.name())),
        }
    }

    fn try_with(&mut self) -> Result<NodeId> {
        let body = self.value()?;
        self.expect("with")?;
        let name = self.name()?;
        let var = self.program.vars.push(Var {
            name: Symbol::new(&name.base),
            ty: self.program.types.exn,
            tyvars: Vec::new(),
            mutable: false,
            global: false,
            span: no_span(),
        });
        self.locals.insert(name, var);
        self.expect("->")?;
        let handler = self.value()?;
        let ty = self.ty(body);
        Ok(self.add(NodeKind::Try { body, var, handler }, ty))
    }

    fn switch(&mut self) -> Result<NodeId> {
        let value = self.value()?;
        let scrutinee = self.ty(value);
        self.expect("of")?;
        self.expect("{")?;
        let (mut cases, mut default) = (Vec::new(), None);
        while !self.accept("}") {
            let key = if self.accept("_") { None } else { Some(self.key(scrutinee)?) };
            self.expect("->")?;
            let body = self.value()?;
            self.expect(";")?;
            match key {
                Some(key) => cases.push((key, body)),
                None => default = Some(body),
            }
        }
        let Some(first) = cases.first().map(|it| it.1).or(default) else {
            return self.error("a switch without cases");
        };
        let ty = self.ty(first);
        Ok(self.add(NodeKind::Switch { value, cases, default }, ty))
    }

    fn key(&mut self, scrutinee: TyId) -> Result<Key> {
        if self.accept("exn") {
            return Ok(Key::Exn(self.exn()?));
        }
        let key = match self.peek() {
            Some(&Token::Int(width, value)) => Key::Int(width, value),
            Some(&Token::Char(value)) => Key::Char(value),
            Some(Token::String(value)) => Key::String(value.as_slice().into()),
            _ => return Ok(Key::Ctor(self.ctor(scrutinee)?)),
        };
        self.at += 1;
        Ok(key)
    }

    /// An operand, or an assignment to one.
    fn postfix_value(&mut self) -> Result<NodeId> {
        let target = self.postfix()?;
        let assigns = self.accept(":=");
        if !assigns && !self.accept("<-") {
            return Ok(target);
        }
        let value = self.value()?;
        let unit = self.program.types.unit;
        let target = &self.program.nodes[target].kind;
        let kind = if let NodeKind::Var { var, .. } = *target
            && assigns
        {
            NodeKind::Assign { var, value }
        } else if let NodeKind::Field { object, ctor, index } = *target
            && !assigns
        {
            NodeKind::SetField { object, ctor, index, value }
        } else {
            return self.error("nothing that can be assigned to");
        };
        Ok(self.add(kind, unit))
    }

    fn postfix(&mut self) -> Result<NodeId> {
        let mut node = self.atom()?;
        loop {
            if self.next_is("(") || self.next_is("!") {
                node = self.call(node)?;
            } else if self.accept("->") {
                node = self.selection(node)?;
            } else {
                return Ok(node);
            }
        }
    }

    fn call(&mut self, func: NodeId) -> Result<NodeId> {
        let line = self.line();
        let known = self.accept("!");
        let label = self.label()?;
        let args = self.arguments()?;
        let (params, ty) = self.program.types.split_function(self.ty(func), args.len());
        if params.len() != args.len() {
            return self.error("a call with more arguments than the type has arrows");
        }
        let node = self.add(NodeKind::Apply { func, args, callee: Callee::Unknown }, ty);
        if known {
            self.known_calls.push((node, label, line));
        }
        Ok(node)
    }

    /// `->` has been read.
    fn selection(&mut self, object: NodeId) -> Result<NodeId> {
        let ty = self.ty(object);
        match self.program.types.get(ty).clone() {
            Ty::Tuple(items) => {
                let index = self.index()?;
                let Some(&ty) = items.get(index as usize) else {
                    return self.error(format!("no component {index}"));
                };
                Ok(self.add(NodeKind::TupleGet { tuple: object, index }, ty))
            }
            Ty::Exn => {
                self.expect("exn")?;
                let exn = self.exn()?;
                self.expect("->")?;
                let index = self.index()?;
                let fields = &self.program.types.exns[exn].fields;
                let Some(ty) = fields.get(index as usize).map(|it| it.ty) else {
                    return self.error(format!("no payload {index}"));
                };
                Ok(self.add(NodeKind::ExnField { object, exn, index }, ty))
            }
            Ty::Data(data, _) => {
                let is_record = matches!(self.program.types.datas[data].kind, DataKind::Record(_));
                let (ctor, index) = if is_record {
                    (0, self.field_index(ty)?)
                } else {
                    let ctor = self.ctor(ty)?;
                    self.expect("->")?;
                    (ctor, self.index()?)
                };
                let field = self.field_type(ty, ctor, index)?;
                Ok(self.add(NodeKind::Field { object, ctor, index }, field))
            }
            _ => self.error("nothing that has fields"),
        }
    }

    fn field_index(&mut self, ty: TyId) -> Result<u32> {
        let name = self.name()?;
        if let Some((data, _)) = self.data_of(ty)
            && let DataKind::Record(fields) = &self.program.types.datas[data].kind
            && let Some(at) = fields.iter().position(|it| it.name.as_str() == name.base)
        {
            return Ok(at as u32);
        }
        self.error(format!("no field `{}`", name.base))
    }

    fn atom(&mut self) -> Result<NodeId> {
        if let Some(constant) = self.constant() {
            let ty = match &constant {
                Const::Unit => Ty::Unit,
                Const::Bool(_) => Ty::Bool,
                Const::Int(width, _) => Ty::Int(*width),
                Const::Float(_) => Ty::Float,
                Const::Char(_) => Ty::Char,
                Const::String(_) => Ty::String,
            };
            let ty = self.program.types.intern(ty);
            return Ok(self.add(NodeKind::Const(constant), ty));
        }
        if self.accept("{") {
            let node = self.block()?;
            self.expect("}")?;
            return Ok(node);
        }
        if self.accept("(") {
            let items = self.list(")", Self::value)?;
            if let [single] = items[..] {
                return Ok(single);
            }
            let tys = items.iter().map(|&it| self.ty(it)).collect();
            let ty = self.program.types.intern(Ty::Tuple(tys));
            return Ok(self.add(NodeKind::Tuple(items), ty));
        }
        if self.accept("exn") {
            let exn = self.exn()?;
            let args = self.arguments()?;
            let ty = self.program.types.exn;
            return Ok(self.add(NodeKind::MakeExn { exn, args }, ty));
        }
        if self.accept("@") {
            let name = self.name()?;
            let var = self.globals.get(&name).copied();
            return self.variable(&name, var);
        }
        let begins_type =
            self.peek_second().is_some_and(|it| it.is("<") || it.is("::") || it.is("{"));
        if begins_type {
            return self.construction();
        }
        let name = self.name()?;
        let var = self.locals.get(&name).copied();
        self.variable(&name, var)
    }

    fn constant(&mut self) -> Option<Const> {
        let constant = match self.peek()? {
            Token::Int(width, value) => Const::Int(*width, *value),
            Token::Float(value) => Const::Float(*value),
            Token::Char(value) => Const::Char(*value),
            Token::String(value) => Const::String(value.as_slice().into()),
            token if token.is("true") => Const::Bool(true),
            token if token.is("false") => Const::Bool(false),
            token if token.is("(") && self.peek_second().is_some_and(|it| it.is(")")) => {
                self.at += 1;
                Const::Unit
            }
            Token::Name(_) | Token::TyVar(_) | Token::Sign(_) => return None,
        };
        self.at += 1;
        Some(constant)
    }

    fn variable(&mut self, name: &Name, var: Option<VarId>) -> Result<NodeId> {
        let Some(var) = var else { return self.error(format!("no variable `{}`", name.base)) };
        let tyargs = if self.accept("[") { self.list("]", Self::parse_type)? } else { Vec::new() };
        let data = self.program.vars[var].clone();
        let ty = self.program.types.substitute(data.ty, &|tyvar| {
            let at = data.tyvars.iter().position(|&it| it == tyvar)?;
            tyargs.get(at).copied()
        });
        Ok(self.add(NodeKind::Var { var, tyargs }, ty))
    }

    /// `list<int>::Ctor(x)`, `ref<int>{contents = x}`, `array<int>[x]`
    fn construction(&mut self) -> Result<NodeId> {
        let ty = self.type_atom()?;
        if self.accept("[") {
            let items = self.list("]", Self::value)?;
            return Ok(self.add(NodeKind::Array(items), ty));
        }
        if self.accept("{") {
            let fields = self.list("}", |it| {
                it.field_index(ty)?;
                it.expect("=")?;
                it.value()
            })?;
            return Ok(self.add(NodeKind::Record(fields), ty));
        }
        self.expect("::")?;
        let ctor = self.ctor(ty)?;
        let args = if self.next_is("(") { self.arguments()? } else { Vec::new() };
        Ok(self.add(NodeKind::Construct { ctor, args }, ty))
    }
}
