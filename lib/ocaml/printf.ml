(* Formatted output *)

[@@@hidden "output_pieces buffer_pieces string_pieces"]

(* Puts out pieces that are listed last one first. *)
let rec output_pieces channel = function
  | [] -> ()
  | piece :: earlier -> (
      output_pieces channel earlier;
      match piece with
      | Piece_text text | Piece_string text | Piece_mark (text, _) -> output_string channel text
      | Piece_fun f -> f channel
      | Piece_flush -> flush channel
      | Piece_open (is_tag, pieces) ->
          output_string channel (if is_tag then "@{" else "@[");
          output_pieces channel pieces)

let rec buffer_pieces buffer = function
  | [] -> ()
  | piece :: earlier -> (
      buffer_pieces buffer earlier;
      match piece with
      | Piece_text text | Piece_string text | Piece_mark (text, _) -> Buffer.add_string buffer text
      | Piece_fun f -> f buffer
      | Piece_flush -> ()
      | Piece_open (is_tag, pieces) ->
          Buffer.add_string buffer (if is_tag then "@{" else "@[");
          buffer_pieces buffer pieces)

let string_pieces pieces =
  (* Functions run in order, then the texts are joined. *)
  let rec texts before = function
    | [] -> before
    | piece :: earlier -> (
        let before = texts before earlier in
        match piece with
        | Piece_text text | Piece_string text | Piece_mark (text, _) -> text :: before
        | Piece_fun f -> f () :: before
        | Piece_flush -> before
        | Piece_open (is_tag, pieces) -> texts ((if is_tag then "@{" else "@[") :: before) pieces)
  in
  match pieces with
  | [] -> ""
  | [ (Piece_text text | Piece_string text) ] -> text
  | _ ->
      let texts = texts [] pieces in
      let rec total n = function [] -> n | text :: rest -> total (n + string_length text) rest in
      let size = total 0 texts in
      let result = bytes_unsafe_create size in
      let rec place stop = function
        | [] -> ()
        | text :: rest ->
            let start = stop - string_length text in
            bytes_unsafe_blit_string text 0 result start (string_length text);
            place start rest
      in
      place size texts;
      bytes_unsafe_to_string result

let kfprintf (finish : out_channel -> 'd) (channel : out_channel)
    (format : ('a, out_channel, unit, 'd) format4) : 'a =
  format.format_run
    (fun pieces ->
      output_pieces channel pieces;
      finish channel)
    []

let kbprintf (finish : Buffer.t -> 'd) (buffer : Buffer.t)
    (format : ('a, Buffer.t, unit, 'd) format4) : 'a =
  format.format_run
    (fun pieces ->
      buffer_pieces buffer pieces;
      finish buffer)
    []

let ksprintf (finish : string -> 'd) (format : ('a, unit, string, 'd) format4) : 'a =
  format.format_run (fun pieces -> finish (string_pieces pieces)) []

let ikfprintf (finish : 'b -> 'd) (channel : 'b) (format : ('a, 'b, 'c, 'd) format4) : 'a =
  format.format_run (fun _ -> finish channel) []

let ikbprintf = ikfprintf
let kprintf = ksprintf

let fprintf (channel : out_channel) (format : ('a, out_channel, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces channel pieces) []

let printf (format : ('a, out_channel, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces stdout pieces) []

let eprintf (format : ('a, out_channel, unit) format) : 'a =
  format.format_run (fun pieces -> output_pieces stderr pieces) []

let bprintf (buffer : Buffer.t) (format : ('a, Buffer.t, unit) format) : 'a =
  format.format_run (fun pieces -> buffer_pieces buffer pieces) []

let sprintf (format : ('a, unit, string) format) : 'a =
  format.format_run (fun pieces -> string_pieces pieces) []

let ifprintf (_ : 'b) (format : ('a, 'b, 'c, unit) format4) : 'a =
  format.format_run (fun _ -> ()) []

let ibprintf (_ : Buffer.t) (format : ('a, Buffer.t, 'c, unit) format4) : 'a =
  format.format_run (fun _ -> ()) []
