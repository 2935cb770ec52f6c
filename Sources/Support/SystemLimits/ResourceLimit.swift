import Glibc

/// Resource limits (setrlimit(2)) that this process has inherited and that its worker processes inherit from it.
package enum ResourceLimit: CaseIterable, Sendable {
    /// The address space in bytes.
    case addressSpace
    /// The data size in bytes: heap and private memory.
    case data
    /// The size of one file in bytes, including memory files.
    case fileSize
    /// The processor time of one process, in seconds.
    case processorTime
    /// The number of processes and threads of the user.
    case processes

    /// The hard limit of this process; nil for no limit.
    ///
    /// Only a process with CAP_SYS_RESOURCE can raise it.
    package var hard: Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource), &limit) == 0, limit.rlim_max != rlim_t.max else { return nil }
        return Int(clamping: limit.rlim_max)
    }

    private var resource: UInt32 {
        switch self {
        case .addressSpace: RLIMIT_AS.rawValue
        case .data: RLIMIT_DATA.rawValue
        case .fileSize: RLIMIT_FSIZE.rawValue
        case .processorTime: RLIMIT_CPU.rawValue
        case .processes: __RLIMIT_NPROC.rawValue
        }
    }

    /// Returns a value as text with its unit, such as `512 MiB` or `30 s`.
    package func text(_ value: Int) -> String {
        switch self {
        case .addressSpace, .data, .fileSize:
            value >= 1 << 20 ? "\(value >> 20) MiB" : value >= 1 << 10 ? "\(value >> 10) KiB" : "\(value) bytes"
        case .processorTime: value == .max ? "no limit" : "\(value) s"
        case .processes: "\(value)"
        }
    }

    /// The limited resource, and the settings that limit it, such as `address space (ulimit -v, LimitAS=)`.
    package var name: String {
        switch self {
        case .addressSpace: "address space (ulimit -v, LimitAS=)"
        case .data: "data (ulimit -d, LimitDATA=)"
        case .fileSize: "file size (ulimit -f, LimitFSIZE=)"
        case .processorTime: "processor time (ulimit -t, LimitCPU=)"
        case .processes: "processes (ulimit -u, LimitNPROC=)"
        }
    }

    /// Returns the hard limits among `limits` that are set, separated by commas, such as `address space (ulimit -v,
    /// LimitAS=) 512 MiB`; nil if none is set.
    package static func inherited(_ limits: [ResourceLimit] = allCases) -> String? {
        let texts = limits.compactMap { limit in limit.hard.map { "\(limit.name) \(limit.text($0))" } }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}
