(* Abstract points and shapes. *)

type point
type shape = Circle of point * float | Polygon of point list

val point : float -> float -> point
val origin : point
val distance : point -> point -> float
val area : shape -> float
val perimeter : shape -> float
val translate : dx:float -> dy:float -> shape -> shape
val show_point : point -> string
