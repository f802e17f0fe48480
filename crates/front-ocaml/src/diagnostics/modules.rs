//! Reports about packed and recursive modules.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_elab::ast::Name;

/// `(module sig … end)`
pub(crate) struct UnnamedPackage {
    pub span: Span,
}

impl UnnamedPackage {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0216", "the type of a packed module is a module type by its name")
            .at(self.span, "not the name of a module type")
            .help("define it first: `module type S = …`")
    }
}

/// `(module S with module M = N)`
pub(crate) struct PackageConstraint {
    pub span: Span,
}

impl PackageConstraint {
    pub fn render(&self) -> Diagnostic {
        Diagnostic::error("E0216", "the type of a packed module can only say what types are")
            .at(self.span, "must be `type t = …`, without parameters")
            .help("define a module type that says so, and use its name")
    }
}

/// `module rec M = …`
pub(crate) struct UntypedRecursive {
    pub name: Name,
}

impl UntypedRecursive {
    pub fn render(&self) -> Diagnostic {
        let name = self.name.text;
        Diagnostic::error("E0220", format!("the recursive module `{name}` has no module type"))
            .at(self.name.span, "the others must know its type before it is defined")
            .help(format!("write `module rec {name} : S = …`"))
    }
}
