//! What became of every function and allocation of a program.

use std::path::Path;

use oxbow_base::{FxHashMap, IdMap, SourceMap};
use oxbow_differentiate::{Outcome, Reason};
use oxbow_explain::{Code, Explanation, Gradient, History, InRegion, Input};
use oxbow_psg::{LambdaId, Mono, Program, print};

use crate::{Session, Stop, native};

/// Who reads the explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExplainForm {
    Text,
    Json,
    /// A page that stands alone, with the code of each function where there is a back end.
    Html,
}

/// Compiles as far as the last pass and explains the result.
pub fn explain(session: &mut Session, form: ExplainForm) -> Result<String, Stop> {
    let program = session.front_end()?;
    session.sources.rename(relative);
    let mut history = History::new(&program, &session.sources);
    let program =
        session.middle_end_watched(program, |pass, program| history.before(pass, program))?;
    let listing = match form {
        ExplainForm::Html => native::listing(session, &program)?,
        ExplainForm::Text | ExplainForm::Json => Listing::default(),
    };
    let regions = native::regions(session, &program)?;
    let explanation =
        session.step("explain", |cx| explained(cx, &program, history, listing, &regions));
    Ok(match form {
        ExplainForm::Text => oxbow_explain::text::render(&explanation),
        ExplainForm::Json => oxbow_explain::json::render(&explanation),
        ExplainForm::Html => {
            let input = session.options.input.display().to_string();
            let title = relative(&input).unwrap_or(input);
            oxbow_explain::html::render(&explanation, &title)
        }
    })
}

/// The name of a file below the working folder, if it is given as an absolute one: places are read
/// side by side, and the part that all share says nothing.
fn relative(name: &str) -> Option<String> {
    let folder = std::env::current_dir().ok()?;
    let below = Path::new(name).strip_prefix(folder).ok()?;
    Some(below.display().to_string())
}

/// The code of a program's functions in the forms that a back end has.
#[derive(Default)]
pub(crate) struct Listing {
    pub symbols: IdMap<LambdaId, String>,
    /// The text of the user's functions in the graph.
    pub graph: IdMap<LambdaId, String>,
    /// The name of each form, with the text of each function by its symbol.
    pub forms: Vec<(String, FxHashMap<String, String>)>,
}

impl Listing {
    pub fn new(
        symbols: IdMap<LambdaId, String>,
        program: &Program<Mono>,
        sources: &SourceMap,
    ) -> Self {
        let users = |lambda: LambdaId| !sources.file(program.lambdas[lambda].span.file).is_library;
        let mut graph = IdMap::new();
        for (lambda, text) in print::lambdas(program, users) {
            graph.insert(lambda, text);
        }
        Self { symbols, graph, forms: Vec::new() }
    }

    /// Adds the text of each function by its symbol.
    #[cfg_attr(not(feature = "native"), allow(dead_code, reason = "only a back end has modules"))]
    pub fn add(&mut self, form: &str, functions: impl IntoIterator<Item = (String, String)>) {
        self.forms.push((form.into(), functions.into_iter().collect()));
    }

    /// The function of a lambda in every form, the graph first.
    fn code(&self, lambda: LambdaId) -> Vec<Code> {
        let graph = self.graph.get(lambda).map(|text| ("graph".to_string(), text.clone()));
        let forms = self.forms.iter().filter_map(|(form, functions)| {
            Some((form.clone(), functions.get(self.symbols.get(lambda)?)?.clone()))
        });
        graph.into_iter().chain(forms).map(|(form, text)| Code { form, text }).collect()
    }
}

fn explained(
    session: &Session,
    program: &Program<Mono>,
    history: History,
    listing: Listing,
    regions: &[InRegion],
) -> Explanation {
    let symbols = listing.symbols.clone();
    let code = |lambda| listing.code(lambda);
    let sources = &session.sources;
    let gradient = |it: &Outcome| Gradient {
        span: it.span,
        tape: it.tape.map(Reason::text),
        loops: it.loops.map(Reason::text),
    };
    let derivatives = session.derivatives.iter().map(gradient).collect();
    oxbow_explain::analyze(Input {
        history,
        program,
        sources,
        symbols,
        code: &code,
        regions,
        derivatives,
        sets: &session.closure_sets,
    })
}
