import Caching
import Fetching
import FoundationEssentials
import Glibc
import HeadroomAPI
import HTTPServer
import HTTPTypes
import Logging
import Requests
import SystemLimits
import Workers

/// Checks whether the host, or the container, provides the resources that the settings require.
struct ResourceCheckup {
    /// Memory of the service without images, and of each worker, in MiB.
    ///
    /// See the measurements in docs/contributing/isolation-internals.md. Workers keep 12 MiB of planes for the next image.
    private static let serviceMebibytes = 64
    private static let workerMebibytes = 64

    /// The start of 2025 in seconds since 1970; an earlier date means that the clock is not set.
    private static let earliestTime = 1_735_689_600

    private let settings: ServeSettings
    private let group = ControlGroup()

    init(_ settings: ServeSettings) { self.settings = settings }

    /// One finding for each of memory, open files, inherited limits, processors and the clock.
    func findings() -> [Finding] { [memory, openFiles, limits, processors, clock] }

    private var memory: Finding {
        let physical = Int(ProcessInfo.processInfo.physicalMemory)
        let isContainer = group.memoryBytes.map { $0 < physical } ?? false
        let limit = min(group.memoryBytes ?? physical, physical) >> 20
        let pool = settings.service.pool
        let images = pool.maxBytesInFlight >> 20
        let caches = settings.service.caches.bytes >> 20
        let needed = images + caches + Self.serviceMebibytes + pool.workers * Self.workerMebibytes
        let fact =
            "\(isContainer ? "The container" : "The machine") has \(limit) MiB; images need up to \(images), "
            + "caches \(caches), the service and \(pool.workers) workers about \(needed - images - caches) more."
        if limit < images {
            let maximum = max(16, limit - needed + images)
            return Finding("memory", fact, fail: "Set --max-memory below \(maximum), or Linux may kill the service.")
        }
        let advice = "Provide \(needed) MiB, or lower --max-memory, --workers or the cache sizes."
        return Finding("memory", fact, warn: limit < needed ? advice : nil)
    }

    private var openFiles: Finding {
        let limit = OpenFileLimit.raise()
        let needed = settings.neededOpenFiles
        let fact = "The limit is \(limit); all connections together need \(needed)."
        let advice = "Raise the hard limit (ulimit -Hn, LimitNOFILE=), or lower --max-connections."
        return Finding("open files", fact, warn: limit < needed ? advice : nil)
    }

    private var limits: Finding {
        let low = ResourceLimit.allCases.compactMap { limit in
            limit.hard.flatMap { value in
                let needed = needed(limit)
                return value < needed ? "\(limit.name) is \(limit.text(value)), needed \(limit.text(needed))" : nil
            }
        }
        guard !low.isEmpty else { return Finding("limits", "All hard limits are high enough for the settings.") }
        return Finding(
            "limits",
            "Hard limits that this process inherited are low: \(low.joined(separator: "; ")).",
            warn: "Raise them where the service is started; otherwise images that need more fail with 422 or 500."
        )
    }

    /// The minimum hard limit that supports every image within the settings.
    private func needed(_ limit: ResourceLimit) -> Int {
        let service = settings.service
        let images = service.pool.maxBytesInFlight
        let source = max(service.server.maxBodyBytes, service.fetching.maxBytes)
        return switch limit {
        case .addressSpace, .data:
            // The larger need: a worker with its reserve, or the service with bodies, sources and caches.
            max(
                images + 2 * source + 256 << 20,
                service.server.maxBodyBytesInFlight + service.fetching.maxBytesInHand + service.caches.bytes + 512 << 20
            )
        // The largest file is a job with the image's bytes, or a reply.
        case .fileSize: max(source, images) + 5 << 20
        // The limit applies to the total time of a process, and the service runs indefinitely.
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
        let maximum = allowed.rounded(.up)
        let advice = "Set --workers \(Int(max(1, maximum))): further workers only use memory."
        return Finding("processors", fact, warn: Double(workers) > maximum ? advice : nil)
    }

    private var clock: Finding {
        let seconds = Int(Date().timeIntervalSince1970)
        let date = Date(timeIntervalSince1970: Double(seconds)).ISO8601Format()
        let advice = "Set the clock: the expiry of certificates and signatures depends on it."
        return Finding("clock", "The time is \(date).", fail: seconds < Self.earliestTime ? advice : nil)
    }
}

/// Checks whether the service can listen on its addresses and fetch URLs.
struct NetworkCheckup {
    /// The certificate authorities that Debian's libcurl trusts.
    private static let authorities = "/etc/ssl/certs/ca-certificates.crt"

    let settings: ServeSettings
    let urls: [String]
    let logger: Logger

    /// One finding for each address and each URL, one for certificates, one for Redis, and one for the result store.
    func findings() async -> [Finding] {
        var findings = settings.service.addresses.map(address)
        findings.append(certificates)
        if let redis = settings.service.caches.redis { findings.append(await shared(redis)) }
        if let store = settings.service.caches.resultStore { findings.append(results(store)) }
        let fetcher = ImageFetcher(configuration: settings.service.fetching, logger: logger)
        for url in urls { findings.append(await origin(url, fetcher)) }
        return findings
    }

