(* Unicode 16.0. Made by `cargo run -p xtask -- unicode`, which says what the tables hold. *)

let alphabetic =
  "#%M#%M#%X#%X#%^#%^#&##&9#&;#&Y#&[#.$#.)#.4#.C#.G#.O#.O#.Q#.Q#0(#0(#0F#0W#0Y#0Z#0^#0a#0c#0c#1)#1)#1+#1-#1/#1/#11#1D#1\
   F#2X#2Z#5$#5-#7R#7T#89#8<#8<#8C#9+#9S#9a#9c#9c#:$#:%#:'#:(#:*#:*#:3#:M#:R#:U#;3#;=#;C#<:#<<#<B#<Q#>6#>8#>?#>D#>K#>P#\
   >R#>^#>`#>c#>c#?3#?c#@0#AT#B-#BM#BW#BX#B^#B^#C##C:#C=#CO#D##D;#DC#DM#DS#E*#E,#E1#E:#E:#EC#F,#F7#FB#FF#FL#FS#G_#Ga#H/\
   #H1#H3#H8#HF#HT#I&#I(#I/#I2#I3#I6#IK#IM#IS#IU#IU#IY#I]#Ia#J'#J*#J+#J.#J/#J1#J1#J:#J:#J?#J@#JB#JF#JS#JT#J`#J`#K$#K&#K\
   (#K-#K2#K3#K6#KK#KM#KS#KU#KV#KX#KY#K[#K]#Kb#L%#L*#L+#L.#L/#L4#L4#L<#L?#LA#LA#LS#LX#M$#M&#M(#M0#M2#M4#M6#MK#MM#MS#MU#\
   MV#MX#M]#Ma#N(#N*#N,#N.#N/#N3#N3#NC#NF#N]#N`#O$#O&#O(#O/#O2#O3#O6#OK#OM#OS#OU#OV#OX#O]#Oa#P'#P*#P+#P.#P/#P9#P:#P?#P@\
   #PB#PF#PT#PT#Q%#Q&#Q(#Q-#Q1#Q3#Q5#Q8#Q<#Q=#Q?#Q?#QA#QB#QF#QG#QK#QM#QQ#Q]#Qb#R%#R)#R+#R-#R/#R3#R3#R:#R:#S##S/#S1#S3#S\
   5#SK#SM#S]#Sa#T'#T)#T+#T-#T/#T8#T9#T;#T=#T@#T@#TC#TF#U##U&#U(#U/#U1#U3#U5#UK#UM#UV#UX#U]#Ua#V'#V)#V+#V-#V/#V8#V9#V@#\
   VA#VC#VF#VT#VV#W##W/#W1#W3#W5#W^#Wa#X'#X)#X+#X-#X/#X1#X1#X7#X:#XB#XF#X^#Xc#Y$#Y&#Y(#Y9#Y=#YT#YV#Y_#Ya#Ya#Z##Z)#Z2#Z7\
   #Z9#Z9#Z;#ZB#ZU#ZV#[$#[^#]##])#]0#]0#^$#^%#^'#^'#^)#^-#^/#^F#^H#^H#^J#^]#^_#^a#_##_'#_)#_)#_0#_0#_?#_B#`##`##a##a*#a\
   ,#aO#aT#b&#b+#b:#b<#b`$##$#Y$#[$#[$#_$#c$$3$%2$%=$%@$%C$&($&*$&*$&0$&0$&3$&^$&`$,+$,-$,0$,3$,9$,;$,;$,=$,@$,C$-+$--$\
   -0$-3$-S$-U$-X$-[$-b$.#$.#$.%$.($.+$.9$.;$/3$/5$/8$/;$0=$1#$12$1C$2X$2[$2a$3$$<O$<R$<c$=$$==$=C$>M$>Q$>[$?#$?6$?B$?V\
   $@#$@6$@C$@O$@Q$@S$@U$@V$A#$AV$AY$B+$B:$B:$B?$B?$CC$D[$E#$EM$ES$FX$G#$GA$GC$GN$GS$G[$H3$HP$HS$HW$I#$IN$IS$J,$K#$K>$K\
   C$LA$LD$LW$MJ$MJ$Mc$N#$N/$N1$O#$OV$OX$P&$P($P/$Q#$QL$QO$QR$Q^$RH$RJ$RT$S#$SY$T0$T2$T=$Ta$U#$U-$U3$U^$Ua$Uc$VL$VO$VQ$\
   VV$VX$VY$V^$V^$W#$Yc$Z6$ZW$[#$`8$`;$`@$`C$a($a+$a0$a3$a:$a<$a<$a>$a>$a@$a@$aB$aa$b#$bW$bY$b`$bb$bb$c%$c'$c)$c/$c3$c6\
   $c9$c>$cC$cO$cU$cW$cY$c`%$T%$T%$c%$c%%3%%?%'%%'%%'*%'*%'-%'6%'8%'8%'<%'@%'G%'G%'I%'I%'K%'K%'M%'P%'R%']%'`%'c%((%(,%(\
   1%(1%(C%)+%5Y%6L%S#%VG%VN%VQ%VU%VV%W#%WH%WJ%WJ%WP%WP%WS%XJ%XR%XR%Y#%Y9%YC%YI%YK%YQ%YS%YY%Y[%Yb%Z#%Z)%Z+%Z1%Z3%Z9%Z;%\
   ZA%ZC%Zc%[R%[R&#(&#*&#D&#L&#T&#X&#[&#`&$$&%9&%@&%B&%D&&^&&`&&c&'(&'R&'T&)1&)C&)c&*S&*c&3#'Yc'[#-5/-63-6a-7#-;/-;3-;B\
   -;M-;N-<#-<Q-<W-<_-<c->R-?:-?B-?E-A+-A.-B0-B3-B4-B6-B6-B8-B?-BU-C(-C*-CJ-D#-DV-E#-F&-F(-F(-FU-FZ-F_-F_-Fa-Fc-G--GM-G\
   S-H5-HC-H`-I#-IU-IW-Ic-J2-J2-JC-JR-J^-Jb-K#-KY-L#-L0-LC-LY-L^-Mb-N#-N#-N%-N%-N>-N@-NC-NR-NU-NX-O$-O)-O,-O1-O4-O9-OC-\
   OI-OK-OQ-OS-P=-P?-PL-PS-RM-S#0AF0AS0B)0B.0B_2G#2LP2LS2N<2O#2O)2O62O:2O@2OK2OM2OY2O[2O`2Ob2Ob2P#2P$2P&2P'2P)2QT2R62Wa\
   2X32Y22Y52Z*2ZS2Z_2]S2]W2]Y2_`2`D2`^2a$2a=2aI2bb2c%2c*2c-2c22c52c:2c=2c?3##3#.3#03#I3#K3#^3#`3#a3#c3$03$33$@3%#3&^3(\
   #3(W3-#3-?3-C3.33/#3/B3/P30-30330^31#31@31C32&32+32232432833#35@35S36636;36_37#37J37S38F38S38^38`39-39/39539739839:3\
   9D39F39T39V39]39_39`3:#3:V3;#3?Y3@#3@83@C3@J3A#3A(3A*3AS3AU3A^3C#3C(3C+3C+3C-3CX3CZ3C[3C`3C`3Cc3D83DC3DY3E#3EA3FC3FU\
   3FW3FX3G#3G83GC3G]3I#3IZ3Ib3Ic3K#3K&3K(3K)3K/3K63K83K:3K<3KX3LC3L`3M#3M?3N#3N*3N,3NG3O#3OX3P#3P83PC3PU3Q#3Q43S#3T+3U\
   #3UU3V#3VU3W#3WJ3X-3XH3XL3XL3XR3Y(3^#3^L3^N3^O3^S3^T3_%3_'3_`3_`3`#3`?3`J3`J3`S3a(3aS3b$3bS3c'3cC3cY4##4$(4$T4$X4%#4\
   %[4&%4&%4&34&K4'#4'U4('4(*4(34(U4(Y4(Y4)#4)c4*$4*'4*14*24*=4*=4*?4*?4+#4+44+64+W4+Z4+Z4+b4,$4-#4-)4-+4-+4--4-04-24-@\
   4-B4-K4-S4.K4/#4/&4/(4//4/24/34/64/K4/M4/S4/U4/V4/X4/]4/a40'40*40+40.40/40340340:40:40@40F41#41,41.41.41141141341X41\
   Z42#42%42%42(42(42*42-42/42042442442642643#44$44&44(44*44-44B44D45#46$46'46(46*46*49#49X49[49b4:;4:@4;#4;b4<#4<#4<'4\
   <'4=#4=X4=[4=[4?#4?=4?@4?M4@#4@)4C#4C[4EC4FB4Fc4G)4G,4G,4G/4G64G84G94G;4GX4GZ4G[4G_4G`4Gc4H%4IC4IJ4IM4J:4J=4JB4JD4JD\
   4JF4JG4K#4KU4KX4Kb4L34M:4M@4M@4MS4N[4R#4RC4S#4S+4S-4SY4S[4Sb4T#4T#4TU4U24U54UJ4UL4UY4W#4W)4W+4W,4W.4WY4W^4W^4W`4Wa4W\
   c4X$4X&4X&4X)4X*4XC4XH4XJ4XK4XM4Y14Y34Y44Y64Y94Y;4Y;4_C4_Y4`#4`34`54`^4`b4a#4bS4bS5##51<53#54Q55#58&5b35cS6##63R64$6\
   4)64C72^73#7<)9'#9'Q9C#9K[9L#9LA9LS9Mb9N39NP9O#9OR9P#9P&9PF9PZ9Pa9Q29X#9XO9]#9]c9`#9a-9a29b*9b29bB9cC9cD9cF9cF9cS9cT\
   :##;BZ;C#;V8;Vc;W+=cS=cV=cX=c_=ca=cb>##>'E>'U>'U>(3>(5>(8>(8>(G>(J>(S>._>S#>TM>TS>T`>U#>U+>U3>U<>UA>UA@3#@47@49@5?@5\
   A@5B@5E@5E@5H@5I@5L@5O@5Q@5]@5_@5_@5a@6&@6(@7(@7*@7-@70@77@79@7?@7A@7]@7_@7b@8#@8'@8)@8)@8-@83@85@=H@=K@>#@>%@>=@>?@\
   >^@>`@?7@?9@?W@?Y@@1@@3@@Q@@S@A+@A-@AK@AM@B%@B'@B.@`#@`A@`H@`MA##A#)A#+A#;A#>A#DA#FA#GA#IA#MA#SA$PA%2A%2A'#A'OA'ZA'a\
   A(1A(1A-3A-PA.#A.NA63A6NA:3A:PA:SA:SABCABIABKABNABPABQABSABbAC#AF'AG#AH&AH*AH*AH.AH.A[#A[&A[(A[BA[DA[EA[GA[GA[JA[JA[\
   LA[UA[WA[ZA[]A[]A[_A[_A]%A]%A]*A]*A],A],A].A].A]0A]2A]4A]5A]7A]7A]:A]:A]<A]<A]>A]>A]@A]@A]BA]BA]DA]EA]GA]GA]JA]MA]OA\
   ]UA]WA]ZA]]A]`A]bA]bA^#A^,A^.A^>A^DA^FA^HA^LA^NA^_B'SB(,B(3B(LB(SB),C##M>BM?#N?]N@#NC@NCCO^DO^SQRCQRSQ]@RC#RK@S##T0-\
   T03U1R"

