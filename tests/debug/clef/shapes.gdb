break shapes.clef:9
run
info args
info locals
bt 1
delete
break shapes.clef:14
continue
info args
info locals
delete
break shapes.clef:19
continue
print shapes
print person
print sum
print total
