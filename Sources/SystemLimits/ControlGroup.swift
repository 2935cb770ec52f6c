import Foundation

/// What Linux allows the container, or whatever else this process is in, to use: cgroups(7), version 2 and 1.
///
/// A limit of any group from its own up to the root holds, so the smallest counts.
package struct ControlGroup: Hashable, Sendable {
    /// Bytes of memory; nil for no limit.
    package let memoryBytes: Int?
    /// Processors, of which fractions may be used; nil for no limit.
    package let processors: Double?

    /// From here on up version 1 means that there is no limit: it gives the largest number of pages that it can count.
    private static let unlimited = 1 << 60

    /// Reads the limits of this process.
    ///
    /// - Parameter root: The folder that has `proc` and `sys`.
    package init(root: String = "/") {
        var memory: [Int] = []
        var processors: [Double] = []
        let groups = Self.text(root, "proc/self/cgroup") ?? ""
        for line in groups.split(separator: "\n") {
            // The number of the hierarchy, its controllers, and the group: 4:memory:/docker/0f3c, or 0::/docker/0f3c.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { continue }
            let controllers = fields[1].split(separator: ",")
            for group in Self.ancestry(of: fields[2]) {
                func text(_ folder: String, _ file: String) -> String? {
                    Self.text(root, "sys/fs/cgroup\(folder)\(group)/\(file)")
                }
                if fields[1].isEmpty {
                    memory += text("", "memory.max").flatMap { Int($0) }.map { [$0] } ?? []
                    processors += text("", "cpu.max").flatMap(Self.quota).map { [$0] } ?? []
                } else if controllers.contains("memory") {
                    memory += text("/memory", "memory.limit_in_bytes").flatMap { Int($0) }.map { [$0] } ?? []
                } else if controllers.contains("cpu"), let quota = text("/\(fields[1])", "cpu.cfs_quota_us"),
                    let period = text("/\(fields[1])", "cpu.cfs_period_us")
                {
                    processors += Self.quota("\(quota) \(period)").map { [$0] } ?? []
                }
            }
        }
        memoryBytes = memory.min().flatMap { $0 < Self.unlimited ? $0 : nil }
        self.processors = processors.min()
    }

    /// A group and those above it, as far as the root, which has no name: `/a/b`, `/a`, and nothing.
    private static func ancestry(of group: String) -> [String] {
        let names = group.split(separator: "/")
        return (0...names.count).map { count in names.prefix(count).map { "/\($0)" }.joined() }
    }

    /// Microseconds that may be used, of so many: `150000 100000`; nil for `max 100000`, or -1 of them.
    private static func quota(_ text: String) -> Double? {
        let numbers = text.split(separator: " ").map { Double($0) }
        guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else {
            return nil
        }
        return quota / period
    }

    private static func text(_ root: String, _ path: String) -> String? {
        let folder = root.hasSuffix("/") ? root : "\(root)/"
        return (try? String(contentsOfFile: folder + path, encoding: .utf8))?
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
