import FramePipeline
import Foundation
import HeadroomAPI
import SystemLimits

/// Whether the machine, or the container, gives what the settings count on.
struct ResourceCheckup {
    /// What the service has beside pictures, and what each worker has, in MiB; docs/isolation.md has what was measured,
    /// and workers keep 12 MiB of planes for the next picture.
    private static let serviceMebibytes = 64
    private static let workerMebibytes = 64

    /// The beginning of 2025 in seconds since 1970: whoever has an earlier date has no clock.
    private static let earliestTime = 1_735_689_600

    private let settings: ServeSettings
    private let group = ControlGroup()

    init(_ settings: ServeSettings) { self.settings = settings }

    /// One for memory, open files, processors and the clock.
    func findings() -> [Finding] { [memory, openFiles, processors, clock] }

    private var memory: Finding {
        let physical = Int(ProcessInfo.processInfo.physicalMemory)
        let isContainer = group.memoryBytes.map { $0 < physical } ?? false
        let limit = min(group.memoryBytes ?? physical, physical) >> 20
        let pool = settings.service.pool
        let pictures = pool.maxBytesInFlight >> 20
        let caches = settings.service.caches.bytes >> 20
        let needed = pictures + caches + Self.serviceMebibytes + pool.workers * Self.workerMebibytes
        let fact =
            "\(isContainer ? "The container" : "The machine") has \(limit) MiB; pictures may take \(pictures), "
            + "caches \(caches), the service and \(pool.workers) workers about \(needed - pictures - caches) more."
        if limit < pictures {
            return .fail(
                "memory",
                fact,
                advice: "Set --max-memory below \(max(16, limit - needed + pictures)), or Linux kills the service."
            )
        }
        if limit < needed {
            return .warn(
                "memory",
                fact,
                advice: "Give it \(needed) MiB, or lower --max-memory, --workers or the caches' budgets."
            )
        }
        return .ok("memory", fact)
    }

    private var openFiles: Finding {
        let limit = OpenFileLimit.raise()
        let needed = settings.neededOpenFiles
        let fact = "\(limit) may be open, and \(needed) are needed with all connections."
        guard limit < needed else { return .ok("open files", fact) }
        return .warn(
            "open files",
            fact,
            advice: "Raise the hard limit (ulimit -Hn, LimitNOFILE=), or lower --max-connections."
        )
    }

    private var processors: Finding {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        let workers = settings.service.pool.workers
        let allowed = min(group.processors ?? Double(cores), Double(cores))
        let text = allowed == allowed.rounded() ? "\(Int(allowed))" : "\(allowed)"
        let fact = "\(text) can be used, by \(workers) workers."
        guard Double(workers) > allowed.rounded(.up) else { return .ok("processors", fact) }
        return .warn(
            "processors",
            fact,
            advice:
                "Set --workers \(Int(max(1, allowed.rounded(.up)))): more only wait for each other, and take memory."
        )
    }

    private var clock: Finding {
        let seconds = Int(Date().timeIntervalSince1970)
        let date = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
        guard seconds < Self.earliestTime else { return .ok("clock", "It is \(date).") }
        return .fail(
            "clock",
            "It says \(date).",
            advice: "Set it: certificates and signatures that end are judged by it."
        )
    }
}
