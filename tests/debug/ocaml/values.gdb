break values.ml:7
run
bt 2
info args
info locals
delete
break values.ml:16
continue
print n
continue
print n
print m
bt 1
delete
break values.ml:13
continue
info locals
continue
print acc
print rest
up
print p
print shapes
info locals
