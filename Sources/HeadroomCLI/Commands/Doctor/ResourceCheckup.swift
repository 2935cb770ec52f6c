import Fetching
import Foundation
import HeadroomAPI
import HTTPServer
import Requests
import SystemLimits
import Workers

/// Checks whether the host, or the container, provides the resources that the settings require.
struct ResourceCheckup {
    /// Memory of the service besides pictures, and of each worker, in MiB.
    ///
    /// See the measurements in docs/isolation.md. Workers keep 12 MiB of planes for the next picture.
    private static let serviceMebibytes = 64
    private static let workerMebibytes = 64

    /// The beginning of 2025 in seconds since 1970; an earlier date means that the clock is not set.
    private static let earliestTime = 1_735_689_600

    private let settings: ServeSettings
    private let group = ControlGroup()

    init(_ settings: ServeSettings) { self.settings = settings }

    /// One finding each for memory, open files, inherited limits, processors and the clock.
    func findings() -> [Finding] { [memory, openFiles, limits, processors, clock] }

    private var memory: Finding {
        let physical = Int(ProcessInfo.processInfo.physicalMemory)
        let isContainer = group.memoryBytes.map { $0 < physical } ?? false
        let limit = min(group.memoryBytes ?? physical, physical) >> 20
        let pool = settings.service.pool
        let pictures = pool.maxBytesInFlight >> 20
        let caches = settings.service.caches.bytes >> 20
        let needed = pictures + caches + Self.serviceMebibytes + pool.workers * Self.workerMebibytes
        let fact =
            "\(isContainer ? "The container" : "The machine") has \(limit) MiB; pictures need up to \(pictures), "
            + "caches \(caches), the service and \(pool.workers) workers about \(needed - pictures - caches) more."
        if limit < pictures {
            return .fail(
                "memory",
                fact,
                advice: "Set --max-memory below \(max(16, limit - needed + pictures)), or Linux may kill the service."
            )
        }
        if limit < needed {
            return .warn(
                "memory",
                fact,
                advice: "Provide \(needed) MiB, or lower --max-memory, --workers or the cache sizes."
            )
        }
        return .ok("memory", fact)
    }

    private var openFiles: Finding {
        let limit = OpenFileLimit.raise()
        let needed = settings.neededOpenFiles
        let fact = "The limit is \(limit); all connections together need \(needed)."
        guard limit < needed else { return .ok("open files", fact) }
        return .warn(
            "open files",
            fact,
            advice: "Raise the hard limit (ulimit -Hn, LimitNOFILE=), or lower --max-connections."
        )
    }

    private var limits: Finding {
        let low = ResourceLimit.allCases.compactMap { limit in
            limit.hard.flatMap { value in
                let needed = needed(limit)
                return value < needed ? "\(limit.name) is \(limit.text(value)), needed \(limit.text(needed))" : nil
            }
        }
        guard !low.isEmpty else { return .ok("limits", "No hard limit is below what the settings need.") }
        return .warn(
            "limits",
            "Hard limits that this process inherited are low: \(low.joined(separator: "; ")).",
            advice: "Raise them where the service is started, or pictures that need more fail with 422 or 500."
        )
    }

    /// The least hard limit with which no picture within the settings fails.
    private func needed(_ limit: ResourceLimit) -> Int {
        let service = settings.service
        let pictures = service.pool.maxBytesInFlight
        let source = max(service.server.maxBodyBytes, service.fetching.maxBytes)
        return switch limit {
        case .addressSpace, .data:
            // A worker with its reserve; or the service with bodies, sources and caches.
            max(
                pictures + 2 * source + 256 << 20,
                service.server.maxBodyBytesInFlight + service.fetching.maxBytesInHand + service.caches.bytes + 512 << 20
            )
        // A job with the picture's bytes, or a reply.
        case .fileSize: max(source, pictures) + 5 << 20
        // The service runs indefinitely, and its total time counts.
        case .processorTime: .max
        case .processes: service.pool.workers * 3 + service.fetching.slots * 2 + 64
        }
    }

    private var processors: Finding {
        let cores = ContainerDefaults.usableProcessors
        let workers = settings.service.pool.workers
        let allowed = min(group.processors ?? Double(cores), Double(cores))
        let text = allowed == allowed.rounded() ? "\(Int(allowed))" : "\(allowed)"
        let fact = "\(text) available for \(workers) workers."
        guard Double(workers) > allowed.rounded(.up) else { return .ok("processors", fact) }
        return .warn(
            "processors",
            fact,
            advice:
                "Set --workers \(Int(max(1, allowed.rounded(.up)))): more workers only cost memory."
        )
    }

    private var clock: Finding {
        let seconds = Int(Date().timeIntervalSince1970)
        let date = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
        guard seconds < Self.earliestTime else { return .ok("clock", "The time is \(date).") }
        return .fail(
            "clock",
            "The time is \(date).",
            advice: "Set the clock: the expiry of certificates and signatures depends on it."
        )
    }
}
