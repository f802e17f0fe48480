(* Queens on a board, with lists and with bits. *)
fun safe column distance [] = true
  | safe column distance (other :: rest) =
      column <> other andalso abs (column - other) <> distance andalso safe column (distance + 1) rest
fun solveLists n =
  let
    fun place row queens =
      if row = n then 1
      else
        let
          fun each (column, count) =
            if column = n then count
            else each (column + 1, if safe column 1 queens then count + place (row + 1) (column :: queens) else count)
        in each (0, 0) end
  in place 0 [] end
fun solveBits n =
  let
    val all = Word64.<< (0w1, Word.fromInt n) - 0w1
    fun place (columns, left, right) =
      if columns = all then 1
      else
        let
          fun each (free, count) =
            if free = 0w0 then count
            else
              let
                val bit = Word64.andb (free, ~ free)
                val found = place (Word64.orb (columns, bit), Word64.<< (Word64.orb (left, bit), 0w1),
                  Word64.>> (Word64.orb (right, bit), 0w1))
              in each (Word64.andb (free, Word64.notb bit), count + found) end
        in each (Word64.andb (all, Word64.notb (Word64.orb (columns, Word64.orb (left, right)))), 0) end
  in place (0w0, 0w0, 0w0) end
val () = print (Int.toString (solveLists 12) ^ " " ^ Int.toString (solveBits 15) ^ "\n")
