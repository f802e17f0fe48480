(* Semaphores, with a mutex and a condition. *)

[@@@hidden "semaphore make_semaphore take try_take"]
[@@@abstract "semaphore Counting.t Binary.t"]

type semaphore = { mutex : Mutex.t; is_free : Condition.t; mutable count : int }

let make_semaphore count = { mutex = Mutex.create (); is_free = Condition.create (); count }

let take semaphore =
  Mutex.lock semaphore.mutex;
  while semaphore.count = 0 do
    Condition.wait semaphore.is_free semaphore.mutex
  done;
  semaphore.count <- semaphore.count - 1;
  Mutex.unlock semaphore.mutex

let try_take semaphore =
  Mutex.lock semaphore.mutex;
  let is_free = semaphore.count > 0 in
  if is_free then semaphore.count <- semaphore.count - 1;
  Mutex.unlock semaphore.mutex;
  is_free

module Counting = struct
  type t = semaphore

  let make count =
    if count < 0 then invalid_arg "Semaphore.Counting.init: wrong initial value"
    else make_semaphore count

  let release semaphore =
    Mutex.lock semaphore.mutex;
    if semaphore.count = max_int then begin
      Mutex.unlock semaphore.mutex;
      raise (Sys_error "Semaphore.Counting.release: overflow")
    end;
    semaphore.count <- semaphore.count + 1;
    Condition.signal semaphore.is_free;
    Mutex.unlock semaphore.mutex

  let acquire = take
  let try_acquire = try_take
  let get_value semaphore = semaphore.count
end

module Binary = struct
  type t = semaphore

  let make is_free = make_semaphore (if is_free then 1 else 0)

  let release semaphore =
    Mutex.lock semaphore.mutex;
    semaphore.count <- 1;
    Condition.signal semaphore.is_free;
    Mutex.unlock semaphore.mutex

  let acquire = take
  let try_acquire = try_take
end
