//! Lambdas in the text, with all that stands in their heads.

use oxbow_base::Symbol;

use super::lexer::Token;
use super::{Reader, Result, no_span};
use crate::{Capture, CaptureMode, InlineHint, Lambda, NodeId, NodeKind, Repr};

impl<P> Reader<P> {
    /// `fn` has been read.
    pub(super) fn lambda(&mut self) -> Result<NodeId> {
        let name = match self.accept("@") {
            true => Some(Symbol::new(&self.name()?.base)),
            false => None,
        };
        let label = self.label()?;
        self.expect("(")?;
        let params = self.list(")", Self::binder)?;
        let mut lambda = Lambda::new(name, params, self.program.nodes.next_id(), no_span());
        loop {
            if self.accept("captures") {
                self.expect("(")?;
                lambda.captures = self.list(")", Self::capture)?;
            } else if self.accept("inline") {
                lambda.inline = match self.word_in_parentheses()?.as_str() {
                    "always" => InlineHint::Always,
                    "never" => InlineHint::Never,
                    "cold" => InlineHint::Cold,
                    "rare" => InlineHint::Rare,
                    "once" => InlineHint::Once,
                    "zero_alloc" => InlineHint::ZeroAlloc,
                    other => return self.error(format!("no hint `{other}`")),
                };
            } else if self.accept("repr") {
                lambda.repr = match self.word_in_parentheses()?.as_str() {
                    "lifted" => Repr::Lifted,
                    "flat" => Repr::Flat,
                    other => return self.error(format!("no representation `{other}`")),
                };
            } else if self.accept("noraise") {
                lambda.raises = false;
            } else {
                break;
            }
        }
        self.expect("->")?;
        // The body shows its type itself.
        self.parse_type()?;
        self.expect("=")?;
        lambda.body = self.value()?;
        let params = lambda.params.clone();
        let tys: Vec<_> = params.iter().map(|&it| self.program.vars[it].ty).collect();
        let result = self.ty(lambda.body);
        let ty = self.program.types.function(&tys, result);
        let lambda = self.program.lambdas.push(lambda);
        if let Some(label) = label {
            self.labels.insert(label, lambda);
        }
        let node = self.add(NodeKind::Lambda(lambda), ty);
        for param in params {
            self.sources.insert(param, node);
        }
        Ok(node)
    }

    /// `#0`, if there is one.
    pub(super) fn label(&mut self) -> Result<Option<i64>> {
        if !self.accept("#") {
            return Ok(None);
        }
        if let Some(&Token::Int(_, label)) = self.peek() {
            self.at += 1;
            return Ok(Some(label));
        }
        self.expected("a label")
    }

    fn word_in_parentheses(&mut self) -> Result<String> {
        self.expect("(")?;
        let name = self.name()?;
        self.expect(")")?;
        Ok(name.base)
    }

    fn capture(&mut self) -> Result<Capture> {
        let mode = if self.accept("&") { CaptureMode::ByRef } else { CaptureMode::ByValue };
        let name = self.name()?;
        let Some(&var) = self.locals.get(&name) else {
            return self.error(format!("no variable `{}`", name.base));
        };
        self.expect(":")?;
        let ty = self.parse_type()?;
        Ok(Capture { var, ty, mode, source: None })
    }
}
