break lists.esk:4
run
continue
info args
info locals
delete
break lists.esk:9
continue
info args
info locals
continue
info args
info locals
