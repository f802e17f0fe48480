break gadts.ml:16
run
print left
print right
delete
break gadts.ml:12
continue
print taken
bt 2
