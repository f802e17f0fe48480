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
    /// Where each identifier is bound.
    places: FxHashMap<Ident, Vec<ScopeId>>,
}

struct Scope {
    names: FxHashMap<Ident, Binding>,
    parent: Option<ScopeId>,
    /// How many scopes it is in.
    depth: usize,
    /// Some scope around it, or itself if there is none: far enough that a way outwards takes few steps.
    jump: ScopeId,
}

/// Identifiers that are bound in more places than this are looked for scope by scope.
const FEW_PLACES: usize = 8;

#[derive(Clone, Copy)]
struct Alias {
    /// The identifier in the template.
    of: Ident,
    /// Where the macro was defined.
    scope: ScopeId,
}

impl Scopes {
    pub fn child(&mut self, parent: Option<ScopeId>) -> ScopeId {
        let id = self.scopes.len();
        // Jumps of equal length that follow each other become one.
        let (depth, jump) = parent.map_or((0, id), |parent| {
            let depth = |it: ScopeId| self.scopes[it].depth;
            let next = self.scopes[parent].jump;
            let after = self.scopes[next].jump;
            let is_even = depth(parent) - depth(next) == depth(next) - depth(after);
            (depth(parent) + 1, if is_even { after } else { parent })
        });
        self.scopes.push(Scope { names: FxHashMap::default(), parent, depth, jump });
        id
    }

    pub fn bind(&mut self, scope: ScopeId, ident: Ident, binding: Binding) {
        if self.scopes[scope].names.insert(ident, binding).is_none() {
            self.places.entry(ident).or_default().push(scope);
        }
    }

    /// The binding made in this very scope.
    pub fn own(&self, scope: ScopeId, ident: Ident) -> Option<Binding> {
        self.scopes[scope].names.get(&ident).copied()
    }

    pub fn lookup(&self, scope: ScopeId, ident: Ident) -> Option<Binding> {
        let (mut ident, mut start) = (ident, scope);
        loop {
            if let Some(binding) = self.bound(start, ident) {
                return Some(binding);
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

    /// The innermost binding of this very identifier. Macros that expand to macros put thousands of scopes inside each
    /// other, and most of what they insert is bound in none of them: so the few scopes that bind it are looked at.
    fn bound(&self, from: ScopeId, ident: Ident) -> Option<Binding> {
        let places = self.places.get(&ident)?;
        if places.len() <= FEW_PLACES {
            let around = places.iter().filter(|it| self.is_around(**it, from));
            let innermost = around.max_by_key(|it| self.scopes[**it].depth)?;
            return self.own(*innermost, ident);
        }
        let mut at = Some(from);
        while let Some(scope) = at {
            if let Some(binding) = self.own(scope, ident) {
                return Some(binding);
            }
            at = self.scopes[scope].parent;
        }
        None
    }

    /// Whether a scope is another one, or has it inside.
    fn is_around(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let depth = self.scopes[outer].depth;
        let mut at = inner;
        while self.scopes[at].depth > depth {
            let Scope { jump, parent, .. } = &self.scopes[at];
            at = match parent {
                Some(parent) if self.scopes[*jump].depth < depth => *parent,
                _ => *jump,
            };
        }
        at == outer
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A name in each of a thousand scopes inside each other, and a tree beside them.
    #[test]
    fn the_innermost_binding_around_is_found() {
        let mut scopes = Scopes::default();
        let name = |it: &str| Ident::Plain(Symbol::new(it));
        let mut chain = vec![scopes.child(None)];
        for depth in 1..1000 {
            chain.push(scopes.child(Some(chain[depth - 1])));
        }
        let beside = scopes.child(Some(chain[500]));
        for at in [3, 500, 700] {
            scopes.bind(chain[at], name("few"), Binding::Macro(at));
        }
        for at in (0..1000).step_by(7) {
            scopes.bind(chain[at], name("many"), Binding::Macro(at));
        }
        let found = |scope, it: &str| scopes.lookup(scope, name(it));
        for (at, scope) in chain.iter().enumerate() {
            let few = [700, 500, 3].into_iter().find(|it| *it <= at).map(Binding::Macro);
            assert_eq!(found(*scope, "few"), few, "{at}");
            assert_eq!(found(*scope, "many"), Some(Binding::Macro(at / 7 * 7)), "{at}");
            assert_eq!(found(*scope, "none"), None);
        }
        assert_eq!(found(beside, "few"), Some(Binding::Macro(500)));
    }
}
