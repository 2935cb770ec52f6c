-- Prints the measurements as JSON.

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format(
        '{"requests": %d, "seconds": %.6f, "p50": %.3f, "p99": %.3f, "longest": %.3f, "refused": %d, "failed": %d}\n',
        summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3,
        errors.status, errors.connect + errors.read + errors.write + errors.timeout
    ))
end
