break effects.ml:7
run
print name
print first
print second
delete
break effects.ml:20
continue
print total
