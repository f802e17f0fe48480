//! Names in the text: unique where they must be, quoted where they are no plain words.

use oxbow_base::{FxHashMap, IdMap};

use crate::{
    Callee, DataId, ExnId, JoinId, LambdaId, NodeId, NodeKind, Prim, Program, TyVarId, TypeTable,
    VarId, walk,
};

const KEYWORDS: &[&str] = &[
    "and",
    "array",
    "bool",
    "bytes",
    "captures",
    "char",
    "do",
    "downto",
    "else",
    "exception",
    "exn",
    "false",
    "float",
    "float32",
    "fn",
    "for",
    "if",
    "inline",
    "int",
    "int32",
    "int64",
    "join",
    "jump",
    "known",
    "let",
    "library",
    "mut",
    "noraise",
    "of",
    "raise",
    "rec",
    "repr",
    "seq",
    "stack",
    "static",
    "string",
    "switch",
    "then",
    "to",
    "true",
    "try",
    "type",
    "uniform",
    "unit",
    "while",
    "with",
];

/// A word with a meaning of its own in the text: a keyword or a primitive.
pub(crate) fn is_reserved(word: &str) -> bool {
    KEYWORDS.contains(&word) || Prim::from_name(&format!("%{word}")).is_some()
}

fn is_plain(name: &str) -> bool {
    let is_word = |part: &str| {
        part.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_')
            && part.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
    };
    name.split('.').all(is_word) && name != "_"
}

/// A name as it stands in the text.
pub(super) fn quote(name: &str) -> String {
    if is_plain(name) && !is_reserved(name) {
        return name.to_string();
    }
    let mut text = String::from("`");
    for it in name.chars() {
        match it {
            '`' | '\\' => text.extend(['\\', it]),
            '\n' => text += "\\n",
            _ => text.push(it),
        }
    }
    text.push('`');
    text
}

/// Numbers for names that occur again.
#[derive(Default)]
struct Counter {
    used: FxHashMap<String, u32>,
}

impl Counter {
    /// The first letter that is not used.
    fn letter(&self) -> String {
        (0..).map(letters).find(|it| !self.used.contains_key(it)).unwrap_or_default()
    }

    fn fresh(&mut self, name: &str) -> String {
        let quoted = quote(name);
        let count = self.used.entry(name.to_string()).or_insert(0);
        *count += 1;
        match *count {
            1 => quoted,
            n => format!("{quoted}.{}", n - 1),
        }
    }
}

/// `a` to `z`, then `a1`, ….
fn letters(index: u32) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// The names of one printing.
#[derive(Default)]
pub(super) struct Names {
    vars: IdMap<VarId, String>,
    joins: IdMap<JoinId, String>,
    tyvars: IdMap<TyVarId, String>,
    datas: IdMap<DataId, String>,
    exns: IdMap<ExnId, String>,
    /// The lambdas that calls refer to other than by their variable.
    labels: IdMap<LambdaId, u32>,
    /// What variables are bound to, if it is a lambda.
    pub lambdas: IdMap<VarId, LambdaId>,
    globals: Counter,
    locals: Counter,
    local_joins: Counter,
    local_tyvars: Counter,
    item_tyvars: Vec<TyVarId>,
}

impl Names {
    /// As they are declared, for reports: there, numbers would say how many types of a name the library has.
    pub fn declared(types: &TypeTable) -> Self {
        let mut names = Self::of_types(types);
        for (id, decl) in types.datas.iter() {
            names.datas.insert(id, quote(decl.name.as_str()));
        }
        names
    }

    fn of_types(types: &TypeTable) -> Self {
        let mut names = Self::default();
        let mut counter = Counter::default();
        for (id, decl) in types.datas.iter() {
            names.datas.insert(id, counter.fresh(decl.name.as_str()));
        }
        let mut counter = Counter::default();
        let mut params = 0..;
        for (id, decl) in types.exns.iter() {
            names.exns.insert(id, counter.fresh(decl.name.as_str()));
            // Known in the whole text, not in one item.
            for &param in &decl.params {
                let name = || format!("'E{}", params.next().unwrap_or(0));
                names.tyvars.entry_or_insert_with(param, name);
            }
        }
        names
    }

