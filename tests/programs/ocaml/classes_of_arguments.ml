(* A class that is another one at some of its arguments takes the others. *)
class sum ?(k = 3) ~l m = object method s = k * 100 + l * 10 + m end
class fixed = sum ~l:4
class counted = sum ~k:1
class last l = sum ~l 9
class through = fun l -> sum ~l

class virtual ['a] pair (x : 'a) (y : 'a) = object
  method x = x
  method y = y
  method virtual show : string
end

class ints = object
  inherit [int] pair 1 2
  method show = "ints"
end

class line = let start = 10 in fun a b -> object method length = b - a + start end
class from_zero = line 0

let () =
  Printf.printf "%d %d %d\n" (new fixed 1)#s (new fixed ~k:2 5)#s (new counted ~l:6 7)#s;
  Printf.printf "%d %d\n" (new last 8)#s (new through 2 3)#s;
  Printf.printf "%d %s %d\n" (new ints)#y (new ints)#show (new from_zero 5)#length
