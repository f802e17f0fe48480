break modules.ml:18
run
info args
bt 2
delete
break modules.ml:11
continue
info locals
delete
break modules.ml:24
continue
print after
print sum
