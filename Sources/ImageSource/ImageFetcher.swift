package import Logging

/// Fetches images by URL for strangers who choose the URL.
///
/// Transfers block, so each runs on a thread of its own slot and never on Swift's cooperative pool. Redirects are
/// followed here, not by libcurl, because every hop has to pass the same checks as the first URL.
/// Every request says `Via: 1.1 headroom`, so that a server can tell that it is being asked to fetch from itself.
package final class ImageFetcher: Sendable {
    /// The pseudonym in the `Via` field of every request (RFC 9110 §7.6.3).
    package static let viaPseudonym = "headroom"

    private let configuration: Configuration
    private let queue: FetchQueue
    private let logger: Logger

    /// A fetcher that contacts public addresses only, unless the configuration allows private ones.
    ///
    /// - Parameters:
    ///   - configuration: Limits; ``Configuration/problems()`` must be empty.
    ///   - logger: Gets refusals (notice) and failures (debug), with URLs but without their queries.
    package convenience init(configuration: Configuration, logger: Logger = Logger(label: "headroom.source")) {
        let policy = configuration.allowsPrivateSources ? AddressPolicy.privateAllowed : .publicOnly
        self.init(configuration: configuration, policy: policy, logger: logger)
    }

    /// A fetcher with an address policy and names of its own.
    ///
    /// - Parameters:
    ///   - configuration: Limits; ``Configuration/problems()`` must be empty.
    ///   - policy: Which addresses may be contacted, pinned ones included.
    ///   - pinnedHosts: Names that are not looked up; asked anew for every hop, as a name server would be.
    ///   - logger: See ``init(configuration:logger:)``.
    package init(
        configuration: Configuration,
        policy: AddressPolicy,
        pinnedHosts: @autoclosure @escaping @Sendable () -> [PinnedHost] = [],
        logger: Logger = Logger(label: "headroom.source")
    ) {
        let problems = configuration.problems()
        precondition(problems.isEmpty, problems.joined(separator: "; "))
        self.configuration = configuration
        self.logger = logger
        self.queue = FetchQueue(slots: configuration.slots, waitingLimit: configuration.waitingLimit) {
            FetchSlot(configuration: configuration, policy: policy, pinnedHosts: pinnedHosts)
        }
    }

    /// How many fetches run, and how many wait for one of ``Configuration/slots``.
    package var load: (running: Int, waiting: Int) { queue.load }

    private init(configuration: Configuration, queue: FetchQueue, logger: Logger) {
        self.configuration = configuration
        self.queue = queue
        self.logger = logger
    }

    /// A fetcher that may ask other hosts, and shares its slots and connections with this one.
    ///
    /// Fetches that have begun go on by the rules that they began with.
    ///
    /// - Parameter hosts: As ``Configuration/allowedHosts``.
    /// - Returns: What to fetch with from now on.
    package func allowing(_ hosts: [HostPattern]?) -> ImageFetcher {
        var configuration = configuration
        configuration.allowedHosts = hosts
        return ImageFetcher(configuration: configuration, queue: queue, logger: logger)
    }

    /// Fetches the bytes behind a URL, following redirects.
    ///
    /// Cancelling the task ends the transfer and closes its connection at once.
    ///
    /// - Parameters:
    ///   - url: Where to begin.
    ///   - conditions: What is had already, if anything.
    ///   - traceParent: The `traceparent` field of every request, if there is to be one: visible ASCII.
    ///   - deadline: When it must be over, if that is sooner than ``Configuration/timeout`` from now.
    /// - Returns: The body of a 200, complete as far as HTTP can tell, of at most ``Configuration/maxBytes``; or, only
    ///   with conditions, that nothing has changed.
    /// - Throws: Any ``FetchError``; ``FetchError/busy(retryAfter:)`` at once when no slot will be free in time.
    package func fetch(
        _ url: SourceURL,
        unless conditions: FetchConditions? = nil,
        traceParent: String? = nil,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(FetchError) -> FetchedImage {
        let timeout = ContinuousClock.now + configuration.timeout
        let job = FetchJob(
            url: url,
            conditions: conditions,
            traceParent: traceParent,
            deadline: deadline.map { min($0, timeout) } ?? timeout,
            refusal: configuration.refusal(of:)
        )
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.submit(job, continuation: continuation)
            }
        } onCancel: {
            queue.cancel(job)
        }
        do {
            return try result.get()
        } catch {
            log(error, for: url)
            throw error
        }
    }

    /// See ``Configuration/allowedHosts``.
    package var allowedHosts: [HostPattern]? { configuration.allowedHosts }

    /// Why a URL would not be fetched, whatever its name leads to; see ``Configuration/refusal(of:)``.
    package func refusal(of url: SourceURL) -> String? { configuration.refusal(of: url) }

    /// The largest body in bytes.
    package var maxBytes: Int { configuration.maxBytes }

    /// Whether private addresses may be contacted.
    package var allowsPrivateSources: Bool { configuration.allowsPrivateSources }

    private func log(_ error: FetchError, for url: SourceURL) {
        switch error {
        case .cancelled: break
        case .blocked: logger.notice("source refused", metadata: ["url": "\(url)", "reason": "\(error)"])
        default: logger.debug("fetch failed", metadata: ["url": "\(url)", "reason": "\(error)"])
        }
    }
}

/// Addresses that a name stands for, instead of what the name server says.
package struct PinnedHost: Sendable {
    /// The name, as in the URL, in lower case.
    package let host: String
    /// The port for which this holds.
    package let port: Int
    /// Tried in this order, and only as far as the ``AddressPolicy`` lets them.
    package let addresses: [IPAddress]

    /// Pins a name.
    package init(host: String, port: Int, addresses: [IPAddress]) {
        self.host = host
        self.port = port
        self.addresses = addresses
    }
}