(* Upper case, but without a lower one. *)
let uppers =
  "#25#27%'%%'%%'*%'*%'.%'0%'3%'5%'8%'8%'<%'@%'G%'G%'K%'K%'O%'P%'S%'T%'V%'V%'b%'c%((%((@3#@3<@3W@40@4K@5$@5?@5?@5A@5B@5\
   E@5E@5H@5I@5L@5O@5Q@5X@63@6L@7'@7(@7*@7-@70@77@79@7?@7[@7]@7_@7b@8#@8'@8)@8)@8-@83@8O@9(@9C@9]@:7@:P@;+@;D@;`@<8@<S@\
   =,@=K@>#@>E@>^@??@?W@@9@@Q@A3@AK@B-@B-B'SB(,B(3B(LB(SB),"

(* Lower case, but without an upper one. *)
let lowers =
  "#%M#%M#%^#%^#&B#&B#'[#'[#(,#(,#)0#)0#)M#)N#)^#)^#)b#)b#*S#*S#+D#+D#+W#+]#,8#,8#,;#,;#,=#,=#,@#,B#,E#,E#,J#,J#,P#,Q#,\
   S#,S#,V#,W#,Y#,`#,b#,c#-$#-$#-'#-)#-0#-4#-6#-6#-8#-?#-B#-[#.##.$#.C#.G#0^#0^#13#13#1S#1S#2`#2`#8C#8C#9*#9+$&`$&`$W#$\
   X[$X^$X`$Xb$Y0$Y2$Yc$^9$^=$^?$^@$^B$^B$a3$a3$a5$a5$a7$a7$a9$a9$bU$bU$bW$bW$bY$bZ$c%$c%$c'$c'$c)$c*$c5$c6$c9$c:$cE$cG\
   $cI$cJ$cU$cU$cW$cW$cY$cZ%$T%$T%$c%$c%%3%%?%'-%'-%'1%'2%'6%'6%'R%'R%'W%'W%']%']%'`%'a%()%(,%TT%TT%TW%TW%TZ%Ta%VG%VG-=\
   ?-=@-?S-?T-@S-@[-A1-A1-A8-A8-AR-AR-B6-B6-B8-B8-BU-BW-B[-B^-OS-P5-P7-P=-P?-PL2O#2O)2O62O:3A#3A#3A&3A(3A*3AS3AU3A^@3=@\
   3V@41@47@49@4J@5%@5>@5Y@5]@5_@5_@5a@6&@6(@62@6M@7&@7A@7Z@85@8N@9)@9B@9^@:6@:Q@;*@;E@;_@<9@<R@=-@=H@>%@>=@>?@>D@>`@?7\
   @?9@?>@?Y@@1@@3@@8@@S@A+@A-@A2@AM@B%@B'@B,@B.@B.@`#@`,@`.@`A@`H@`MA#SA$P"

