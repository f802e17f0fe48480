break mutable_state.ml:4
run
print account
print amount
delete
break mutable_state.ml:12 if row == 1
continue
info locals
delete
break mutable_state.ml:21
continue
print cells
print text
