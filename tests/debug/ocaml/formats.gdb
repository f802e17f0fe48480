tbreak formats.ml:4
run
print name
print digest
tbreak report
continue
print name
bt 2
continue