let zeros =
  "#<C#>S#B##HI#JI#LI#NI#PI#RI#TI#VI#XI#ZI#]3#_3#`C$$#$%3$BC$C3$H)$J3$M#$M3$P3$QS$T#$T3-;C-F3-G#-J3-JS-L3-RS2`335C3WS3X\
   #4$I4&S4'Y4*34.S4434634<34>#4>34>=4?S4FC4H34RS4T34X34YC4a39'S9LC9N#9P39XS?VS@B1@B;@BE@BO@BYA(#A.SA6SA:TAH3BRS"

let ups =
  "#%X#%X$C.J#&C#&Y$BcC#&[#&b$BcC#&c#&c$C$]#'$#'R%Bcc#'T#'T$B`;#'V#'Z%Bcc#'^#(+%Bcc#(.#(Z%Bcc#(^#(b%Bcc#(c#(c$B_7#)##)#\
   $C&&#)&#)(%Bcc#)+#)+$Bcc#)/#)/$Bcc#)5#)5$Bcc#)8#)8$C$D#)<#)<$Bcc#)=#)=$C%F#)>#)>$M<$#)A#)A$C%%#)D#)H%Bcc#)K#)K$Bcc#)\
   P#)P$Bcc#)S#)S$Bcc#)W#)Y%Bcc#)]#)]$Bcc#)a#)a$Bcc#)c#)c$C#[#*(#*($Bcc#*)#*)$Bcb#*+#*+$Bcc#*,#*,$Bcb#*.#*.$Bcc#*/#*/$B\
   cb#*1#*?%Bcc#*@#*@$BbT#*B#*R%Bcc#*U#*U$Bcc#*V#*V$Bcb#*X#*X$Bcc#*]#+B%Bcc#+F#+V%Bcc#+`#+`$Bcc#+c#,#$EKc#,%#,%$Bcc#,*#\
   ,2%Bcc#,3#,3$EKB#,4#,4$EK?#,5#,5$EKA#,6#,6$B`Q#,7#,7$B`U#,9#,:$B`V#,<#,<$B`Y#,>#,>$B`X#,?#,?$M82#,C#,C$B`V#,D#,D$M8.\
   #,F#,F$B`T#,G#,G$M8J#,H#,H$M7K#,I#,I$M8'#,K#,K$B`R#,L#,L$B`P#,M#,M$M8'#,N#,N$EJZ#,O#,O$M8$#,R#,R$B`P#,T#,T$EJa#,U#,U\
   $B`N#,X#,X$B`M#,a#,a$EJJ#-##-#$B`I#-%#-%$M8&#-&#-&$B`I#-*#-*$M7M#-+#-+$B`I#-,#-,$Bb_#--#-.$B`J#-/#-/$Bb]#-5#-5$B`H#-\
   @#-@$M78#-A#-A$M75#0(#0($C$7#0T#0V%Bcc#0Z#0Z$Bcc#0_#0a$C%%#1O#1O$Bc=#1P#1R$Bc>#1T#2$$BcC#2%#2%$BcD#2&#2.$BcC#2/#2/$B\
   c##20#21$Bc$#23#23$Bc%#24#24$Bc*#28#28$Bc4#29#29$Bc-#2:#2:$Bc[#2<#2R%Bcc#2S#2S$BbM#2T#2T$BbS#2U#2U$C#*#2V#2V$Bb/#2X#\
   2X$BbC#2[#2[$Bcc#2_#2_$Bcc#3S#42$BcC#43#4B$BbS#4D#5$%Bcc#5.#5c%Bcc#6%#61%Bcc#62#62$BcT#64#7R%Bcc#8D#9)$Bc3$&3$&^$CR#\
   $&a$&c$CR#$2[$2a$Bc[$U#$U#$AA5$U$$U$$AA6$U%$U%$AA?$U&$U'$AAA$U($U($AA@$U)$U)$AAG$U*$U*$AB>$U+$U+$KJ%$U-$U-$Bcc$X]$X]\
   $KK'$Xa$Xa$C_I$Y1$Y1$KK[$[$$^8%Bcc$^>$^>$Bc($^D$_c%Bcc$`#$`*$C#+$`3$`8$C#+$`C$`J$C#+$`S$`Z$C#+$a#$a($C#+$a4$a:%C#+$a\
   C$aJ$C#+$aS$aT$C$-$aU$aX$C$9$aY$aZ$C$G$a[$a]$C%#$a^$a_$C$S$a`$aa$C$b$b#$b*$C#+$b3$b:$C#+$bC$bJ$C#+$bS$bT$C#+$bV$bV$C\
   #,$bb$bb$A2>$c&$c&$C#,$c3$c4$C#+$cC$cD$C#+$cH$cH$C#*$cV$cV$C#,%(1%(1$BcG%(S%(c$BcS%)'%)'$Bcc%63%6L$BcI%SS%TB$Bc3%TD%\
   TD$Bcc%TH%TH$@:8%TI%TI$@:;%TK%TO%Bcc%TV%TV$Bcc%TY%TY$Bcc%U$%VF%Bcc%VO%VQ%Bcc%VV%VV$Bcc%W#%WH$A1C%WJ%WJ$A1C%WP%WP$A1C\
   -<$-<P%Bcc-=$-=>%Bcc-?F-?R%Bcc-?V-@R%Bcc-@^-@`%Bcc-@c-A*%Bcc-A/-A/$Bcc-A4-A6%Bcc-A7-A7$C#S-A:-AL%Bcc-AX-B&%Bcc-B+-B-\
   %Bcc-B0-B0$Bcc-B4-B4$Bcc-B:-B>%Bcc-BY-BY$Bcc-P6-P6$BTC-PS-Qc$9CS2a$2a=$BcC33K342$Bc;36;36_$Bc;39:39D$Bc<39F39T$Bc<39\
   V39]$Bc<39_39`$Bc<3V#3VU$Bc#3XS3Y($BcC4F#4FB$BcC9]C9]c$BcCAGEAH&$BcA"

