break functors.ml:7
run
print word
print before
continue
continue
print word
print before
delete
break functors.ml:14
continue
print pairs
print elements
