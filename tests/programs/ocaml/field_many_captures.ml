(* Closures with 0, 1, 7, 8, 16, 17, 33, 65 and 200 captured variables, passed, stored and mutated. *)

let captures_0 seed =
  fun x ->
    x

let captures_1 seed =
  let v0 = seed + 0 in
  fun x ->
    x - v0

let captures_7 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6

let captures_8 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7)

let captures_16 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  let v8 = seed + 8 in let v9 = seed + 9 in let v10 = ref (seed + 10) in let v11 = seed + 11 in
  let v12 = string_of_int (seed * 12) in let v13 = seed + 13 in let v14 = seed + 14 in
  let v15 = seed + 15 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7) - v8 + (10 * v9)
      + (incr v10; !v10) + (12 * v11) + String.length v12 + (14 * v13) - v14 + (16 * v15)

let captures_17 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  let v8 = seed + 8 in let v9 = seed + 9 in let v10 = ref (seed + 10) in let v11 = seed + 11 in
  let v12 = string_of_int (seed * 12) in let v13 = seed + 13 in let v14 = seed + 14 in
  let v15 = seed + 15 in let v16 = seed + 16 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7) - v8 + (10 * v9)
      + (incr v10; !v10) + (12 * v11) + String.length v12 + (14 * v13) - v14 + (16 * v15) - v16

let captures_33 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  let v8 = seed + 8 in let v9 = seed + 9 in let v10 = ref (seed + 10) in let v11 = seed + 11 in
  let v12 = string_of_int (seed * 12) in let v13 = seed + 13 in let v14 = seed + 14 in
  let v15 = seed + 15 in let v16 = seed + 16 in let v17 = ref (seed + 17) in let v18 = seed + 18 in
  let v19 = string_of_int (seed * 19) in let v20 = seed + 20 in let v21 = seed + 21 in
  let v22 = seed + 22 in let v23 = seed + 23 in let v24 = ref (seed + 24) in let v25 = seed + 25 in
  let v26 = string_of_int (seed * 26) in let v27 = seed + 27 in let v28 = seed + 28 in
  let v29 = seed + 29 in let v30 = seed + 30 in let v31 = ref (seed + 31) in let v32 = seed + 32 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7) - v8 + (10 * v9)
      + (incr v10; !v10) + (12 * v11) + String.length v12 + (14 * v13) - v14 + (16 * v15) - v16
      + (incr v17; !v17) - v18 + String.length v19 - v20 + (22 * v21) - v22 + (24 * v23) + (incr v24; !v24)
      + (26 * v25) + String.length v26 + (28 * v27) - v28 + (30 * v29) - v30 + (incr v31; !v31) - v32

let captures_65 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  let v8 = seed + 8 in let v9 = seed + 9 in let v10 = ref (seed + 10) in let v11 = seed + 11 in
  let v12 = string_of_int (seed * 12) in let v13 = seed + 13 in let v14 = seed + 14 in
  let v15 = seed + 15 in let v16 = seed + 16 in let v17 = ref (seed + 17) in let v18 = seed + 18 in
  let v19 = string_of_int (seed * 19) in let v20 = seed + 20 in let v21 = seed + 21 in
  let v22 = seed + 22 in let v23 = seed + 23 in let v24 = ref (seed + 24) in let v25 = seed + 25 in
  let v26 = string_of_int (seed * 26) in let v27 = seed + 27 in let v28 = seed + 28 in
  let v29 = seed + 29 in let v30 = seed + 30 in let v31 = ref (seed + 31) in let v32 = seed + 32 in
  let v33 = string_of_int (seed * 33) in let v34 = seed + 34 in let v35 = seed + 35 in
  let v36 = seed + 36 in let v37 = seed + 37 in let v38 = ref (seed + 38) in let v39 = seed + 39 in
  let v40 = string_of_int (seed * 40) in let v41 = seed + 41 in let v42 = seed + 42 in
  let v43 = seed + 43 in let v44 = seed + 44 in let v45 = ref (seed + 45) in let v46 = seed + 46 in
  let v47 = string_of_int (seed * 47) in let v48 = seed + 48 in let v49 = seed + 49 in
  let v50 = seed + 50 in let v51 = seed + 51 in let v52 = ref (seed + 52) in let v53 = seed + 53 in
  let v54 = string_of_int (seed * 54) in let v55 = seed + 55 in let v56 = seed + 56 in
  let v57 = seed + 57 in let v58 = seed + 58 in let v59 = ref (seed + 59) in let v60 = seed + 60 in
  let v61 = string_of_int (seed * 61) in let v62 = seed + 62 in let v63 = seed + 63 in
  let v64 = seed + 64 in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7) - v8 + (10 * v9)
      + (incr v10; !v10) + (12 * v11) + String.length v12 + (14 * v13) - v14 + (16 * v15) - v16
      + (incr v17; !v17) - v18 + String.length v19 - v20 + (22 * v21) - v22 + (24 * v23) + (incr v24; !v24)
      + (26 * v25) + String.length v26 + (28 * v27) - v28 + (30 * v29) - v30 + (incr v31; !v31) - v32
      + String.length v33 - v34 + (36 * v35) - v36 + (38 * v37) + (incr v38; !v38) + (40 * v39)
      + String.length v40 + (42 * v41) - v42 + (44 * v43) - v44 + (incr v45; !v45) - v46 + String.length v47
      - v48 + (50 * v49) - v50 + (52 * v51) + (incr v52; !v52) + (54 * v53) + String.length v54 + (56 * v55)
      - v56 + (58 * v57) - v58 + (incr v59; !v59) - v60 + String.length v61 - v62 + (64 * v63) - v64

