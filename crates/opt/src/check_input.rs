//! What a module from outside must satisfy besides the verifiers of its ops, so that the back end
//! can convert it: which ops and types there are, how the runtime is called, what environments hold.

use oxbow_abi::AbiType;
use oxbow_dialect::inspect::{
    blocks_of, body_ops, definition, name_of, operands, ops_of, place_of,
};
use oxbow_dialect::melior::Context;
use oxbow_dialect::melior::ir::operation::OperationLike;
use oxbow_dialect::melior::ir::{BlockLike, Location, Module, Type, ValueLike};
use oxbow_dialect::op::{
    Data, DialectOp, ForeignCall, Func, Opcode, RuntimeCall, Upstream, View, opcode, view,
};
use oxbow_dialect::{Kind, OcamlType, Op, region_of, result_of};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Fault;
use crate::module::{Declarations, named_function};

mod envs;

pub fn run<'c>(module: &Module<'c>, context: &'c Context) -> Result<(), Vec<Fault>> {
    let declarations = Declarations::new(module, context);
    let mut check = Check::new(&declarations);
    for op in ops_of(declarations.body) {
        check.declaration(&declarations, op);
    }
    if check.faults.is_empty() {
        envs::check(&declarations, &mut check.faults);
    }
    if check.faults.is_empty() { Ok(()) } else { Err(check.faults) }
}

/// Makes sure that a program can start: `oxbow_program_main` is there, and if it says nothing about
/// an exhausted stack, the runtime's own message serves, and it has nothing to flush.
pub fn complete<'c>(module: &Module<'c>, context: &'c Context) -> Result<(), Fault> {
    let mut view = Declarations::new(module, context);
    let exported = |name: &str| view.funcs.iter().any(|it| it.exported() && it.sym_name() == name);
    let main = oxbow_abi::PROGRAM_MAIN;
    if !exported(main) {
        let message = format!(
            "there is nothing to run: the module has no `ocaml.func @{main}() -> i1 attributes {{exported}}`"
        );
        return Err(Fault { place: None, message });
    }
    let missing = oxbow_abi::PROGRAM_ENTRIES.into_iter().filter(|it| !exported(it));
    for name in missing.collect::<Vec<_>>() {
        view.build.set_block(view.body);
        let (i1, location) = (view.build.types.i1, Location::unknown(context));
        view.build.location = location;
        let func = view.build.func(&oxbow_dialect::FuncSpec {
            name,
            params: &[],
            result: i1,
            raises: false,
            captures: &[],
            capture_names: &[],
            inline_hint: None,
            exported: true,
        });
        let entry = view.build.new_block(&[]);
        view.build.place(entry, region_of(func));
        view.build.set_block(entry);
        let unit = view.build.const_bool(false);
        view.build.return_(unit);
    }
    Ok(())
}

struct Check<'c> {
    faults: Vec<Fault>,
    datas: FxHashSet<&'c str>,
    exported: FxHashSet<&'c str>,
    funcs: FxHashMap<&'c str, Func<'c>>,
}

impl<'c> Check<'c> {
    fn new(declarations: &Declarations<'c>) -> Self {
        let datas = ops_of(declarations.body).filter_map(Data::cast).map(Data::sym_name).collect();
        let exported =
            declarations.funcs.iter().filter(|it| it.exported()).map(|it| it.sym_name()).collect();
        Self { faults: Vec::new(), datas, exported, funcs: declarations.by_name() }
    }

    fn fault(&mut self, op: Op<'c>, message: String) {
        self.faults.push(Fault { place: place_of(op.location()), message });
    }

