break shadowing.ml:2
run
info locals
print x
delete
break shadowing.ml:7
continue
print y
print x
delete
break shadowing.ml:8
continue
print x
print y
print z
delete
break shadowing.ml:12
continue
info locals
