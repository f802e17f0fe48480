//! Which name a variable gets.

use crate::tree::{Program, Var};

/// The names of the variables in scope.
pub struct Names<'a> {
    program: &'a Program,
    /// The current name of each variable; empty while it is out of scope.
    names: Vec<String>,
    in_scope: Vec<Var>,
}

impl<'a> Names<'a> {
    pub fn new(program: &'a Program) -> Self {
        Self { program, names: vec![String::new(); program.vars.len()], in_scope: Vec::new() }
    }

    pub fn get(&self, var: Var) -> &str {
        match self.names[var].as_str() {
            // Only in a program that is not well-scoped.
            "" => "unbound",
            name => name,
        }
    }

    /// The scope to return to with [`Self::leave`].
    pub fn enter(&self) -> usize {
        self.in_scope.len()
    }

    pub fn leave(&mut self, scope: usize) {
        for var in self.in_scope.drain(scope..) {
            self.names[var].clear();
        }
    }

    /// Names a variable whose scope reads the variables `read`.
    pub fn bind(&mut self, var: Var, read: &[Var]) -> String {
        let hint = self.program.vars[var].hint;
        let mut name = hint.to_string();
        let mut number = 1;
        while self.taken(var, &name, read) {
            number += 1;
            name = format!("{hint}{number}");
        }
        self.names[var] = name.clone();
        self.in_scope.push(var);
        name
    }

    /// Names the members of a module after it.
    pub fn bind_module(&mut self, vars: &[Var], members: &[(&str, &str)]) -> String {
        let module = format!("M{}", vars.first().copied().unwrap_or(0));
        for (var, member) in vars.iter().zip(members) {
            self.names[*var] = format!("{module}.{}", member.0);
            self.in_scope.push(*var);
        }
        module
    }

    fn taken(&self, var: Var, name: &str, read: &[Var]) -> bool {
        self.in_scope.iter().any(|&it| it != var && self.names[it] == name && read.contains(&it))
    }
}
