import FoundationEssentials
import Glibc

/// Resource limits of the process's control groups; see cgroups(7), versions 1 and 2.
///
/// The limits of all ancestors also apply, so the smallest limit is used.
package struct ControlGroup: Hashable, Sendable {
    /// The memory limit in bytes; nil for no limit.
    package let memoryBytes: Int?
    /// The CPU limit as a number of processors, which may be fractional; nil for no limit.
    package let processors: Double?

    /// If there is no limit, version 1 reports the largest representable number of pages.
    ///
    /// Values of at least this size mean no limit.
    private static let unlimited = 1 << 60

    /// Reads the limits of the current process.
    ///
    /// - Parameter root: The directory that contains `proc` and `sys`.
    package init(root: String = "/") {
        var memory: [Int?] = []
        var processors: [Double?] = []
        for (name, path) in Self.groups(root) {
            let controllers = name.split(separator: ",")
            for group in Self.ancestry(of: path) {
                func text(_ folder: String, _ file: String) -> String? {
                    Self.text(root, "sys/fs/cgroup\(folder)\(group)/\(file)")
                }
                if name.isEmpty {
                    memory.append(text("", "memory.max").flatMap { Int($0) })
                    processors.append(text("", "cpu.max").flatMap(Self.quota))
                } else if controllers.contains("memory") {
                    memory.append(text("/memory", "memory.limit_in_bytes").flatMap { Int($0) })
                } else if controllers.contains("cpu"), let quota = text("/\(name)", "cpu.cfs_quota_us"),
                    let period = text("/\(name)", "cpu.cfs_period_us")
                {
                    processors.append(Self.quota("\(quota) \(period)"))
                }
            }
        }
        memoryBytes = memory.compactMap(\.self).min().flatMap { $0 < Self.unlimited ? $0 : nil }
        self.processors = processors.compactMap(\.self).min()
    }

    /// Returns the number of processes that the kernel has killed because memory was exhausted.
    ///
    /// It includes the group and, in version 2, the groups below it.
    ///
    /// - Parameter root: The directory that contains `proc` and `sys`.
    /// - Returns: 0 if the number is unknown.
    package static func memoryKills(root: String = "/") -> Int {
        for (name, path) in groups(root) {
            let group = path == "/" ? "" : path
            let file: String
            if name.isEmpty {
                file = "sys/fs/cgroup\(group)/memory.events"
            } else if name.split(separator: ",").contains("memory") {
                file = "sys/fs/cgroup/memory\(group)/memory.oom_control"
            } else {
                continue
            }
            for entry in (text(root, file) ?? "").split(separator: "\n") {
                let words = entry.split(separator: " ")
                if words.count == 2, words[0] == "oom_kill", let count = Int(words[1]) { return count }
            }
        }
        return 0
    }

    /// Returns the path of each control group of this process with its controllers, which are separated by commas and
    /// empty in version 2.
    private static func groups(_ root: String) -> [(controllers: String, path: String)] {
        (text(root, "proc/self/cgroup") ?? "").split(separator: "\n").compactMap { line in
            // Each line has a hierarchy number, controllers and a group, such as 4:memory:/docker/0f3c or
            // 0::/docker/0f3c.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            return fields.count == 3 ? (fields[1], fields[2]) : nil
        }
    }

    /// Returns a group and its ancestors up to the root, whose name is empty.
    ///
    /// For example: `/a/b`, `/a`, and the empty string.
    private static func ancestry(of group: String) -> [String] {
        let names = group.split(separator: "/")
        return (0...names.count).map { count in names.prefix(count).map { "/\($0)" }.joined() }
    }

    /// Returns the quota as a number of processors.
    ///
    /// The text has the quota and the period in microseconds, such as `150000 100000`. Nil for `max 100000` and for a
    /// quota of -1.
    private static func quota(_ text: String) -> Double? {
        let numbers = text.split(separator: " ").map { Double($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else {
            return nil
        }
        return quota / period
    }

    private static func text(_ root: String, _ path: String) -> String? {
        let folder = root.hasSuffix("/") ? root : "\(root)/"
        guard let text = try? String(contentsOfFile: folder + path, encoding: .utf8) else { return nil }
        let rest = text.drop(while: \.isWhitespace)
        return rest.lastIndex { !$0.isWhitespace }.map { String(rest[...$0]) } ?? ""
    }
}

/// Requirements for the proc(5) file system.
///
/// It may be missing or incomplete in a container or a chroot.
package enum ProcFilesystem {
    /// Returns the reason why the program cannot run; nil if it can.
    ///
    /// Dispatch counts its threads in `self/task` and traps if it cannot. A worker is started from `self/exe`, which
    /// stays valid when the program's file is replaced. It receives its job through a read-only descriptor, which is
    /// opened from a writable descriptor through `self/fd`.
    ///
    /// - Parameter root: The mount point.
    /// - Returns: A sentence with advice, without a full stop.
    package static func obstacle(root: String = "/proc") -> String? {
        for name in ["self/exe", "self/fd"] where access("\(root)/\(name)", F_OK) != 0 {
            return "headroom cannot run without \(root)/\(name): mount proc(5) at \(root)"
        }
        return nil
    }
}
