break closures.esk:3
run
continue
info args
print f
delete
break closures.esk:9
continue
print by
continue
