(* Elementary number theory: what [Z] makes of its arithmetic. *)

module type Integer = sig
  type t

  val zero : t
  val one : t
  val of_int : int -> t
  val to_int : t -> int
  val fits_int : t -> bool
  val sign : t -> int
  val compare : t -> t -> int
  val equal : t -> t -> bool
  val neg : t -> t
  val abs : t -> t
  val add : t -> t -> t
  val sub : t -> t -> t
  val mul : t -> t -> t
  val div_rem : t -> t -> t * t
  val div : t -> t -> t
  val rem : t -> t -> t

  val gcd : t -> t -> t

  (* The greatest common divisor of positive numbers, and a factor of the first that makes it. *)
  val gcd_factor : t -> t -> t * t

  (* Of numbers that are not negative. *)
  val pow_mod : t -> t -> t -> t
  val pow : t -> int -> t

  (* Of the absolute value. *)
  val root_of : t -> int -> t
  val numbits : t -> int
  val testbit : t -> int -> bool
  val trailing_zeros : t -> int
  val logand : t -> t -> t
  val shift_left : t -> int -> t
  val shift_right : t -> int -> t
  val shift_right_trunc : t -> int -> t
end

module Make (Integer : Integer) = struct
  open Integer

  let is_odd x = testbit x 0

  (* ---- divisions that round in other ways *)

  let fdiv x y =
    let q, r = div_rem x y in
    if sign r <> 0 && sign r > 0 <> (sign y > 0) then sub q one else q

  let cdiv x y =
    let q, r = div_rem x y in
    if sign r <> 0 && sign r > 0 = (sign y > 0) then add q one else q

  let ediv_rem x y =
    let q, r = div_rem x y in
    if sign r >= 0 then (q, r)
    else if sign y > 0 then (sub q one, add r y)
    else (add q one, sub r y)

  let erem x y =
    let r = rem x y in
    if sign r >= 0 then r else add r (abs y)

  let divisible x y = if sign y = 0 then sign x = 0 else sign (rem x y) = 0

  (* ---- divisors *)

  (* The factors are those of GMP: the first has less than half of the second number's absolute value. *)
  let gcdext x y =
    let signed by it = if sign by < 0 then neg it else it in
    if sign x = 0 then (abs y, zero, of_int (sign y))
    else if sign y = 0 then (abs x, of_int (sign x), zero)
    else if equal (abs x) (abs y) then (abs x, zero, of_int (sign y))
    else begin
      let a = abs x and b = abs y in
      let divisor, factor = gcd_factor a b in
      let modulus = div b divisor in
      let factor = erem factor modulus in
      let factor = if compare (shift_left factor 1) modulus > 0 then sub factor modulus else factor in
      let other = div (sub divisor (mul a factor)) b in
      (divisor, signed x factor, signed y other)
    end

  let lcm x y = if sign x = 0 || sign y = 0 then zero else abs (mul x (div y (gcd x y)))

  let invert x modulus =
    if sign modulus = 0 then raise Division_by_zero;
    let divisor, factor, _ = gcdext x modulus in
    if equal (abs modulus) one then zero
    else if equal divisor one then erem factor modulus
    else raise Division_by_zero

  let rec powm base exponent modulus =
    if sign modulus = 0 then raise Division_by_zero;
    if sign exponent < 0 then powm (invert base modulus) (neg exponent) modulus
    else pow_mod (erem base modulus) exponent (abs modulus)

  let powm_sec base exponent modulus =
    if sign exponent <= 0 then invalid_arg "Z.powm_sec: exponent must be positive";
    if not (is_odd modulus) then invalid_arg "Z.powm_sec: modulus must be odd";
    powm base exponent modulus

  let remove x factor =
    if sign factor = 0 then raise Division_by_zero;
    let rec go x count =
      let q, r = div_rem x factor in
      if sign r = 0 then go q (count + 1) else (x, count)
    in
    if sign x = 0 || equal (abs factor) one then (x, 0) else go x 0

  (* ---- symbols *)

  let low_bits x = to_int (logand x (of_int 7))

  (* Of 2 and an odd number. *)
  let two_over n = match n land 7 with 1 | 7 -> 1 | _ -> -1

  let kronecker a b =
    (* [b] is odd and positive, [a] is not negative. *)
    let rec go a b result =
      if sign a = 0 then if equal b one then result else 0
      else begin
        let zeros = trailing_zeros a in
        let a = shift_right a zeros in
        let result = if zeros land 1 = 1 then result * two_over (low_bits b) else result in
        let result = if low_bits a land 3 = 3 && low_bits b land 3 = 3 then -result else result in
        go (rem b a) a result
      end
    in
    if sign b = 0 then if equal (abs a) one then 1 else 0
    else if not (is_odd a || is_odd b) then 0
    else begin
      let zeros = trailing_zeros b in
      let odd = shift_right_trunc b zeros in
      let result = if zeros land 1 = 1 then two_over (low_bits a) else 1 in
      let result = if sign odd < 0 && sign a < 0 then -result else result in
      let odd = abs odd in
      go (erem a odd) odd result
    end

  (* ---- primes *)

  let small_primes =
    [ 2; 3; 5; 7; 11; 13; 17; 19; 23; 29; 31; 37; 41; 43; 47; 53; 59; 61; 67; 71; 73; 79; 83; 89; 97; 101; 103; 107; 109; 113 ]

  (* Whether it passes Miller's and Rabin's test to a base. *)
  let passes n base =
    let less = sub n one in
    let zeros = trailing_zeros less in
    let odd = shift_right less zeros in
    let rec go x left = equal x less || (left > 1 && go (rem (mul x x) n) (left - 1)) in
    let x = powm base odd n in
    equal x one || go x zeros

  (* Up to here the tests are known to be proofs. *)
  let proven = of_int (35 lsl 46)

  let probab_prime x rounds =
    let n = abs x in
    if compare n (of_int 2) < 0 then 0
    else if List.exists (fun p -> equal n (of_int p)) small_primes then 2
    else if List.exists (fun p -> sign (rem n (of_int p)) = 0) small_primes then 0
    else begin
      (* Thirteen bases decide for numbers of 81 bits. *)
      let count = if rounds > 13 then rounds else 13 in
      let rec bases primes left =
        left = 0 || match primes with [] -> true | p :: more -> passes n (of_int p) && bases more (left - 1)
      in
      if not (bases small_primes count) then 0 else if compare n proven < 0 then 2 else 1
    end

  let nextprime x =
    if compare x (of_int 2) < 0 then of_int 2
    else
      let rec go n = if probab_prime n 25 > 0 then n else go (add n (of_int 2)) in
      go (add x (if is_odd x then of_int 2 else one))

  (* ---- products of many *)

  (* Of [f i] for [low <= i < high]: factors of a size are multiplied. *)
  let rec product f low high =
    if high - low <= 0 then one
    else if high - low = 1 then f low
    else
      let middle = (low + high) / 2 in
      mul (product f low middle) (product f middle high)

  let positive name n = if n < 0 then invalid_arg ("Z." ^ name ^ ": non-positive argument")

  let facM n m =
    positive "facM" n;
    positive "facM" m;
    if m = 0 then of_int n
    else
      let count = (n + m - 1) / m in
      product (fun i -> of_int (n - (i * m))) 0 count

  let fac n =
    positive "fac" n;
    product (fun i -> of_int (i + 1)) 0 n

  let fac2 n =
    positive "fac2" n;
    product (fun i -> of_int (n - (2 * i))) 0 ((n + 1) / 2)

  let primorial n =
    positive "primorial" n;
    let composite = Bytes.make (n + 1) '0' and primes = ref [] in
    for i = 2 to n do
      if Bytes.get composite i = '0' then begin
        primes := i :: !primes;
        if i <= n / i then begin
          let j = ref (i * i) in
          while !j <= n do
            Bytes.set composite !j '1';
            j := !j + i
          done
        end
      end
    done;
    let primes = Array.of_list !primes in
    product (fun i -> of_int primes.(i)) 0 (Array.length primes)

  let rec bin n k =
    positive "bin" k;
    if sign n < 0 then begin
      let it = bin (sub (add (neg n) (of_int k)) one) k in
      if k land 1 = 1 then neg it else it
    end
    else if compare n (of_int k) < 0 then zero
    else begin
      let other = sub n (of_int k) in
      let k = if fits_int other && to_int other < k then to_int other else k in
      div (product (fun i -> sub n (of_int i)) 0 k) (fac k)
    end

  (* The Fibonacci numbers of [n] and [n + 1]. *)
  let rec fibonacci n =
    if n = 0 then (zero, one)
    else begin
      let a, b = fibonacci (n / 2) in
      let c = mul a (sub (shift_left b 1) a) and d = add (mul a a) (mul b b) in
      if n land 1 = 0 then (c, d) else (d, add c d)
    end

  let fib n =
    positive "fib" n;
    fst (fibonacci n)

  let lucnum n =
    positive "lucnum" n;
    let a, b = fibonacci n in
    sub (shift_left b 1) a

  (* ---- powers and roots *)

  let sqrt x =
    if sign x < 0 then invalid_arg "Z.sqrt: square root of a negative number";
    root_of x 2

  let sqrt_rem x =
    if sign x < 0 then invalid_arg "Z.sqrt_rem: square root of a negative number";
    let it = root_of x 2 in
    (it, sub x (mul it it))

  let named_root name x degree =
    if degree <= 0 then invalid_arg ("Z." ^ name ^ ": exponent must be positive");
    if sign x < 0 && degree land 1 = 0 then
      invalid_arg ("Z." ^ name ^ ": even root of a negative number");
    let it = root_of x degree in
    if sign x < 0 then neg it else it

  let root x degree = named_root "root" x degree

  let rootrem x degree =
    let it = named_root "rootrem" x degree in
    (it, sub x (pow it degree))

  let perfect_square x = sign x >= 0 && equal x (let it = root_of x 2 in mul it it)

  let perfect_power x =
    let bits = numbits x in
    let rec go degree =
      degree <= bits
      && ((not (sign x < 0 && degree land 1 = 0)) && equal (abs x) (pow (root_of x degree) degree)
         || go (degree + 1))
    in
    bits <= 1 || go 2
end
