break loops.ml:4 if i == 3
run
info locals
print a
delete
break loops.ml:16
continue
print message
bt 2
delete
break loops.ml:23
continue
info locals