let captures_200 seed =
  let v0 = seed + 0 in let v1 = seed + 1 in let v2 = seed + 2 in let v3 = ref (seed + 3) in
  let v4 = seed + 4 in let v5 = string_of_int (seed * 5) in let v6 = seed + 6 in let v7 = seed + 7 in
  let v8 = seed + 8 in let v9 = seed + 9 in let v10 = ref (seed + 10) in let v11 = seed + 11 in
  let v12 = string_of_int (seed * 12) in let v13 = seed + 13 in let v14 = seed + 14 in
  let v15 = seed + 15 in let v16 = seed + 16 in let v17 = ref (seed + 17) in let v18 = seed + 18 in
  let v19 = string_of_int (seed * 19) in let v20 = seed + 20 in let v21 = seed + 21 in
  let v22 = seed + 22 in let v23 = seed + 23 in let v24 = ref (seed + 24) in let v25 = seed + 25 in
  let v26 = string_of_int (seed * 26) in let v27 = seed + 27 in let v28 = seed + 28 in
  let v29 = seed + 29 in let v30 = seed + 30 in let v31 = ref (seed + 31) in let v32 = seed + 32 in
  let v33 = string_of_int (seed * 33) in let v34 = seed + 34 in let v35 = seed + 35 in
  let v36 = seed + 36 in let v37 = seed + 37 in let v38 = ref (seed + 38) in let v39 = seed + 39 in
  let v40 = string_of_int (seed * 40) in let v41 = seed + 41 in let v42 = seed + 42 in
  let v43 = seed + 43 in let v44 = seed + 44 in let v45 = ref (seed + 45) in let v46 = seed + 46 in
  let v47 = string_of_int (seed * 47) in let v48 = seed + 48 in let v49 = seed + 49 in
  let v50 = seed + 50 in let v51 = seed + 51 in let v52 = ref (seed + 52) in let v53 = seed + 53 in
  let v54 = string_of_int (seed * 54) in let v55 = seed + 55 in let v56 = seed + 56 in
  let v57 = seed + 57 in let v58 = seed + 58 in let v59 = ref (seed + 59) in let v60 = seed + 60 in
  let v61 = string_of_int (seed * 61) in let v62 = seed + 62 in let v63 = seed + 63 in
  let v64 = seed + 64 in let v65 = seed + 65 in let v66 = ref (seed + 66) in let v67 = seed + 67 in
  let v68 = string_of_int (seed * 68) in let v69 = seed + 69 in let v70 = seed + 70 in
  let v71 = seed + 71 in let v72 = seed + 72 in let v73 = ref (seed + 73) in let v74 = seed + 74 in
  let v75 = string_of_int (seed * 75) in let v76 = seed + 76 in let v77 = seed + 77 in
  let v78 = seed + 78 in let v79 = seed + 79 in let v80 = ref (seed + 80) in let v81 = seed + 81 in
  let v82 = string_of_int (seed * 82) in let v83 = seed + 83 in let v84 = seed + 84 in
  let v85 = seed + 85 in let v86 = seed + 86 in let v87 = ref (seed + 87) in let v88 = seed + 88 in
  let v89 = string_of_int (seed * 89) in let v90 = seed + 90 in let v91 = seed + 91 in
  let v92 = seed + 92 in let v93 = seed + 93 in let v94 = ref (seed + 94) in let v95 = seed + 95 in
  let v96 = string_of_int (seed * 96) in let v97 = seed + 97 in let v98 = seed + 98 in
  let v99 = seed + 99 in let v100 = seed + 100 in let v101 = ref (seed + 101) in let v102 = seed + 102 in
  let v103 = string_of_int (seed * 103) in let v104 = seed + 104 in let v105 = seed + 105 in
  let v106 = seed + 106 in let v107 = seed + 107 in let v108 = ref (seed + 108) in let v109 = seed + 109 in
  let v110 = string_of_int (seed * 110) in let v111 = seed + 111 in let v112 = seed + 112 in
  let v113 = seed + 113 in let v114 = seed + 114 in let v115 = ref (seed + 115) in let v116 = seed + 116 in
  let v117 = string_of_int (seed * 117) in let v118 = seed + 118 in let v119 = seed + 119 in
  let v120 = seed + 120 in let v121 = seed + 121 in let v122 = ref (seed + 122) in let v123 = seed + 123 in
  let v124 = string_of_int (seed * 124) in let v125 = seed + 125 in let v126 = seed + 126 in
  let v127 = seed + 127 in let v128 = seed + 128 in let v129 = ref (seed + 129) in let v130 = seed + 130 in
  let v131 = string_of_int (seed * 131) in let v132 = seed + 132 in let v133 = seed + 133 in
  let v134 = seed + 134 in let v135 = seed + 135 in let v136 = ref (seed + 136) in let v137 = seed + 137 in
  let v138 = string_of_int (seed * 138) in let v139 = seed + 139 in let v140 = seed + 140 in
  let v141 = seed + 141 in let v142 = seed + 142 in let v143 = ref (seed + 143) in let v144 = seed + 144 in
  let v145 = string_of_int (seed * 145) in let v146 = seed + 146 in let v147 = seed + 147 in
  let v148 = seed + 148 in let v149 = seed + 149 in let v150 = ref (seed + 150) in let v151 = seed + 151 in
  let v152 = string_of_int (seed * 152) in let v153 = seed + 153 in let v154 = seed + 154 in
  let v155 = seed + 155 in let v156 = seed + 156 in let v157 = ref (seed + 157) in let v158 = seed + 158 in
  let v159 = string_of_int (seed * 159) in let v160 = seed + 160 in let v161 = seed + 161 in
  let v162 = seed + 162 in let v163 = seed + 163 in let v164 = ref (seed + 164) in let v165 = seed + 165 in
  let v166 = string_of_int (seed * 166) in let v167 = seed + 167 in let v168 = seed + 168 in
  let v169 = seed + 169 in let v170 = seed + 170 in let v171 = ref (seed + 171) in let v172 = seed + 172 in
  let v173 = string_of_int (seed * 173) in let v174 = seed + 174 in let v175 = seed + 175 in
  let v176 = seed + 176 in let v177 = seed + 177 in let v178 = ref (seed + 178) in let v179 = seed + 179 in
  let v180 = string_of_int (seed * 180) in let v181 = seed + 181 in let v182 = seed + 182 in
  let v183 = seed + 183 in let v184 = seed + 184 in let v185 = ref (seed + 185) in let v186 = seed + 186 in
  let v187 = string_of_int (seed * 187) in let v188 = seed + 188 in let v189 = seed + 189 in
  let v190 = seed + 190 in let v191 = seed + 191 in let v192 = ref (seed + 192) in let v193 = seed + 193 in
  let v194 = string_of_int (seed * 194) in let v195 = seed + 195 in let v196 = seed + 196 in
  let v197 = seed + 197 in let v198 = seed + 198 in let v199 = ref (seed + 199) in
  fun x ->
    x - v0 + (2 * v1) - v2 + (incr v3; !v3) - v4 + String.length v5 - v6 + (8 * v7) - v8 + (10 * v9)
      + (incr v10; !v10) + (12 * v11) + String.length v12 + (14 * v13) - v14 + (16 * v15) - v16
      + (incr v17; !v17) - v18 + String.length v19 - v20 + (22 * v21) - v22 + (24 * v23) + (incr v24; !v24)
      + (26 * v25) + String.length v26 + (28 * v27) - v28 + (30 * v29) - v30 + (incr v31; !v31) - v32
      + String.length v33 - v34 + (36 * v35) - v36 + (38 * v37) + (incr v38; !v38) + (40 * v39)
      + String.length v40 + (42 * v41) - v42 + (44 * v43) - v44 + (incr v45; !v45) - v46 + String.length v47
      - v48 + (50 * v49) - v50 + (52 * v51) + (incr v52; !v52) + (54 * v53) + String.length v54 + (56 * v55)
      - v56 + (58 * v57) - v58 + (incr v59; !v59) - v60 + String.length v61 - v62 + (64 * v63) - v64
      + (66 * v65) + (incr v66; !v66) + (68 * v67) + String.length v68 + (70 * v69) - v70 + (72 * v71) - v72
      + (incr v73; !v73) - v74 + String.length v75 - v76 + (78 * v77) - v78 + (80 * v79) + (incr v80; !v80)
      + (82 * v81) + String.length v82 + (84 * v83) - v84 + (86 * v85) - v86 + (incr v87; !v87) - v88
      + String.length v89 - v90 + (92 * v91) - v92 + (94 * v93) + (incr v94; !v94) + (96 * v95)
      + String.length v96 + (98 * v97) - v98 + (100 * v99) - v100 + (incr v101; !v101) - v102
      + String.length v103 - v104 + (106 * v105) - v106 + (108 * v107) + (incr v108; !v108) + (110 * v109)
      + String.length v110 + (112 * v111) - v112 + (114 * v113) - v114 + (incr v115; !v115) - v116
      + String.length v117 - v118 + (120 * v119) - v120 + (122 * v121) + (incr v122; !v122) + (124 * v123)
      + String.length v124 + (126 * v125) - v126 + (128 * v127) - v128 + (incr v129; !v129) - v130
      + String.length v131 - v132 + (134 * v133) - v134 + (136 * v135) + (incr v136; !v136) + (138 * v137)
      + String.length v138 + (140 * v139) - v140 + (142 * v141) - v142 + (incr v143; !v143) - v144
      + String.length v145 - v146 + (148 * v147) - v148 + (150 * v149) + (incr v150; !v150) + (152 * v151)
      + String.length v152 + (154 * v153) - v154 + (156 * v155) - v156 + (incr v157; !v157) - v158
      + String.length v159 - v160 + (162 * v161) - v162 + (164 * v163) + (incr v164; !v164) + (166 * v165)
      + String.length v166 + (168 * v167) - v168 + (170 * v169) - v170 + (incr v171; !v171) - v172
      + String.length v173 - v174 + (176 * v175) - v176 + (178 * v177) + (incr v178; !v178) + (180 * v179)
      + String.length v180 + (182 * v181) - v182 + (184 * v183) - v184 + (incr v185; !v185) - v186
      + String.length v187 - v188 + (190 * v189) - v190 + (192 * v191) + (incr v192; !v192) + (194 * v193)
      + String.length v194 + (196 * v195) - v196 + (198 * v197) - v198 + (incr v199; !v199)

let all = [ captures_0; captures_1; captures_7; captures_8; captures_16; captures_17; captures_33; captures_65; captures_200 ]

let () =
  let closures = List.map (fun make -> make 10) all in
  List.iter (fun f -> Printf.printf "%d " (f 1)) closures;
  print_newline ();
  List.iter (fun f -> Printf.printf "%d " (f 1)) (List.rev closures);
  print_newline ();
  let others = Array.of_list (List.map (fun make -> make (-3)) all) in
  Array.iteri (fun i f -> Printf.printf "%d " (f i)) others;
  print_newline ();
  List.iteri (fun i f -> Printf.printf "%d " (f i - others.(i) i)) closures;
  print_newline ()
