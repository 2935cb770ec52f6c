-- Asks for the paths in a file in turn, and prints what was measured as JSON.

local paths = {}
local turn = 0

function init(arguments)
    for path in io.lines(arguments[1]) do paths[#paths + 1] = path end
end

function request()
    turn = turn + 1
    return wrk.format("GET", paths[(turn - 1) % #paths + 1])
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, "refused": %d, "failed": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout
    ))
end
