let id () = Thread.id (Thread.self ())
let () =
  Printf.printf "main %d\n" (id ());
  let t = Thread.create (fun () -> Printf.printf "t %d\n%!" (id ())) () in Thread.join t;
  Domain.join (Domain.spawn (fun () -> Printf.printf "d %d\n%!" (id ()); let t = Thread.create (fun () -> Printf.printf "dt %d\n%!" (id ())) () in Thread.join t));
  Domain.join (Domain.spawn (fun () -> ()));
  Domain.join (Domain.spawn (fun () -> Printf.printf "d2 %d\n%!" (id ())));
  Printf.printf "d %d\n" ((Domain.self () :> int));
  let t = Thread.create (fun () -> Printf.printf "t %d\n%!" (id ())) () in Thread.join t
