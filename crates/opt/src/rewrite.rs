//! Rewrite patterns written as Rust closures, driven by MLIR's greedy driver.
//!
//! ```text
//! Patterns::new(context)
//!     .add(|rewriter, op: MakeClosure| …)     true if it changed something
//!     .apply(module)
//! ```

#![expect(unsafe_code, reason = "calls MLIR's C interface")]

use std::ffi::c_void;

use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::{OperationLike, OperationRef};
use oxbow_dialect::melior::ir::{Module, ValueLike};
use oxbow_dialect::op::{DialectOp, Draft};
use oxbow_dialect::{Builder, Op, Val, mlir_sys as sys, result_of};

type Body<'p, 'c> = Box<dyn Fn(&Rewriter<'c>, Op<'c>) -> bool + 'p>;

struct Pattern<'p, 'c> {
    context: &'c Context,
    body: Body<'p, 'c>,
}

/// A set of patterns, each for ops of one kind.
pub struct Patterns<'p, 'c> {
    context: &'c Context,
    // Boxed: MLIR keeps the address of each.
    patterns: Vec<(&'static str, Box<Pattern<'p, 'c>>)>,
}

impl<'p, 'c> Patterns<'p, 'c> {
    pub fn new(context: &'c Context) -> Self {
        Self { context, patterns: Vec::new() }
    }

    pub fn add<T: DialectOp<'c>>(mut self, body: impl Fn(&Rewriter<'c>, T) -> bool + 'p) -> Self {
        let body: Body<'p, 'c> = Box::new(move |rewriter, op| body(rewriter, T::of(op)));
        self.patterns.push((T::NAME, Box::new(Pattern { context: self.context, body })));
        self
    }

    /// Applies the patterns until none changes anything.
    pub fn apply(self, module: &Module<'c>) {
        // SAFETY: the set takes the patterns over and is freed once, frozen; what they refer to, `self.patterns`,
        // lives until the end of this function, and nobody else uses the module meanwhile.
        unsafe {
            let set = sys::mlirRewritePatternSetCreate(self.context.to_raw());
            for (name, pattern) in &self.patterns {
                let callbacks = sys::MlirRewritePatternCallbacks {
                    construct: None,
                    destruct: None,
                    matchAndRewrite: Some(match_and_rewrite),
                };
                let root = sys::MlirStringRef { data: name.as_ptr().cast(), length: name.len() };
                let data = std::ptr::from_ref::<Pattern<'p, 'c>>(pattern).cast_mut();
                sys::mlirRewritePatternSetAdd(
                    set,
                    sys::mlirOpRewritePatternCreate(
                        root,
                        1,
                        self.context.to_raw(),
                        callbacks,
                        data.cast(),
                        0,
                        std::ptr::null_mut(),
                    ),
                );
            }
            let frozen = sys::mlirFreezeRewritePattern(set);
            let config = sys::mlirGreedyRewriteDriverConfigCreate();
            sys::mlirGreedyRewriteDriverConfigSetMaxIterations(config, -1);
            sys::mlirGreedyRewriteDriverConfigEnableFolding(config, false);
            sys::mlirGreedyRewriteDriverConfigEnableConstantCSE(config, false);
            sys::mlirGreedyRewriteDriverConfigSetUseTopDownTraversal(config, true);
            sys::mlirGreedyRewriteDriverConfigSetRegionSimplificationLevel(
                config,
                sys::MlirGreedySimplifyRegionLevel_MLIR_GREEDY_SIMPLIFY_REGION_LEVEL_DISABLED,
            );
            // Each pattern removes what it matches, so the driver comes to an end.
            let _ = sys::mlirApplyPatternsAndFoldGreedily(module.to_raw(), frozen, config);
            sys::mlirGreedyRewriteDriverConfigDestroy(config);
            sys::mlirFrozenRewritePatternSetDestroy(frozen);
        }
    }
}

unsafe extern "C" fn match_and_rewrite(
    _: sys::MlirRewritePattern,
    op: sys::MlirOperation,
    rewriter: sys::MlirPatternRewriter,
    data: *mut c_void,
) -> sys::MlirLogicalResult {
    // SAFETY: the data is the pattern that `apply` registered, alive while it runs. Its lifetimes
    // are erased here; it is only used within that call.
    let changed = unsafe {
        let pattern = &*data.cast_const().cast::<Pattern<'static, 'static>>();
        let mut build = Builder::new(pattern.context);
        let op: Op<'static> = OperationRef::from_raw(op);
        build.location = op.location();
        let raw = sys::mlirPatternRewriterAsBase(rewriter);
        sys::mlirRewriterBaseSetInsertionPointBefore(raw, op.to_raw());
        (pattern.body)(&Rewriter { raw, build }, op)
    };
    sys::MlirLogicalResult { value: changed.into() }
}

/// Changes ops during a rewrite; new ones go before the op that matched.
pub struct Rewriter<'c> {
    raw: sys::MlirRewriterBase,
    pub build: Builder<'c>,
}

impl<'c> Rewriter<'c> {
    pub fn op(&self, draft: &Draft<'c>) -> Op<'c> {
        let op = self.build.create(draft);
        // SAFETY: a `Rewriter` lives within one call by MLIR, and so does what `raw` names. The op is new and
        // nobody's; the rewriter puts it into the block of the matched op.
        unsafe { OperationRef::from_raw(sys::mlirRewriterBaseInsert(self.raw, op.to_raw())) }
    }

    /// The same; the value of its only result.
    pub fn value(&self, draft: &Draft<'c>) -> Val<'c> {
        result_of(self.op(draft), 0)
    }

    /// Further ops go before this one.
    pub fn move_before(&self, op: Op<'c>) {
        // SAFETY: the rewriter is alive, as in `op`, and so is the op, by the rule of handles.
        unsafe { sys::mlirRewriterBaseSetInsertionPointBefore(self.raw, op.to_raw()) }
    }

    /// Replaces an op by values of its results' types.
    pub fn replace(&self, op: Op<'c>, values: &[Val<'c>]) {
        let values: Vec<_> = values.iter().map(|it| it.to_raw()).collect();
        // SAFETY: the rewriter is alive, as in `op`; patterns give one value for each result, and do not use the op
        // again.
        unsafe {
            sys::mlirRewriterBaseReplaceOpWithValues(
                self.raw,
                op.to_raw(),
                values.len() as isize,
                values.as_ptr(),
            )
        }
    }

    /// Erases an op whose results nothing uses.
    pub fn erase(&self, op: Op<'c>) {
        // SAFETY: the rewriter is alive, as in `op`; patterns do not use the op again, and nothing uses its results.
        unsafe { sys::mlirRewriterBaseEraseOp(self.raw, op.to_raw()) }
    }
}
