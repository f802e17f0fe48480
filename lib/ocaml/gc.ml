(* The interface of a garbage collector. There is none, so its counts are 0; but cycles are freed, and what is held
   weakly is dropped, when a program asks for a collection (see [Oxbow_weak]). *)

[@@@links_printexc
  "stat quick_stat counters minor_words get set minor major_slice major full_major compact get_minor_free ramp_up ramp_down"]
[@@@hidden "no_statistics settings alarms last_alarm"]

type stat = {
  minor_words : float;
  promoted_words : float;
  major_words : float;
  minor_collections : int;
  major_collections : int;
  heap_words : int;
  heap_chunks : int;
  live_words : int;
  live_blocks : int;
  free_words : int;
  free_blocks : int;
  largest_free : int;
  fragments : int;
  compactions : int;
  top_heap_words : int;
  stack_size : int;
  forced_major_collections : int;
}

type control = {
  minor_heap_size : int;
  major_heap_increment : int;
  space_overhead : int;
  verbose : int;
  max_overhead : int;
  stack_limit : int;
  allocation_policy : int;
  window_size : int;
  custom_major_ratio : int;
  custom_minor_ratio : int;
  custom_minor_max_size : int;
}

let no_statistics =
  {
    minor_words = 0.0;
    promoted_words = 0.0;
    major_words = 0.0;
    minor_collections = 0;
    major_collections = 0;
    heap_words = 0;
    heap_chunks = 0;
    live_words = 0;
    live_blocks = 0;
    free_words = 0;
    free_blocks = 0;
    largest_free = 0;
    fragments = 0;
    compactions = 0;
    top_heap_words = 0;
    stack_size = 0;
    forced_major_collections = 0;
  }

let settings =
  ref
    {
      minor_heap_size = 262144;
      major_heap_increment = 15;
      space_overhead = 120;
      verbose = 0;
      max_overhead = 500;
      stack_limit = 1048576;
      allocation_policy = 2;
      window_size = 1;
      custom_major_ratio = 44;
      custom_minor_ratio = 100;
      custom_minor_max_size = 8192;
    }

let stat () = no_statistics
let quick_stat () = no_statistics
let counters () = (0.0, 0.0, 0.0)
let minor_words () = 0.0
let allocated_bytes () = 0.0
let get () = { !settings with verbose = !settings.verbose }
let set control = settings := control
let alarms : (int * (unit -> unit)) list ref = ref []

let full_major () =
  Oxbow_weak.collect ();
  List.iter (fun (_, call) -> call ()) (List.rev !alarms)

let minor () = Oxbow_weak.drop_all_dead ()

let major_slice (_ : int) =
  minor ();
  0

let major () = full_major ()
let compact () = full_major ()
let print_stat (_ : out_channel) = ()
let get_minor_free () = 0

(* They run when a collection is asked for, or when there are many more of them. *)
let finalise call value = Oxbow_weak.finalise call value
let finalise_last call value = Oxbow_weak.finalise_last call value
let finalise_release () = ()

type alarm = int

let last_alarm = ref 0

let create_alarm call : alarm =
  incr last_alarm;
  alarms := (!last_alarm, call) :: !alarms;
  !last_alarm

let delete_alarm (alarm : alarm) = alarms := List.remove_assoc alarm !alarms

let eventlog_pause () = ()
let eventlog_resume () = ()

type suspended_collection_work = int

let ramp_up work = (work (), 0)
let ramp_down (_ : suspended_collection_work) = ()

(* Nothing is sampled. *)
module Memprof = struct
  type t = Profile

  type allocation_source =
    | Normal
    | Marshal
    | Custom
    | Map_file

  let string_of_allocation_source = function
    | Normal -> "Normal"
    | Marshal -> "Marshal"
    | Custom -> "Custom"
    | Map_file -> "Map_file"

  type allocation = {
    n_samples : int;
    size : int;
    source : allocation_source;
    callstack : Printexc.raw_backtrace;
  }

  type ('minor, 'major) tracker = {
    alloc_minor : allocation -> 'minor option;
    alloc_major : allocation -> 'major option;
    promote : 'minor -> 'major option;
    dealloc_minor : 'minor -> unit;
    dealloc_major : 'major -> unit;
  }

  let null_tracker =
    {
      alloc_minor = (fun _ -> None);
      alloc_major = (fun _ -> None);
      promote = (fun _ -> None);
      dealloc_minor = (fun _ -> ());
      dealloc_major = (fun _ -> ());
    }

  let running = ref false

  let start ~sampling_rate:(_ : float) ?callstack_size:(_ = max_int) (_ : ('a, 'b) tracker) =
    if !running then failwith "Gc.Memprof.start: already started.";
    running := true;
    Profile

  let stop () =
    if not !running then failwith "Gc.Memprof.stop: no profile running.";
    running := false

  let discard (_ : t) = ()
end
