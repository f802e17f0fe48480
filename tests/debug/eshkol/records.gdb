break records.esk:6
run
continue
info locals
print p
delete
break records.esk:11
continue
print item
print kind
continue
continue
print item
continue
continue
continue
print item
