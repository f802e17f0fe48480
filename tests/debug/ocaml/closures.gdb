break closures.ml:6
run
info args
print base
print count
bt 3
delete
break closures.ml:16
continue
print add
print twice
print partial
break closures.ml:8
continue
print n
continue
print n
bt 2
