module Drawing.Report

open Drawing.Core

let line (name: string) shape = sprintf "%-8s %6.2f" name (Shapes.area shape)
let mutable lines = 0
let show name shape =
    lines <- lines + 1
    printfn "%s" (line name shape)
