(* [Unix] with labels *)

[@@@links_printexc]
[@@@hidden "errors known_error number_of error_name print_error fault failed check done_ named"]
[@@@hidden "check_named set8 set64 c_malloc c_free buffer c int_at wide_at put_int put_wide beyond"]
[@@@hidden "address_at number_at text_behind bytes_at addresses_at c_memory c_strings release"]
[@@@hidden "put_seconds seconds_at bits_of c_read c_write c_close c_fcntl flag_bits checked_range"]
[@@@hidden "most take_into give_from c_getsockopt check_channel c_inet_aton c_inet_pton"]
[@@@hidden "c_inet_ntop"]
[@@@hidden "domain_number type_number put_address address_of filled_address c_socket c_socketpair"]
[@@@hidden "c_accept4 c_bind c_connect c_listen c_shutdown c_getsockname c_getpeername"]
[@@@hidden "closes_on_exec with_address c_recv c_recvfrom c_send c_sendto message_bits"]
[@@@hidden "c_setsockopt"]
[@@@hidden "bool_option int_option float_option get_option set_option put_number c_gethostbyname"]
[@@@hidden "c_gethostbyaddr c_getprotobyname c_getprotobynumber c_getservbyname c_getservbyport"]
[@@@hidden "entry texts_behind host_of protocol_of swapped service_of c_getaddrinfo c_freeaddrinfo"]
[@@@hidden "infos_at c_getnameinfo c_tcgetattr c_tcsetattr c_tcsendbreak c_tcdrain c_tcflush"]
[@@@hidden "c_tcflow speeds input output control local characters input_speed output_speed"]
[@@@hidden "attributes c_setenv changes c_open c_fsync c_lseek c_truncate c_ftruncate c_isatty"]
[@@@hidden "open_bit array_range status_kind device stats_of status plain_stats c_unlink c_linkat"]
[@@@hidden "c_realpath c_chmod c_fchmod c_chown c_fchown c_umask c_access c_symlink c_readlink"]
[@@@hidden "c_mkfifo c_chroot c_rewinddir c_dup c_dup2 c_pipe2 c_lock c_select put_set members"]
[@@@hidden "io_map page c_fork c_waitpid c_getpid c_getppid c_nice c_execv c_execve c_execvp"]
[@@@hidden "c_execvpe c_setsid c_kill execute execute_with status_of wait_for ended c_spawn"]
[@@@hidden "c_actions_init c_actions_dup2 c_actions_destroy shell shell_words readers writers"]
[@@@hidden "started start_on accept_despite_signals c_sigmask c_sigpending c_sigsuspend c_sigwait"]
[@@@hidden "put_signals signals_of c_gmtime c_localtime c_mktime c_alarm c_nanosleep c_getrusage"]
[@@@hidden "wall_time c_utimes tm_of moment c_getitimer c_setitimer timer_number timer_of c_getuid"]
[@@@hidden "c_geteuid c_getgid c_getegid c_setuid c_setgid c_hostname c_getlogin c_getpwnam"]
[@@@hidden "c_getpwuid c_getgrnam c_getgrgid c_getgroups c_setgroups c_initgroups user_of group_of"]
[@@@hidden "entry_named"]
[@@@abstract "dir_handle"]

include Unix

let execv ~prog ~args = Unix.execv prog args
let execve ~prog ~args ~env = Unix.execve prog args env
let execvp ~prog ~args = Unix.execvp prog args
let execvpe ~prog ~args ~env = Unix.execvpe prog args env
let waitpid ~mode it = Unix.waitpid mode it
let openfile it ~mode ~perm = Unix.openfile it mode perm
let read it ~buf ~pos ~len = Unix.read it buf pos len
let read_bigarray it ~buf ~pos ~len = Unix.read_bigarray it buf pos len
let write it ~buf ~pos ~len = Unix.write it buf pos len
let write_bigarray it ~buf ~pos ~len = Unix.write_bigarray it buf pos len
let single_write it ~buf ~pos ~len = Unix.single_write it buf pos len
let write_substring it ~buf ~pos ~len = Unix.write_substring it buf pos len
let single_write_substring it ~buf ~pos ~len = Unix.single_write_substring it buf pos len
let single_write_bigarray it ~buf ~pos ~len = Unix.single_write_bigarray it buf pos len
let lseek it it1 ~mode = Unix.lseek it it1 mode
let truncate it ~len = Unix.truncate it len
let ftruncate it ~len = Unix.ftruncate it len
let map_file it ?pos ~kind ~layout ~shared ~dims = Unix.map_file it ?pos kind layout shared dims
let rename ~src ~dst = Unix.rename src dst
let link ?follow ~src ~dst = Unix.link ?follow src dst
let chmod it ~perm = Unix.chmod it perm
let fchmod it ~perm = Unix.fchmod it perm
let chown it ~uid ~gid = Unix.chown it uid gid
let fchown it ~uid ~gid = Unix.fchown it uid gid
let access it ~perm = Unix.access it perm
let dup2 ?cloexec ~src ~dst = Unix.dup2 ?cloexec src dst
let mkdir it ~perm = Unix.mkdir it perm
let mkfifo it ~perm = Unix.mkfifo it perm
let create_process ~prog ~args ~stdin ~stdout ~stderr =
  Unix.create_process prog args stdin stdout stderr
let create_process_env ~prog ~args ~env ~stdin ~stdout ~stderr =
  Unix.create_process_env prog args env stdin stdout stderr
let open_process_full it ~env = Unix.open_process_full it env
let symlink ?to_dir ~src ~dst = Unix.symlink ?to_dir src dst
let select ~read ~write ~except ~timeout = Unix.select read write except timeout
let lockf it ~mode ~len = Unix.lockf it mode len
let kill ~pid ~signal = Unix.kill pid signal
let sigprocmask ~mode it = Unix.sigprocmask mode it
let utimes it ~access ~modif = Unix.utimes it access modif
let socket ?cloexec ~domain ~kind ~protocol = Unix.socket ?cloexec domain kind protocol
let socketpair ?cloexec ~domain ~kind ~protocol = Unix.socketpair ?cloexec domain kind protocol
let bind it ~addr = Unix.bind it addr
let connect it ~addr = Unix.connect it addr
let listen it ~max = Unix.listen it max
let shutdown it ~mode = Unix.shutdown it mode
let recv it ~buf ~pos ~len ~mode = Unix.recv it buf pos len mode
let recvfrom it ~buf ~pos ~len ~mode = Unix.recvfrom it buf pos len mode
let send it ~buf ~pos ~len ~mode = Unix.send it buf pos len mode
let send_substring it ~buf ~pos ~len ~mode = Unix.send_substring it buf pos len mode
let sendto it ~buf ~pos ~len ~mode ~addr = Unix.sendto it buf pos len mode addr
let sendto_substring it ~buf ~pos ~len ~mode it5 = Unix.sendto_substring it buf pos len mode it5
let establish_server it ~addr = Unix.establish_server it addr
let getservbyname it ~protocol = Unix.getservbyname it protocol
let getservbyport it ~protocol = Unix.getservbyport it protocol
let tcsetattr it ~mode it2 = Unix.tcsetattr it mode it2
let tcsendbreak it ~duration = Unix.tcsendbreak it duration
let tcflush it ~mode = Unix.tcflush it mode
let tcflow it ~mode = Unix.tcflow it mode

module LargeFile = struct
  include Unix.LargeFile

  let lseek it it1 ~mode = Unix.LargeFile.lseek it it1 mode
  let truncate it ~len = Unix.LargeFile.truncate it len
  let ftruncate it ~len = Unix.LargeFile.ftruncate it len
end
