break map
break names.ml:7
break List.map
run
backtrace 1
continue
backtrace 1
continue
print 'names.ml'::param
print x
info args