    private func address(_ address: ListenAddress) -> Finding {
        let hooks = PlainHooks { status, _ in ServerResponse(status: status) }
        let server = HTTPServer(handler: NoRequests(), hooks: hooks, logger: logger)
        defer { server.shutdown() }
        do {
            _ = try server.bind(to: address)
            return Finding("address", "\(address) is free.")
        } catch  where error.errno == EADDRINUSE {
            return Finding(
                "address",
                "\(address) is in use.",
                warn: "If headroom health reports that this is not the service itself, choose another --port."
            )
        } catch {
            let advice = "Choose a --host of this machine, and a permitted --port or --unix-socket."
            return Finding("address", "\(error).", fail: advice)
        }
    }

    private var certificates: Finding {
        let file = (try? RegularFile.bytes(of: Self.authorities, atMost: LocalFile.maxBytes)) ?? []
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n")
        let count = lines.count { $0 == "-----BEGIN CERTIFICATE-----" }
        guard count == 0 else { return Finding("certificates", "\(count) certificate authorities are trusted.") }
        let advice = "Install the package ca-certificates; https URLs require it."
        return Finding("certificates", "\(Self.authorities) contains no certificates.", warn: advice)
    }

    private func shared(_ redis: RedisAddress) async -> Finding {
        guard let reason = await redis.probe() else { return Finding("redis", "\(redis) responds.") }
        let advice = "Check address, password, certificates and firewalls; without Redis, the caches are not shared."
        return Finding("redis", "\(redis): \(reason).", warn: advice)
    }

    private func results(_ store: ResultStoreConfiguration) -> Finding {
        switch store.place {
        case .folder(let path):
            if let problem = FolderStore.problem(with: path) {
                let advice = "Create the folder, and give the user of the service permission to write to it."
                return Finding("result store", "\(path): \(problem).", fail: advice)
            }
            let (free, stored) = (FolderStore.freeBytes(of: path) ?? .max, FolderStore.storedBytes(in: path))
            let mebibytes = (free: free >> 20, stored: stored >> 20, limit: store.maxBytes >> 20)
            let fact =
                "\(path) can be written; it has \(mebibytes.stored) of at most \(mebibytes.limit) MiB, and "
                + "\(mebibytes.free) MiB are free."
            let isTooSmall = mebibytes.free < mebibytes.limit - mebibytes.stored
            let advice = "Lower --result-store-size, or free space; on a full disk, results are only in memory."
            return Finding("result store", fact, warn: isTooSmall ? advice : nil)
        case .bucket(let place):
            let fetching = settings.service.fetching
            guard let problem = store.problemOfBucket(fetching, now: settings.service.caches.now) else {
                return Finding("result store", "\(place.url) can be written and read.")
            }
            let advice =
                "Check the credentials, --s3-region, --s3-endpoint, and the permissions s3:GetObject, s3:PutObject, "
                + "s3:DeleteObject and s3:ListBucket; without the bucket, results are only in memory."
            return Finding("result store", "\(place.url): \(problem).", warn: advice)
        }
    }

    private func origin(_ text: String, _ fetcher: ImageFetcher) async -> Finding {
        let start = ContinuousClock.now
        do {
            let image = try await fetcher.fetch(try fetcher.url(text))
            let milliseconds = Int((.now - start) / .milliseconds(1))
            return Finding("source", "\(text) has \(image.bytes.count) bytes, fetched in \(milliseconds) ms.")
        } catch {
            return Finding("source", "\(text): \(Self.reason(error)).", fail: Self.advice(error))
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error as? FetchError {
        case .invalidURL(let reason), .invalidResponse(let reason), .unresolved(let reason),
            .unreachable(let reason, _), .nameServerFailed(let reason), .incomplete(let reason),
            .exhausted(let reason):
            reason
        case .storeRefused(let status, let reason): "status \(status), \(reason)"
        case .blocked(let reason): "not allowed, \(reason)"
        case .notFound(let status), .refused(let status), .originError(let status): "status \(status)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timeout(let stage): "timeout while waiting for the \(stage.rawValue)"
        case .retryLater(let status, let time): "status \(status), Retry-After \(time)"
        case .undecodable(let coding): "the content encoding cannot be decoded, \(coding)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .cancelled, .busy, .overBudget, nil: "\(error)"
        }
    }

    private static func advice(_ error: any Error) -> String {
        switch error as? FetchError {
        case .blocked: "Allow it with --allow-hosts, --allow-private-sources or --s3-buckets if that is safe."
        case .storeRefused: "Check the credentials, their permissions, --s3-region and --s3-endpoint."
        case .invalidURL: "Use the URL of an image, such as https://example.com/a.jpg."
        case .tooLarge: "Raise --max-source-bytes, or make the image smaller."
        case .timeout: "Raise --connect-timeout or --fetch-timeout, or check why the origin is slow."
        case .unresolved: "Check the host name."
        case .nameServerFailed: "Check this machine's name servers: /etc/resolv.conf, and the network to them."
        case .exhausted: "Raise the limit of open files (ulimit -n)."
        case .unreachable: "Check whether the host is up, and firewalls."
        default: "Try curl -v from this machine."
        }
    }
}

/// The handler of a server that only tests whether it can listen.
private struct NoRequests: HTTPHandler {
    func respond(to request: ServerRequest) async -> ServerResponse { ServerResponse(status: .serviceUnavailable) }
}