let downs =
  "#&##&9$C#C#&;#&A$C#C#'##'Q%C#$#'S#'S$B`]#'U#'Y%C#$#']#(*%C#$#(-#(Y%C#$#([#([$Bb*#(]#(a%C#$#)$#)$$C&5#)%#)'%C#$#))#))\
   $C&1#)*#)*$C#$#),#)-$C&0#).#).$C#$#)1#)1$C$2#)2#)2$C&-#)3#)3$C&.#)4#)4$C#$#)6#)6$C&0#)7#)7$C&2#)9#)9$C&6#):#):$C&4#)\
   ;#);$C#$#)?#)?$C&6#)@#)@$C&8#)B#)B$C&9#)C#)G%C#$#)I#)I$C&=#)J#)J$C#$#)L#)L$C&=#)O#)O$C#$#)Q#)Q$C&=#)R#)R$C#$#)T#)U$C\
   &<#)V#)X%C#$#)Z#)Z$C&>#)[#)[$C#$#)`#)`$C#$#*'#*'$C#%#*(#*($C#$#**#**$C#%#*+#*+$C#$#*-#*-$C#%#*.#*>%C#$#*A#*Q%C#$#*T#\
   *T$C#%#*U#*W%C#$#*Y#*Y$BbB#*Z#*Z$Bc+#*[#+A%C#$#+C#+C$Bab#+E#+U%C#$#+^#+^$EKN#+_#+_$C#$#+a#+a$Ba@#+b#+b$EKK#,$#,$$C#$\
   #,&#,&$B`a#,'#,'$C$(#,(#,($C$*#,)#,1%C#$#0S#0U%C#$#0Y#0Y$C#$#0c#0c$C$W#1)#1)$C#I#1+#1-$C#H#1/#1/$C$##11#12$C#c#14#1D\
   $C#C#1F#1N$C#C#22#22$C#+#2;#2Q%C#$#2W#2W$Bc'#2Z#2Z$C#$#2]#2]$Bc]#2^#2^$C#$#2a#2c$Bab#3##32$C$3#33#3R$C#C#4C#5#%C#$#5\
   -#5b%C#$#6##6#$C#2#6$#60%C#$#63#7Q%C#$#7T#89$C#S$%C$&($DTC$&*$&*$DTC$&0$&0$DTC$1C$2R$LB3$2S$2X$C#+$U,$U,$C#$$U3$U^$B\
   4#$Ua$Uc$B4#$[#$^7%C#$$^A$^A$A,$$^C$_b%C#$$`+$`2$Bc[$`;$`@$Bc[$`K$`R$Bc[$`[$`c$Bc[$a+$a0$Bc[$a<$aB%Bc[$aK$aR$Bc[$b+$\
   b2$Bc[$b;$bB$Bc[$bK$bR$Bc[$b[$b]$Bc[$b^$b_$BbY$b`$b`$BcZ$c+$c.$BbM$c/$c/$BcZ$c;$c<$Bc[$c=$c>$Bb?$cK$cL$Bc[$cM$cN$Bb3\
   $cO$cO$Bc]$c[$c]$Bb#$c^$c_$Bb%$c`$c`$BcZ%'I%'I$A-F%'M%'M$@a$%'N%'N$@b^%'U%'U$C#?%(C%(R$C#3%)&%)&$C#$%5Y%62$C#=%S#%SR\
   $C#S%TC%TC$C#$%TE%TE$@;,%TF%TF$B'=%TG%TG$@;<%TJ%TN%C#$%TP%TP$@:G%TQ%TQ$@;&%TR%TR$@:D%TS%TS$@:E%TU%TU$C#$%TX%TX$C#$%T\
   b%Tc$@:$%U#%VE%C#$%VN%VP%C#$%VU%VU$C#$-<#-<O%C#$-=#-==%C#$-?E-?Q%C#$-?U-@Q%C#$-@]-@_%C#$-@a-@a$::`-@b-A)%C#$-A.-A.$C\
   #$-A0-A0$8N;-A3-A5%C#$-A9-AK%C#$-AM-AM$8M`-AN-AN$8MT-AO-AO$8MX-AP-AP$8Mc-AQ-AQ$8M`-AS-AS$8NQ-AT-AT$8N9-AU-AU$8NN-AV-\
   AV$C1C-AW-B%%C#$-B'-B'$Bc3-B(-B($8Ma-B)-B)$::+-B*-B,%C#$-B.-B.$8M<-B/-B/$C#$-B3-B3$C#$-B9-B=%C#$-B?-B?$8Ic-BX-BX$C#$\
   2`D2`^$C#C33#33J$C#K35S366$C#K38S38^$C#J38`39-$C#J39/395$C#J397398$C#J3U#3UU$C$#3X33XH$C#C4EC4Ec$C#C9]#9]B$C#CAG#AGD\
   $C#E"

