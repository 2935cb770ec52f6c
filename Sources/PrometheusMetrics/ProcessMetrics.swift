import Glibc

/// What every exporter says of its own process.
///
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
package enum ProcessMetrics {
    /// All of them.
    package static let descriptions = [
        processorTime, openFiles, mostOpenFiles, virtualMemory, residentMemory, startTime,
    ]

    private static let processorTime = MetricDescription(
        "process_cpu_seconds_total",
        .counter,
        help: "Processor time of the service's own process, in seconds."
    )
    private static let openFiles = MetricDescription(
        "process_open_fds",
        .gauge,
        help: "Open file descriptors."
    )
    private static let mostOpenFiles = MetricDescription(
        "process_max_fds",
        .gauge,
        help: "File descriptors that may be open at the same time."
    )
    private static let virtualMemory = MetricDescription(
        "process_virtual_memory_bytes",
        .gauge,
        help: "Address space, in bytes."
    )
    private static let residentMemory = MetricDescription(
        "process_resident_memory_bytes",
        .gauge,
        help: "Memory of the service's own process, in bytes."
    )
    private static let startTime = MetricDescription(
        "process_start_time_seconds",
        .gauge,
        help: "When the process started, in seconds since 1970."
    )

    /// When the system started, in seconds since 1970.
    private static let bootTime = KernelFile.text("/proc/stat")?.split(separator: "\n").lazy
        .compactMap { $0.hasPrefix("btime ") ? Double($0.dropFirst(6)) : nil }.first

    /// Of this process, now; what the kernel does not tell is left out.
    package static func samples() -> [MetricSample] {
        var samples: [MetricSample] = []
        if let statistics = ProcessStatistics(of: getpid()) {
            samples.append(MetricSample(processorTime, [], statistics.processorSeconds))
            samples.append(MetricSample(virtualMemory, [], statistics.virtualBytes))
            samples.append(MetricSample(residentMemory, [], statistics.residentBytes))
            if let bootTime { samples.append(MetricSample(startTime, [], bootTime + statistics.startSeconds)) }
        }
        if let count = openFileCount() { samples.append(MetricSample(openFiles, [], count)) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            samples.append(MetricSample(mostOpenFiles, [], Double(limit.rlim_cur)))
        }
        return samples
    }

    private static func openFileCount() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without ".", ".." and the descriptor that reads them.
        return count - 3
    }
}
