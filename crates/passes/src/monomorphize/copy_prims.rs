//! What becomes of a primitive when the types of its operands are known.
//!
//! ```text
//! %eq a b        at `int list`     a call of a function that is made for the type
//! %int.add a b                     the same
//! ```
//!
//! Every family is looked at: whoever adds a primitive says whether it stays.

use oxbow_base::Span;
use oxbow_diag::Diagnostic;
use oxbow_psg::prim::{Arrays, Derivatives, Family, General, Memory, Parametric, Special, Texts};
use oxbow_psg::{Const, KnownFunction, KnownGroup, NodeId, NodeKind, OrderOp, Prim, TyId};

use super::Context;
use super::generate::Code;
use super::order::Need;

impl Context<'_> {
    pub(super) fn copy_prim(
        &mut self,
        prim: Prim,
        args: Vec<NodeId>,
        ty: TyId,
        span: Span,
    ) -> NodeId {
        match prim.family() {
            Family::Parametric(it) => match it {
                Parametric::Order(op) => self.order(op, args, span),
                Parametric::StrictOrder(op) => {
                    let is_equality = op == OrderOp::Eq || op == OrderOp::Ne;
                    let need = if is_equality { Need::Equality } else { Need::Order };
                    self.refuse(args[0], need, span);
                    self.order(op, args, span)
                }
                Parametric::Send { label } => self.send(label, args, ty, span),
                Parametric::Int(..)
                | Parametric::Float(_)
                | Parametric::IntCast { .. }
                | Parametric::IntToFloat(_)
                | Parametric::FloatToInt(_)
                | Parametric::Foreign { .. } => self.stays(prim, args, ty, span),
            },
            Family::General(it) => self.copy_general(it, args, ty, span),
            Family::Special(it) => self.copy_special(it, args, ty, span),
            Family::Arrays(it) => match it {
                Arrays::ArrayGet | Arrays::ArraySet | Arrays::ArrayMake if self.facts.arrays => {
                    self.array_prim(prim, args, ty, span)
                }
                Arrays::ArrayTanh
                | Arrays::ArrayExp
                | Arrays::ArrayFastTanh
                | Arrays::ArrayFastExp
                | Arrays::ArrayAddProduct
                    if self.facts.arrays =>
                {
                    self.no_derivative(args[0], span)
                }
                Arrays::ArrayGet
                | Arrays::ArraySet
                | Arrays::ArrayMake
                | Arrays::ArrayTanh
                | Arrays::ArrayLength
                | Arrays::ArrayUninit
                | Arrays::ArrayBlit
                | Arrays::ArrayExp
                | Arrays::ArrayFastTanh
                | Arrays::ArrayFastExp
                | Arrays::ArrayAddProduct => self.stays(prim, args, ty, span),
            },
            Family::Memory(it) => match it {
                Memory::MarshalShape => self.shape(args[0], span),
                // What is compared as itself is a custom block in OCaml, of which there are no copies.
                Memory::WeakCopy if self.is_itself(args[0]) => {
                    self.out.add(NodeKind::Const(Const::Unit), ty, span)
                }
                Memory::MarshalWrite
                | Memory::MarshalRead
                | Memory::WeakCount
                | Memory::WeakCopy
                | Memory::GcScan => self.stays(prim, args, ty, span),
            },
            Family::Texts(it) => match it {
                Texts::Show => self.show(args[0], span),
                Texts::Text => self.text(args[0], span),
                Texts::IsNull => self.is_null(args[0], span),
                Texts::FormatInt
                | Texts::FormatInt32
                | Texts::FormatInt64
                | Texts::FormatFloat
                | Texts::ParseFloatOk
                | Texts::ParseFloat
                | Texts::FloatDigits
                | Texts::FloatDigits32 => self.stays(prim, args, ty, span),
            },
            Family::Derivatives(it) => match it {
                Derivatives::AdMapNumbers => self.map_numbers(args, span),
                Derivatives::AdSeries | Derivatives::AdCoefficients if self.facts.arrays => {
                    self.no_derivative(args[0], span)
                }
                Derivatives::AdReverse
                | Derivatives::AdDual
                | Derivatives::AdOuter
                | Derivatives::AdPrimal
                | Derivatives::AdTangent
                | Derivatives::AdVariable
                | Derivatives::AdIndex
                | Derivatives::AdTape
                | Derivatives::AdSeries
                | Derivatives::AdCoefficients
                | Derivatives::AdIsZero
                | Derivatives::AdConstant
                | Derivatives::AdAttach => self.stays(prim, args, ty, span),
            },
            // At all types the same, or at one only.
            Family::Scalar(_)
            | Family::Bytes(_)
            | Family::System(_)
            | Family::Domains(_)
            | Family::Files(_)
            | Family::Words(_)
            | Family::Native(_) => self.stays(prim, args, ty, span),
        }
    }

    fn copy_general(&mut self, prim: General, args: Vec<NodeId>, ty: TyId, span: Span) -> NodeId {
        match prim {
            General::PhysEq | General::PhysNe => {
                let operand = self.out.ty(args[0]);
                if !self.is_suspension(operand) && !self.is_uniform(operand) {
                    return self.stays(Prim::from(prim), args, ty, span);
                }
                let mut code = Code { context: self, span };
                let same = code.identical(operand, args[0], args[1]);
                match prim == General::PhysEq {
                    true => same,
                    false => code.prim(Prim::BoolNot, vec![same], ty),
                }
            }
            General::Hash => self.hash(args[0], span),
            General::HashParam => self.hash_param(args, span),
            General::StrictHash => {
                self.refuse(args[0], Need::Hash, span);
                self.hash(args[0], span)
            }
            General::ExnToString => self.exn_to_string(args[0], span),
            General::HashMixInt
            | General::HashMixUint32
            | General::HashMixFloat
            | General::HashMixString
            | General::HashMixInt64
            | General::HashFinal => self.stays(Prim::from(prim), args, ty, span),
        }
    }

    fn copy_special(&mut self, prim: Special, args: Vec<NodeId>, ty: TyId, span: Span) -> NodeId {
        match prim {
            Special::Default => self.default_value(ty, span),
            Special::Retype => self.fit(args[0], ty),
            Special::ObjMagic => self.magic(args[0], ty, span),
            Special::ObjTag | Special::ObjNumber | Special::ObjSize | Special::ObjField => {
                self.look_inside(Prim::from(prim), args, ty, span)
            }
            Special::TypeNumber => self.type_number(args[0], span),
            Special::TypeName => self.type_name(args[0], span),
            Special::Box => self.boxed_object(args[0], ty, span),
            Special::ObjectId => self.object_number(args, span),
            Special::ObjectCopy => self.object_copy(args, span),
            Special::Uninit
            | Special::Unreachable
            | Special::Opaque
            | Special::Keep
            | Special::Kept => self.stays(Prim::from(prim), args, ty, span),
        }
    }

    /// The same primitive. The functions of the library that it calls are there from now on.
    fn stays(&mut self, prim: Prim, args: Vec<NodeId>, ty: TyId, span: Span) -> NodeId {
        // The stack of a fibre ends by an exception, which `check_stack` raises.
        if let (Prim::FiberNew, Some(overflow)) = (prim, self.source.well_known.exns.stack_overflow)
        {
            self.exns.insert(overflow);
        }
        if let Some(group) = KnownGroup::called_by(prim) {
            for function in KnownFunction::of_group(group) {
                self.well_known(function);
            }
        }
        self.out.add(NodeKind::Prim { prim, args }, ty, span)
    }

    fn no_derivative(&mut self, instead: NodeId, span: Span) -> NodeId {
        let construct = "derivatives in a program with arrays of values of unknown type";
        self.diagnostics.error(Diagnostic::not_supported(span, construct));
        instead
    }
}