(* Where folding is not going down. *)
let folds =
  "#%X#%X$C/*#'S#'S$C###(c#(c$B_W#0(#0($C$W#2%#2%$C#$#23#23$BcE#24#24$BcJ#28#28$BcT#29#29$BcM#2S#2S$Bc-#2T#2T$Bc3#2X#2X\
   $Bc#$1C$2X$C##$2[$2a$Bc[$U#$U#$AAU$U$$U$$AAV$U%$U%$AA`$U&$U'$AAb$U($U($AAa$U)$U)$AB'$U*$U*$AB?$U+$U+$KJ&$^>$^>$Bc)$b\
   b$bb$A2_$c6$c6$A1a$cF$cF$A20-PS-Qc$9CS2O(2O($C#$"

let long_ups =
  "#&B#$6#$6####(,#-`#$1####*S#$-#//####13#1<#/+#/$#1S#1H#/+#/$#9*#7X#85###$^9#$+#/T###$^:#$7#/+###$^;#$:#/-###$^<#$<#/\
   -###$^=#$$#-b###$a3#1H#/6###$a5#1H#/6#/#$a7#1H#/6#/$$a9#1H#/6#0%$b#$`+#1<###$b$$`,#1<###$b%$`-#1<###$b&$`.#1<###$b'$\
   `/#1<###$b($`0#1<###$b)$`1#1<###$b*$`2#1<###$b+$`+#1<###$b,$`,#1<###$b-$`-#1<###$b.$`.#1<###$b/$`/#1<###$b0$`0#1<###\
   $b1$`1#1<###$b2$`2#1<###$b3$`K#1<###$b4$`L#1<###$b5$`M#1<###$b6$`N#1<###$b7$`O#1<###$b8$`P#1<###$b9$`Q#1<###$b:$`R#1\
   <###$b;$`K#1<###$b<$`L#1<###$b=$`M#1<###$b>$`N#1<###$b?$`O#1<###$b@$`P#1<###$bA$`Q#1<###$bB$`R#1<###$bC$aK#1<###$bD$\
   aL#1<###$bE$aM#1<###$bF$aN#1<###$bG$aO#1<###$bH$aP#1<###$bI$aQ#1<###$bJ$aR#1<###$bK$aK#1<###$bL$aL#1<###$bM$aM#1<###\
   $bN$aN#1<###$bO$aO#1<###$bP$aP#1<###$bQ$aQ#1<###$bR$aR#1<###$bU$b^#1<###$bV#14#1<###$bW#1)#1<###$bY#14#0%###$bZ#14#0\
   %#1<$b`#14#1<###$c%$c-#1<###$c&#1:#1<###$c'#1,#1<###$c)#1:#0%###$c*#1:#0%#1<$c/#1:#1<###$c5#1<#/+#/#$c6#1<#/+#/$$c9#\
   1<#0%###$c:#1<#/+#0%$cE#1H#/+#/#$cF#1H#/+#/$$cG#1D#/6###$cI#1H#0%###$cJ#1H#/+#0%$cU$c^#1<###$cV#1L#1<###$cW#12#1<###\
   $cY#1L#0%###$cZ#1L#0%#1<$c`#1L#1<###2O##$)#$)###2O$#$)#$,###2O%#$)#$/###2O&#$)#$)#$,2O'#$)#$)#$/2O(#$6#$7###2O)#$6#$\
   7###2O6#8'#8)###2O7#8'#7X###2O8#8'#7_###2O9#81#8)###2O:#8'#7a###"

