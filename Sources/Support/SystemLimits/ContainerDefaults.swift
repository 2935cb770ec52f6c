import CLinux
import FoundationEssentials

/// Defaults that suit the container or machine where this process runs.
package struct ContainerDefaults: Sendable, CustomStringConvertible {
    /// Default number of workers: the number of processors in the CPU set or, if smaller, the quota rounded up.
    package let workers: Int
    /// The number of processors in the CPU set or the machine.
    package let processors: Int
    /// The CPU quota as a number of processors; nil for none.
    package let quota: Double?
    /// The memory limit in MiB; nil for none.
    package let memory: Int?

    /// Creates defaults that follow from limits.
    ///
    /// - Parameters:
    ///   - group: The limits of the container.
    ///   - processors: The number of processors that this process may use, from sched_getaffinity(2).
    package init(_ group: ControlGroup = ControlGroup(), processors: Int = Self.usableProcessors) {
        let processors = max(1, processors)
        self.processors = processors
        quota = group.processors
        let allowed = group.processors.map { $0.rounded(.up) } ?? .infinity
        workers = allowed < Double(processors) ? max(1, Int(allowed)) : processors
        memory = group.memoryBytes.map { $0 >> 20 }
    }

    /// The defaults of this process, read once.
    package static let current = ContainerDefaults()

    /// The number of processors that this process may use.
    ///
    /// The CPU set of a container or of taskset(1) can be smaller than the machine.
    package static var usableProcessors: Int {
        let count = Int(hr_usable_processors())
        return count > 0 ? count : ProcessInfo.processInfo.activeProcessorCount
    }

    /// Returns the fraction of the budgets for images and bytes in transit that the memory limit allows.
    ///
    /// - Parameters:
    ///   - budgets: The sum of all budgets in MiB.
    ///   - others: Memory that the service needs in addition to the budgets, in MiB.
    /// - Returns: A number from 0 to 1; 1 without a memory limit.
    package func share(of budgets: Int, besides others: Int) -> Double {
        guard let memory, budgets > 0 else { return 1 }
        return min(1, max(0, Double(memory - others) / Double(budgets)))
    }

    /// The limits as text for the log, such as `memory of 512 MiB, quota of 1.5 processors, 4 processors`.
    package var description: String {
        var parts: [String] = []
        if let memory { parts.append("memory of \(memory) MiB") }
        if let quota { parts.append("quota of \(quota) processors") }
        return (parts + ["\(processors) processors"]).joined(separator: ", ")
    }
}
