break closures.clef:3
run
print n
print scaled
delete
break closures.clef:6
continue
print result
print f
delete
break closures.clef:10
continue
print answer
print nested
