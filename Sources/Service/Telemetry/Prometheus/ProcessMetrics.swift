import Glibc

/// The standard metrics of a process.
///
/// https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics
package struct ProcessMetrics {
    private let statistics = ProcessStatistics(of: getpid())

    /// The metrics of this process.
    ///
    /// Values that the kernel does not provide are omitted.
    package static let table: [ReadMetric<ProcessMetrics>] = [
        .counter("process_cpu_seconds_total", help: "CPU time of the service process, in seconds.") {
            $0.statistics?.processorSeconds
        },
        .gauge("process_open_fds", help: "Open file descriptors.") { _ in openFileCount() },
        .gauge("process_max_fds", help: "Maximum number of open file descriptors.") { _ in maxOpenFiles() },
        .gauge("process_virtual_memory_bytes", help: "Virtual memory, in bytes.") { $0.statistics?.virtualBytes },
        .gauge("process_resident_memory_bytes", help: "Resident memory of the service process, in bytes.") {
            $0.statistics?.residentBytes
        },
        .gauge("process_start_time_seconds", help: "Start time of the process, in seconds since 1970.") { process in
            process.statistics.flatMap { statistics in bootTime.map { $0 + statistics.startSeconds } }
        },
    ]

    /// Reads the current values of this process.
    package init() {}

    /// The boot time of the system, in seconds since 1970.
    private static let bootTime = kernelText("/proc/stat")?.split(separator: "\n").lazy
        .compactMap { $0.hasPrefix("btime ") ? Double($0.dropFirst(6)) : nil }.first

    private static func maxOpenFiles() -> Double? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return Double(limit.rlim_cur)
    }

    private static func openFileCount() -> Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // The count excludes ".", ".." and the descriptor of the directory itself.
        return count - 3
    }
}

/// The statistics of a process from /proc/PID/stat; see proc_pid_stat(5).
package struct ProcessStatistics: Hashable, Sendable {
    /// The processor time in user and kernel mode, in seconds.
    package var processorSeconds: Double
    /// The start time, in seconds after the system booted.
    package var startSeconds: Double
    /// The size of the address space, in bytes.
    package var virtualBytes: Int
    /// The size of the resident memory, in bytes.
    package var residentBytes: Int

    /// Reads the statistics of a process; nil if it has ended.
    package init?(of processID: Int32) {
        guard let text = kernelText("/proc/\(processID)/stat") else { return nil }
        self.init(text, ticksPerSecond: sysconf(Int32(_SC_CLK_TCK)), pageBytes: sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Parses the file's text; nil if it is invalid.
    package init?(_ text: String, ticksPerSecond: Int, pageBytes: Int) {
        // The name, in parentheses, may itself contain spaces and parentheses.
        guard let nameEnd = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: nameEnd)...].split(whereSeparator: \.isWhitespace)
        // The first element of `fields` is field 3.
        func field(_ number: Int) -> Int? { fields.indices.contains(number - 3) ? Int(fields[number - 3]) : nil }
        guard let user = field(14), let system = field(15), let start = field(22), let virtual = field(23),
            let resident = field(24)
        else { return nil }
        processorSeconds = Double(user + system) / Double(ticksPerSecond)
        startSeconds = Double(start) / Double(ticksPerSecond)
        virtualBytes = virtual
        residentBytes = resident * pageBytes
    }
}

/// Returns the text of a small file in /proc; nil if it cannot be read.
private func kernelText(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while case let count = read(descriptor, &part, part.count), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}