let long_folds =
  "#&B#$V#$V####'S#$L#/*####(,#-`#$Q####*S#$M#//####13#1]#/+#/$#1S#2(#/+#/$#9*#8H#9%###$^9#$K#/T###$^:#$W#/+###$^;#$Z#/\
   -###$^<#$]#/-###$^=#$D#-b###$^A#$V#$V###$a3#2(#/6###$a5#2(#/6#/#$a7#2(#/6#/$$a9#2(#/6#0%$b#$`##1]###$b$$`$#1]###$b%$\
   `%#1]###$b&$`&#1]###$b'$`'#1]###$b($`(#1]###$b)$`)#1]###$b*$`*#1]###$b+$`##1]###$b,$`$#1]###$b-$`%#1]###$b.$`&#1]###\
   $b/$`'#1]###$b0$`(#1]###$b1$`)#1]###$b2$`*#1]###$b3$`C#1]###$b4$`D#1]###$b5$`E#1]###$b6$`F#1]###$b7$`G#1]###$b8$`H#1\
   ]###$b9$`I#1]###$b:$`J#1]###$b;$`C#1]###$b<$`D#1]###$b=$`E#1]###$b>$`F#1]###$b?$`G#1]###$b@$`H#1]###$bA$`I#1]###$bB$\
   `J#1]###$bC$aC#1]###$bD$aD#1]###$bE$aE#1]###$bF$aF#1]###$bG$aG#1]###$bH$aH#1]###$bI$aI#1]###$bJ$aJ#1]###$bK$aC#1]###\
   $bL$aD#1]###$bM$aE#1]###$bN$aF#1]###$bO$aG#1]###$bP$aH#1]###$bQ$aI#1]###$bR$aJ#1]###$bU$aS#1]###$bV#1T#1]###$bW#1O#1\
   ]###$bY#1T#0%###$bZ#1T#0%#1]$b`#1T#1]###$c%$aW#1]###$c&#1Z#1]###$c'#1Q#1]###$c)#1Z#0%###$c*#1Z#0%#1]$c/#1Z#1]###$c5#\
   1]#/+#/#$c6#1]#/+#/$$c9#1]#0%###$c:#1]#/+#0%$cE#2(#/+#/#$cF#2(#/+#/$$cG#2$#/6###$cI#2(#0%###$cJ#2(#/+#0%$cU$a`#1]###\
   $cV#2,#1]###$cW#21#1]###$cY#2,#0%###$cZ#2,#0%#1]$c`#2,#1]###2O##$I#$I###2O$#$I#$L###2O%#$I#$O###2O&#$I#$I#$L2O'#$I#$\
   I#$O2O(#$V#$W###2O)#$V#$W###2O6#8W#8Y###2O7#8W#8H###2O8#8W#8N###2O9#8b#8Y###2O:#8W#8P###"
