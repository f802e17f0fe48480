(* Lines that several domains print stay whole, and files that they write do. *)

let () =
  let name = Filename.temp_file "oxbow" ".txt" in
  let channel = open_out name in
  let work k () =
    for i = 1 to 200 do
      output_string channel (Printf.sprintf "%d:%s:%d\n" k (String.make (i mod 17) 'x') i)
    done
  in
  List.iter Domain.join (List.init 3 (fun k -> Domain.spawn (work k)));
  close_out channel;
  let channel = open_in name in
  let counts = Array.make 3 0 and faults = ref 0 in
  (try
     while true do
       match String.split_on_char ':' (input_line channel) with
       | [ k; xs; i ] when String.length xs = int_of_string i mod 17 ->
           counts.(int_of_string k) <- counts.(int_of_string k) + 1
       | _ -> incr faults
     done
   with End_of_file -> close_in channel);
  Sys.remove name;
  Printf.printf "%d %d %d %d\n" counts.(0) counts.(1) counts.(2) !faults