    pub fn new<P>(program: &Program<P>) -> Self {
        let mut names = Self::of_types(&program.types);
        for item in &program.items {
            for (&var, value) in item.kind.vars().iter().zip(item.kind.roots()) {
                names.var(program, var);
                names.record_lambda(program, var, value);
            }
        }
        walk::for_each_reachable(program, |node| {
            let kind = &program.nodes[node].kind;
            if let NodeKind::Let { var, value, .. } = kind {
                names.record_lambda(program, *var, *value);
            }
            if let NodeKind::LetRec { vars, values, .. } = kind {
                vars.iter().zip(values).for_each(|it| names.record_lambda(program, *it.0, *it.1));
            }
        });
        let mut count = 0;
        walk::for_each_reachable(program, |node| {
            if let NodeKind::Apply { func, callee: Callee::Known(lambda), .. } =
                program.nodes[node].kind
                && names.bound_lambda(program, func) != Some(lambda)
            {
                names.labels.entry_or_insert_with(lambda, || {
                    count += 1;
                    count - 1
                });
            }
        });
        names
    }

    fn record_lambda<P>(&mut self, program: &Program<P>, var: VarId, value: NodeId) {
        if let NodeKind::Lambda(lambda) = program.nodes[value].kind {
            self.lambdas.insert(var, lambda);
        }
    }

    /// The lambda that a callee names without further knowledge.
    pub fn bound_lambda<P>(&self, program: &Program<P>, func: NodeId) -> Option<LambdaId> {
        if let NodeKind::Var { var, .. } = program.nodes[func].kind {
            return self.lambdas.get(var).copied();
        }
        if let NodeKind::Lambda(lambda) = program.nodes[func].kind {
            return Some(lambda);
        }
        None
    }

    /// Numbers of locals, joins and type variables begin anew.
    pub fn start_item(&mut self) {
        self.locals = Counter::default();
        self.local_joins = Counter::default();
        self.local_tyvars = Counter::default();
        for tyvar in self.item_tyvars.drain(..) {
            self.tyvars.remove(tyvar);
        }
    }

    /// Names everything local below `root`, in order of the text.
    pub fn bind_tree<P>(&mut self, program: &Program<P>, root: NodeId) {
        if let NodeKind::Lambda(lambda) = program.nodes[root].kind {
            for capture in &program.lambdas[lambda].captures {
                self.bind(program, capture.var);
            }
        }
        walk::for_each_node(program, root, |node| {
            let kind = &program.nodes[node].kind;
            kind.for_each_binder(&program.joins, |var| self.bind(program, var));
            if let NodeKind::Lambda(lambda) = *kind {
                let params = &program.lambdas[lambda].params;
                params.iter().for_each(|&var| self.bind(program, var));
            }
            if let NodeKind::Join { join, .. } = *kind {
                let name = self.local_joins.fresh(program.joins[join].name.as_str());
                self.joins.insert(join, name);
            }
        });
    }

    fn bind<P>(&mut self, program: &Program<P>, var: VarId) {
        let name = self.locals.fresh(program.vars[var].name.as_str());
        self.vars.insert(var, name);
    }

    pub fn var<P>(&mut self, program: &Program<P>, var: VarId) -> String {
        let data = &program.vars[var];
        let (globals, locals) = (&mut self.globals, &mut self.locals);
        let make = || match data.global {
            true => format!("@{}", globals.fresh(data.name.as_str())),
            false => locals.fresh(data.name.as_str()),
        };
        self.vars.entry_or_insert_with(var, make).clone()
    }

    pub fn join<P>(&mut self, program: &Program<P>, join: JoinId) -> String {
        let fresh = || self.local_joins.fresh(program.joins[join].name.as_str());
        self.joins.entry_or_insert_with(join, fresh).clone()
    }

    pub fn tyvar(&mut self, types: &TypeTable, tyvar: TyVarId) -> String {
        if let Some(name) = self.tyvars.get(tyvar) {
            return name.clone();
        }
        let name = types.tyvars.get(tyvar).map_or("", |it| it.as_str()).trim_start_matches('\'');
        // A word that begins with a letter: its quote must not begin a character.
        let letter = name.starts_with(|it: char| it.is_ascii_alphabetic());
        let plain = match name {
            // The variables of an item that have no name are its own affair: `'a`, `'b`, ….
            "" => self.local_tyvars.letter(),
            _ if is_plain(name) && letter => name.to_string(),
            _ => "t".to_string(),
        };
        let name = format!("'{}", self.local_tyvars.fresh(&plain).replace('`', ""));
        self.tyvars.insert(tyvar, name.clone());
        self.item_tyvars.push(tyvar);
        name
    }

    pub fn data(&self, data: DataId) -> String {
        self.datas.get(data).cloned().unwrap_or_default()
    }

    pub fn exn(&self, exn: ExnId) -> String {
        self.exns.get(exn).cloned().unwrap_or_default()
    }

    pub fn label(&self, lambda: LambdaId) -> Option<u32> {
        self.labels.get(lambda).copied()
    }
}
