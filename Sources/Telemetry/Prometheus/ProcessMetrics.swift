import Glibc

/// The standard metrics of a process.
///
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
package enum ProcessMetrics {
    /// The descriptions of all process metrics.
    package static let descriptions = [
        processorTime, openFiles, mostOpenFiles, virtualMemory, residentMemory, startTime,
    ]

    private static let processorTime = MetricDescription(
        "process_cpu_seconds_total",
        .counter,
        help: "CPU time of the service process, in seconds."
    )
    private static let openFiles = MetricDescription(
        "process_open_fds",
        .gauge,
        help: "Open file descriptors."
    )
    private static let mostOpenFiles = MetricDescription(
        "process_max_fds",
        .gauge,
        help: "Maximum number of open file descriptors."
    )
    private static let virtualMemory = MetricDescription(
        "process_virtual_memory_bytes",
        .gauge,
        help: "Virtual memory, in bytes."
    )
    private static let residentMemory = MetricDescription(
        "process_resident_memory_bytes",
        .gauge,
        help: "Resident memory of the service process, in bytes."
    )
    private static let startTime = MetricDescription(
        "process_start_time_seconds",
        .gauge,
        help: "Start time of the process, in seconds since 1970."
    )

    /// The boot time of the system, in seconds since 1970.
    private static let bootTime = KernelFile.text("/proc/stat")?.split(separator: "\n").lazy
        .compactMap { $0.hasPrefix("btime ") ? Double($0.dropFirst(6)) : nil }.first

    /// The current values; metrics that the kernel does not provide are omitted.
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
        // Without ".", ".." and the descriptor of the directory itself.
        return count - 3
    }
}
