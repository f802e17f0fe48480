(* Many small objects: points, counters with parameters, a tree of shapes. *)
class point (x : int) (y : int) =
  object
    method x = x
    method y = y
    method plus (p : point) = new point (x + p#x) (y + p#y)
    method norm = (x * x) + (y * y)
  end

class counter (step : int) =
  object (self)
    val mutable n = 0
    method tick = n <- n + step
    method twice = self#tick; self#tick
    method value = n
  end

class virtual shape (name : string) =
  object
    method virtual area : int
    method name = name
  end

class rect w h = object inherit shape "rect" method area = w * h end
class square a = object inherit rect a a end
class group (items : shape list) =
  object
    inherit shape "group"
    method area = List.fold_left (fun acc s -> acc + s#area) 0 items
  end

let rec build depth n : shape =
  if depth = 0 then if n land 1 = 0 then new rect n 3 else (new square n :> shape)
  else (new group [ build (depth - 1) n; build (depth - 1) (n + 1) ] :> shape)

let () =
  let total = ref 0 in
  let p = ref (new point 0 0) in
  for i = 1 to 5_000_000 do
    p := (!p)#plus (new point (i land 7) 1);
    if i land 1023 = 0 then begin
      total := (!total + (!p)#norm) land 0xffffff;
      p := new point 0 0
    end
  done;
  for i = 1 to 3_000_000 do
    let c = new counter i in
    c#tick;
    c#twice;
    total := (!total + c#value) land 0xffffff
  done;
  for i = 1 to 200 do
    let s = build 12 i in
    total := (!total + s#area + String.length s#name) land 0xffffff
  done;
  Printf.printf "%d\n" !total
