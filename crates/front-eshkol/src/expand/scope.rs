//! Scopes: what names mean. Hygiene comes from aliases: a name that a template inserts is a
//! fresh identifier, which means what the template's name meant unless it is bound itself.

use oxbow_base::{FxHashMap, Symbol};

use crate::builtin::BuiltinId;
use crate::core::VarId;
use crate::datum::Ident;

pub type ScopeId = usize;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    Var(VarId),
    Builtin(BuiltinId),
    Macro(usize),
    Special(&'static str),
}

#[derive(Default)]
pub struct Scopes {
    scopes: Vec<Scope>,
    aliases: Vec<Alias>,
}

struct Scope {
    names: FxHashMap<Ident, Binding>,
    parent: Option<ScopeId>,
}

#[derive(Clone, Copy)]
struct Alias {
    /// The identifier in the template.
    of: Ident,
    /// Where the macro was defined.
    scope: ScopeId,
}

impl Scopes {
    pub fn child(&mut self, parent: Option<ScopeId>) -> ScopeId {
        self.scopes.push(Scope { names: FxHashMap::default(), parent });
        self.scopes.len() - 1
    }

    pub fn bind(&mut self, scope: ScopeId, ident: Ident, binding: Binding) {
        self.scopes[scope].names.insert(ident, binding);
    }

    /// The binding made in this very scope.
    pub fn own(&self, scope: ScopeId, ident: Ident) -> Option<Binding> {
        self.scopes[scope].names.get(&ident).copied()
    }

    pub fn lookup(&self, scope: ScopeId, ident: Ident) -> Option<Binding> {
        let (mut ident, mut start) = (ident, scope);
        loop {
            let mut at = Some(start);
            while let Some(scope) = at {
                let scope = &self.scopes[scope];
                if let Some(&binding) = scope.names.get(&ident) {
                    return Some(binding);
                }
                at = scope.parent;
            }
            match ident {
                Ident::Plain(_) => return None,
                Ident::Alias(alias) => {
                    let alias = self.aliases[alias as usize];
                    ident = alias.of;
                    start = alias.scope;
                }
            }
        }
    }

    pub fn alias(&mut self, of: Ident, scope: ScopeId) -> Ident {
        self.aliases.push(Alias { of, scope });
        Ident::Alias(self.aliases.len() as u32 - 1)
    }

    /// The name as it was written.
    pub fn symbol(&self, ident: Ident) -> Symbol {
        match ident {
            Ident::Plain(symbol) => symbol,
            Ident::Alias(alias) => self.symbol(self.aliases[alias as usize].of),
        }
    }

    /// Whether two identifiers mean the same, as a literal of `syntax-rules` must.
    pub fn same(&self, a: Ident, in_a: ScopeId, b: Ident, in_b: ScopeId) -> bool {
        match (self.lookup(in_a, a), self.lookup(in_b, b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.symbol(a) == self.symbol(b),
            _ => false,
        }
    }

    /// All names that can be seen from a scope.
    pub fn visible(&self, scope: ScopeId) -> Vec<(Symbol, Binding)> {
        let mut names = Vec::new();
        let mut at = Some(scope);
        while let Some(scope) = at {
            names.extend(self.scopes[scope].names.iter().filter_map(|(it, binding)| match it {
                Ident::Plain(symbol) => Some((*symbol, *binding)),
                Ident::Alias(_) => None,
            }));
            at = self.scopes[scope].parent;
        }
        names
    }

    /// The names bound in one scope, in the order of their texts.
    pub fn names_of(&self, scope: ScopeId) -> Vec<(Symbol, Binding)> {
        let mut names: Vec<_> = self.scopes[scope]
            .names
            .iter()
            .filter_map(|(ident, binding)| match ident {
                Ident::Plain(symbol) => Some((*symbol, *binding)),
                Ident::Alias(_) => None,
            })
            .collect();
        names.sort_by_key(|it| it.0.as_str());
        names
    }
}
