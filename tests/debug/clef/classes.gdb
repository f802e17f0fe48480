break classes.clef:4
run
print by
delete
break classes.clef:10
continue
print first
print second
bt 1
