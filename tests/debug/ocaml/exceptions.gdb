break exceptions.ml:12
run
print code
print why
print e
print n
bt 1
delete
break exceptions.ml:17
continue
print results
print protected
