-- Requests the paths in a file, one after another.

local paths = {}
local turn = 0

function init(arguments)
    for path in io.lines(arguments[1]) do paths[#paths + 1] = path end
end

function request()
    turn = turn + 1
    return wrk.format("GET", paths[(turn - 1) % #paths + 1])
end
