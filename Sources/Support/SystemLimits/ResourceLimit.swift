import Glibc

/// Resource limits (setrlimit(2)) that this process has inherited and that its worker processes inherit.
package enum ResourceLimit: CaseIterable, Sendable {
    /// Bytes of address space.
    case addressSpace
    /// Bytes of data: heap and private memory.
    case data
    /// Bytes of one file, including memory files.
    case fileSize
    /// Seconds of processor time of one process.
    case processorTime
    /// Processes and threads of the user.
    case processes

    /// The hard limit of this process, which only a process with CAP_SYS_RESOURCE can raise; nil for no limit.
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

    /// Returns a value as text: `512 MiB`, `30 s`.
    package func text(_ value: Int) -> String {
        switch self {
        case .addressSpace, .data, .fileSize:
            value >= 1 << 20 ? "\(value >> 20) MiB" : value >= 1 << 10 ? "\(value >> 10) KiB" : "\(value) bytes"
        case .processorTime: value == .max ? "no limit" : "\(value) s"
        case .processes: "\(value)"
        }
    }

    /// The limited resource and the settings for it: `address space (ulimit -v, LimitAS=)`.
    package var name: String {
        switch self {
        case .addressSpace: "address space (ulimit -v, LimitAS=)"
        case .data: "data (ulimit -d, LimitDATA=)"
        case .fileSize: "file size (ulimit -f, LimitFSIZE=)"
        case .processorTime: "processor time (ulimit -t, LimitCPU=)"
        case .processes: "processes (ulimit -u, LimitNPROC=)"
        }
    }

    /// Returns the hard limits among `limits` that are set, separated by commas: `address space (ulimit -v, LimitAS=)
    /// 512 MiB`; nil if no hard limit is set.
    package static func inherited(_ limits: [ResourceLimit] = allCases) -> String? {
        let texts = limits.compactMap { limit in limit.hard.map { "\(limit.name) \(limit.text($0))" } }
        return texts.isEmpty ? nil : texts.joined(separator: ", ")
    }
}
