break options.clef:5
run
print a
print b
print quotient
delete
break options.clef:10
continue
print list
print tail
delete
break options.clef:15
continue
print results
print size
