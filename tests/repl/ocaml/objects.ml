let o = object val mutable n = 0 method get = n method inc = n <- n + 1 end;;
o#inc;;
o#inc;;
o#get;;
let twice (p : < get : int; .. >) = 2 * p#get;;
twice o;;
