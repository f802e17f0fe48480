break loops.clef:5 if i == 4
run
print i
print total
delete
break loops.clef:11 if next == 5
continue
print n
print steps
bt 1
delete
break loops.clef:16
continue
print text
print array