    fn declaration(&mut self, declarations: &Declarations<'c>, op: Op<'c>) {
        match view(op) {
            View::Func(it) => self.func(declarations, it),
            View::Global(it) => self.types(op, &[it.r#type()]),
            View::Exception(it) => self.types(op, &it.fields()),
            View::Data(it) => self.types(op, &it.ctors().concat()),
            _ => self.fault(op, format!("`{}` is no declaration of a program", name_of(op))),
        }
    }

    fn func(&mut self, declarations: &Declarations<'c>, func: Func<'c>) {
        let (op, exported) = (func.op(), func.exported());
        let types: Vec<_> = func.inputs().into_iter().chain(func.outputs()).collect();
        self.signature(op, &types);
        self.types(op, &func.captures().unwrap_or_default());
        if exported {
            let name = func.sym_name();
            let known = oxbow_abi::PROGRAM_ENTRIES;
            let others = [oxbow_abi::PROGRAM_FIBER, oxbow_abi::PROGRAM_DOMAIN];
            if !known.contains(&name) && !others.contains(&name) {
                self.fault(
                    op,
                    format!(
                        "@{name} is exported, but the runtime calls only {}",
                        known.map(|it| format!("@{it}")).join(", ")
                    ),
                );
            }
            if types != [declarations.build.types.i1] {
                self.fault(op, format!("@{name} is called by the runtime, so it is `() -> i1`"));
            }
        }
        for block in blocks_of(region_of(op)) {
            let arguments: Vec<_> = (0..block.argument_count())
                .map(|at| declarations.build.argument(block, at).r#type())
                .collect();
            self.signature(op, &arguments);
            for inner in ops_of(block) {
                self.op(inner, exported);
            }
        }
    }

    fn op(&mut self, op: Op<'c>, in_exported: bool) {
        let name = name_of(op);
        if let Opcode::Upstream(Upstream::Math | Upstream::Llvm | Upstream::Other) = opcode(op) {
            return self.fault(op, format!("`{name}` is not an op that programs are made of"));
        }
        let results: Vec<_> = (0..op.result_count()).map(|at| result_of(op, at).r#type()).collect();
        self.signature(op, &results);
        if in_exported && matches!(opcode(op), Opcode::TailCall | Opcode::TailInvoke) {
            self.fault(
                op,
                format!("`{name}` cannot take the place of a function that the runtime calls"),
            );
        }
        if let Some(func) = named_function(op) {
            if self.exported.contains(func) {
                self.fault(op, format!("@{func} is for the runtime to call"));
            }
            let nullary = self.funcs.get(func).is_some_and(|it| it.inputs().is_empty());
            if nullary && view(op).callee().is_none() {
                self.fault(op, format!("@{func} takes no arguments, so it has no closure"));
            }
        }
        match view(op) {
            View::RuntimeCall(it) => self.runtime_call(it),
            View::ForeignCall(it) => self.foreign_call(it),
            View::NativeLoad(it) => self.width(op, it.value().r#type()),
            View::NativeStore(it) => self.width(op, it.value().r#type()),
            View::StringGet(it) => self.width(op, it.value().r#type()),
            View::StringSet(it) => self.width(op, it.value().r#type()),
            _ => (),
        }
    }

    fn width(&mut self, op: Op<'c>, ty: Type<'c>) {
        if !["i8", "i16", "i32", "i64"].contains(&ty.to_string().as_str()) {
            self.fault(op, format!("one to eight bytes are read or written, not {ty}"));
        }
    }

    fn foreign_call(&mut self, call: ForeignCall<'c>) {
        let is_scalar =
            |ty: Type<'c>| ["i32", "i64", "f32", "f64"].contains(&ty.to_string().as_str());
        let args = call
            .args()
            .iter()
            .all(|it| is_scalar(it.r#type()) || it.r#type().kind() == Kind::String);
        let result = call.result().iter().all(|it| is_scalar(it.r#type()));
        if !args || !result {
            let message = "C takes i32, i64, f32, f64 and strings, and returns scalars";
            self.fault(call.op(), message.into());
        }
    }

    fn runtime_call(&mut self, call: RuntimeCall<'c>) {
        let (op, name) = (call.op(), call.callee());
        let Some(function) = oxbow_abi::function(name) else {
            return self.fault(op, format!("the runtime has no function @{name}"));
        };
        let given: Vec<_> = operands(op).iter().map(|it| it.r#type()).collect();
        let args = given.len() == function.params.len()
            && given.iter().zip(function.params).all(|(ty, abi)| fits(*ty, *abi));
        let result = match function.result {
            AbiType::Void => op.result_count() == 0,
            abi => op.result_count() == 1 && fits(result_of(op, 0).r#type(), abi),
        };
        if !args || !result {
            let list: Vec<_> = function.params.iter().map(|it| abi_name(*it)).collect();
            self.fault(
                op,
                format!(
                    "@{name} of the runtime is ({}) -> {}",
                    list.join(", "),
                    abi_name(function.result)
                ),
            );
        }
    }

    /// Types of values, which environments may have.
    fn signature(&mut self, op: Op<'c>, types: &[Type<'c>]) {
        let others: Vec<_> = types.iter().copied().filter(|it| it.kind() != Kind::Env).collect();
        self.types(op, &others);
    }

    fn types(&mut self, op: Op<'c>, types: &[Type<'c>]) {
        for &ty in types {
            if let Err(message) = self.ty(ty) {
                self.fault(op, message);
            }
        }
    }

    fn ty(&self, ty: Type<'c>) -> Result<(), String> {
        match ty.kind() {
            Kind::String | Kind::Exn => Ok(()),
            Kind::Region => Err("regions are placed by the compiler".into()),
            Kind::Env => Err("an environment is no part of other types".into()),
            Kind::Box | Kind::Array => self.ty(ty.element()),
            Kind::Tuple => ty.elements().into_iter().try_for_each(|it| self.ty(it)),
            Kind::Data if self.datas.contains(ty.data_name()) => Ok(()),
            Kind::Data => Err(format!("there is no `ocaml.data @{:?}`", ty.data_name())),
            Kind::Closure => {
                let (inputs, result) = ty.signature();
                inputs.into_iter().chain([result]).try_for_each(|it| self.ty(it))
            }
            Kind::Foreign => match ty.pair_parts() {
                Some(parts) => parts.into_iter().try_for_each(|it| match it.pair_parts() {
                    Some(_) => Err(format!("{ty} is a pair of pairs; pairs hold scalars")),
                    None => self.ty(it),
                }),
                None => {
                    let scalars = ["i1", "i8", "i16", "i32", "i64", "f32", "f64"];
                    let known = scalars.contains(&ty.to_string().as_str());
                    known
                        .then_some(())
                        .ok_or_else(|| format!("values of type {ty} are not supported"))
                }
            },
        }
    }
}

fn fits(ty: Type<'_>, abi: AbiType) -> bool {
    match abi {
        AbiType::Ptr => ty.kind() != Kind::Foreign,
        AbiType::Void => false,
        AbiType::I8 | AbiType::I32 | AbiType::I64 | AbiType::F64 => ty.to_string() == abi_name(abi),
    }
}

fn abi_name(abi: AbiType) -> &'static str {
    match abi {
        AbiType::Void => "nothing",
        AbiType::I8 => "i8",
        AbiType::I32 => "i32",
        AbiType::I64 => "i64",
        AbiType::F64 => "f64",
        AbiType::Ptr => "an object",
    }
}

/// Whether the env comes from an `env.new` of the same function by captures alone.
fn is_gathered<'c>(env: oxbow_dialect::Val<'c>) -> bool {
    definition(env).is_some() && crate::fold_envs::gathered(env).is_some()
}

/// All ops of all functions.
fn all_ops<'c>(declarations: &Declarations<'c>) -> Vec<Op<'c>> {
    declarations.funcs.iter().flat_map(|it| body_ops(it.op())).collect()
}
