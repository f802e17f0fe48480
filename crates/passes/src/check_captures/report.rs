//! The report of a closure that outlives what it captures: binding, capture, each step of the way, and
//! the cell that would do.

use oxbow_base::Span;
use oxbow_diag::{Diagnostic, Edit};
use oxbow_psg::{LambdaId, NodeId, NodeKind, VarId, walk};

use super::{Check, Step};

impl Check<'_> {
    /// Where the function mentions the variable.
    fn mention(&self, lambda: LambdaId, var: VarId) -> Span {
        let program = self.program;
        let mut todo = vec![program.lambdas[lambda].body];
        let mut best: Option<Span> = None;
        while let Some(node) = todo.pop() {
            let it = &program.nodes[node];
            match &it.kind {
                NodeKind::Var { var: read, .. } if *read == var => best = earlier(best, it.span),
                NodeKind::Assign { var: set, .. } if *set == var => best = earlier(best, it.span),
                NodeKind::Lambda(inner) => todo.push(program.lambdas[*inner].body),
                _ => (),
            }
            it.kind.for_each_child(|child| todo.push(child));
        }
        best.unwrap_or(program.lambdas[lambda].span)
    }

    pub(super) fn report(
        &self,
        var: VarId,
        scope: NodeId,
        lambda: LambdaId,
        node: NodeId,
        path: &[Step],
    ) -> Diagnostic {
        let program = self.program;
        let info = &program.vars[var];
        let name = info.name;
        // What the library does with it is nobody's mistake: its steps are left out.
        let is_seen = |it: &&Step| !self.sources.file(it.0.file).is_library;
        let own: Vec<Step> = path.iter().filter(is_seen).cloned().collect();
        let path = if own.is_empty() { path } else { &own };
        let (last, before) = match path.split_last() {
            Some((last, before)) => (last.clone(), before),
            None => ((program.span(node), "escapes".into()), path),
        };
        let mut report = Diagnostic::error(
            "E0150",
            format!("a function that changes or reads `{name}` outlives it"),
        )
        .at(last.0, format!("the function {}", last.1))
        .label(info.span, format!("`{name}` lives until the end of this block"))
        .label(self.mention(lambda, var), format!("`{name}` is captured by reference here"));
        for (span, text) in before {
            report = report.label(*span, format!("the function {text}"));
        }
        let mut report = report.help(format!(
            "use a cell, which lives as long as the function: `let {name} = ref …`, read by `{name}.Value` and changed by `{name}.Value <- …`"
        ));
        if let Some(edits) = self.as_cell(var, scope) {
            report.edits = edits;
        }
        report
    }

    /// The edits that make a cell of the variable: at its binding and at every place that reads or
    /// changes it. `None` where the text is not as expected.
    fn as_cell(&self, var: VarId, scope: NodeId) -> Option<Vec<Edit>> {
        let program = self.program;
        let name = program.vars[var].span;
        let NodeKind::Let { value, body, .. } = program.nodes[scope].kind else { return None };
        let value = program.span(value);
        let at = |start: u32, end: u32| Span::new(name.file, start, end);
        let text = &self.sources.file(name.file).text;
        let before = text.get(..name.start as usize)?;
        let keyword = before.trim_end().strip_suffix("mutable")?.len() as u32;
        let between = text.get(name.end as usize..value.start as usize)?;
        let mut edits = vec![Edit { span: at(keyword, name.start), text: String::new() }];
        if let Some(colon) = between.find(':') {
            let ty = between[colon + 1..].split('=').next()?.trim();
            let end = name.end + between.rfind('=')? as u32;
            edits.push(Edit { span: at(name.end, end), text: format!(" : ({ty}) ref ") });
        }
        edits.push(Edit { span: at(value.start, value.start), text: "ref (".into() });
        edits.push(Edit { span: at(value.end, value.end), text: ")".into() });
        let name = self.sources.text(name);
        let mut places: Vec<Span> = Vec::new();
        walk::for_each_node(program, body, |node| {
            let span = program.span(node);
            match program.nodes[node].kind {
                NodeKind::Var { var: read, .. } if read == var => places.push(span),
                NodeKind::Assign { var: set, .. } if set == var => {
                    let start = span.start;
                    places.push(Span::new(span.file, start, start + name.len() as u32));
                }
                _ => (),
            }
        });
        places.sort_by_key(|it| it.start);
        places.dedup();
        for place in places {
            if self.sources.text(place) != name {
                return None;
            }
            let span = Span::new(place.file, place.end, place.end);
            edits.push(Edit { span, text: ".Value".into() });
        }
        Some(edits)
    }
}

fn earlier(best: Option<Span>, span: Span) -> Option<Span> {
    match best {
        Some(best) if best.start <= span.start => Some(best),
        _ => Some(span),
    }
}
