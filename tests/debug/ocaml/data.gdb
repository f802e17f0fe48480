break data.ml:16
run
info args
info locals
print counter
delete
break data.ml:32
continue
info locals
whatis t
whatis nested
