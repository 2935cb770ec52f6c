package import Admission
package import Logging
import UntrustedText

/// Fetches images by URLs that untrusted clients choose.
///
/// Transfers block, so each one runs on the thread of its slot, never on Swift's cooperative pool. This class follows
/// redirects instead of libcurl, because every hop needs the same checks as the first URL. Every request contains `Via:
/// 1.1 headroom`, so that a server can detect requests to itself.
package final class ImageFetcher: Sendable {
    /// The pseudonym in the `Via` field of every request (RFC 9110 §7.6.3).
    package static let viaPseudonym = "headroom"

    /// The memory budget of fetched bodies in bytes.
    ///
    /// A body uses it from its arrival until ``FetchedImage/share`` is released.
    package let budget: ByteBudget
    /// The limits and the rules of fetches.
    package let configuration: FetchConfiguration
    private let queue: DeadlineQueue<FairOrder, FetchSlot>
    /// Creates a slot outside the queue, for streams.
    let makeSlot: @Sendable () -> FetchSlot
    private let time: QueueTime
    private let logger: Logger

    /// Creates a fetcher.
    ///
    /// ``FetchConfiguration/problems()`` of its configuration must be empty.
    ///
    /// - Parameters:
    ///   - configuration: The limits.
    ///   - policy: The allowed addresses, which also apply to pinned hosts; nil for only public addresses, unless the
    ///     configuration allows private addresses.
    ///   - pinnedHosts: Addresses of names that are not resolved by DNS; called for every hop.
    ///   - openSocket: Replaces socket(2).
    ///   - time: Replaces the clock of deadlines and the timer of the queue.
    ///   - logger: Receives refusals (notice), a lack of descriptors (warning) and failures (debug), with URLs but
    ///     without their queries.
    package init(
        configuration: FetchConfiguration,
        policy: AddressPolicy? = nil,
        pinnedHosts: @autoclosure @escaping @Sendable () -> [PinnedHost] = [],
        openSocket: @escaping ConnectionGate.OpenSocket = ConnectionGate.systemSocket,
        time: QueueTime = .system,
        logger: Logger = Logger(label: "headroom.source")
    ) {
        let problems = configuration.problems()
        // bounded: settings of the operator, which were validated before
        precondition(problems.isEmpty, problems.joined(separator: "; "))
        self.configuration = configuration
        self.logger = logger
        // While a body of unknown length moves to a larger buffer, both buffers use the budget.
        let budget = ByteBudget(limit: configuration.maxBytesInHand, minimum: 2 * configuration.maxBytes)
        self.budget = budget
        let policy = policy ?? (configuration.allowsPrivateSources ? .privateAllowed : .publicOnly)
        let pauses = OriginBackoff()
        let makeSlot: @Sendable () -> FetchSlot = {
            FetchSlot(
                configuration: configuration,
                policy: policy,
                budget: budget,
                openSocket: openSocket,
                pinnedHosts: pinnedHosts,
                pauses: pauses,
                now: time.now
            )
        }
        self.makeSlot = makeSlot
        self.time = time
        let slotsPerHost = configuration.slotsPerHost ?? (configuration.slots + 1) / 2
        // The most recently used slot is used first, because its connections are most likely to be open.
        self.queue = DeadlineQueue(
            // bounded: at least one, as checked above
            places: (0..<configuration.slots).map { _ in makeSlot() },
            waitingLimit: configuration.waitingLimit,
            order: FairOrder(slotsPerHost: slotsPerHost, slotsPerClient: configuration.slotsPerClient),
            time: time
        )
    }

    /// The number of running fetches, and the number of fetches that wait for one of ``FetchConfiguration/slots``.
    package var load: (running: Int, waiting: Int) { queue.load }

    private init(_ other: ImageFetcher, configuration: FetchConfiguration) {
        self.configuration = configuration
        makeSlot = other.makeSlot
        budget = other.budget
        queue = other.queue
        time = other.time
        logger = other.logger
    }

    /// Creates a fetcher with new rules that shares the slots and connections of this fetcher.
    ///
    /// Fetches in progress keep their rules.
    ///
    /// - Returns: The fetcher for subsequent requests; nil if the rules have not changed.
    package func adopting(_ rules: FetchRules) -> ImageFetcher? {
        guard rules != configuration.rules else { return nil }
        var configuration = configuration
        configuration.rules = rules
        return ImageFetcher(self, configuration: configuration)
    }

    /// Fetches the body of a URL, following redirects.
    ///
    /// Cancelling the task ends the transfer and closes its connection immediately.
    ///
    /// - Parameters:
    ///   - url: The first URL.
    ///   - conditions: Validators for a conditional request; nil for an unconditional request.
    ///   - traceParent: The `traceparent` field of every request, visible ASCII; nil for none.
    ///   - part: The requested byte range of an object, at least one byte; nil for the whole object. Only for
    ///   ``SourceURL/object(_:)``.
    ///   - client: The client that is charged for the fetch when slots and ``budget`` are distributed; nil if the
    ///     client is unknown.
    ///   - limits: The client's own limits.
    ///   - deadline: The deadline of the fetch, if earlier than ``FetchConfiguration/timeout`` from now.
    /// - Returns: The body of a 200, a 203 or a complete 206. It is not empty, is complete according to HTTP, and has
    ///   at most ``FetchConfiguration/maxBytes`` and ``FetchLimits/maxBytes``. With conditions, the result may instead
    ///   report that the source has not changed.
    /// - Throws: Any ``FetchError``. ``FetchError/busy(retryAfter:)`` is thrown immediately if no slot becomes free in
    ///   time; ``FetchError/overBudget(limit:)`` is thrown before the body is received if ``budget`` does not have
    ///   enough memory left.
    package func fetch(
        _ url: SourceURL,
        unless conditions: FetchConditions? = nil,
        traceParent: String? = nil,
        part: Range<Int>? = nil,
        for client: Client? = nil,
        _ limits: FetchLimits = FetchLimits(),
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(FetchError) -> FetchedImage {
        // The response to a conditional request usually does not have a body, so no memory is reserved.
        let minimum = conditions == nil ? min(BoundedBytes.firstRoom, configuration.maxBytes) : 0
        guard budget.hasRoom(for: minimum, of: client) else { throw .overBudget(limit: budget.limit) }
        let timeout = time.now() + configuration.timeout
        let job = FetchJob(
            url: url,
            conditions: conditions,
            traceParent: traceParent,
            client: client,
            host: FetchJob.host(of: url),
            rules: configuration.rules,
            part: part,
            outlet: configuration.rules.outlet,
            hostFields: configuration.rules.hostFields,
            deadline: deadline.map { min($0, timeout) } ?? timeout,
            maxBytes: limits.maxBytes,
            refusal: { [configuration] in configuration.refusal(of: $0) ?? limits.refusal(of: $0) }
        )
        do throws(FetchError) {
            return try await run(job)
        } catch {
            log(error, for: url)
            throw error
        }
    }

    private func run(_ job: FetchJob) async throws(FetchError) -> FetchedImage {
        let result: Result<FetchedImage, FetchError>
        do {
            result = try await queue.run(job, by: job.deadline, job.cancellation) { slot, end in
                slot.run(job) { end($0, true) }
            }
        } catch .busy(let retryAfter) {
            throw .busy(retryAfter: retryAfter)
        } catch {
            throw .cancelled
        }
        return try result.get()
    }

    /// Returns the reason why a URL is refused regardless of its addresses; see ``FetchConfiguration/refusal(of:)``.
    package func refusal(of url: SourceURL) -> FetchRefusal? { configuration.refusal(of: url) }

    /// The maximum size of a body, in bytes.
    package var maxBytes: Int { configuration.maxBytes }

    package var allowsPrivateSources: Bool { configuration.allowsPrivateSources }

    /// A key for shared caches of sources.
    ///
    /// Two fetchers with equal keys get the same source for every URL that both may fetch, except for `local:` URLs.
    package var reach: String {
        let web = configuration.allowsPrivateSources ? "private" : "public"
        let rules = configuration.rules
        let services = [rules.s3?.service, rules.google?.service, rules.azure?.service]
        return ([web] + services.compactMap(\.self)).joined(separator: " ")
    }

    /// Whether a text is a relative URL, and this service has a base URL for it.
    package func resolves(_ text: String) -> Bool { configuration.base != nil && BaseURL.isShort(text) }

    /// Whether a client's text contains the host or bucket of its source, so that a response may name them.
    ///
    /// False for a relative URL, for an encrypted URL, and for a URL that a rule rewrites.
    package func namesOrigin(_ text: String) -> Bool {
        !BaseURL.isShort(text) && !URLCipher.isEncrypted(text) && !configuration.rules.rewrites.apply(to: text)
    }

    /// Parses a client's URL.
    ///
    /// The URL may still be refused when it is fetched.
    ///
    /// An encrypted URL is decrypted first; then a rule of ``FetchRules/rewrites`` is applied.
    ///
    /// - Parameter text: An absolute URL, an encrypted URL or, with ``FetchConfiguration/base``, a relative URL.
    /// - Returns: A URL with a scheme that this service fetches.
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller, including for other schemes.
    ///   ``FetchError/blocked(_:)`` for every invalid encrypted URL, without the cause, which could help an attacker to
    ///   guess keys and texts.
    package func url(_ text: String) throws(FetchError) -> SourceURL {
        guard URLCipher.isEncrypted(text) else { return try plainURL(text) }
        guard let cipher = configuration.rules.cipher else {
            throw .invalidURL(
                "this service does not accept encrypted URLs, which require --source-encryption-keys-file"
            )
        }
        guard let opened = cipher.opened(text), let url = try? plainURL(opened) else { throw Self.invalidEncryptedURL }
        return url
    }

    /// The error for every invalid encrypted URL.
    package static let invalidEncryptedURL = FetchError.blocked("the encrypted URL is not valid")

    private func plainURL(_ text: String) throws(FetchError) -> SourceURL {
        if BaseURL.isShort(text), let base = configuration.base { return try base.resolved(text) }
        let rewritten = try configuration.rules.rewrites.rewritten(text)
        if rewritten == nil, text.bytes.hasPrefix("/"), !text.bytes.hasPrefix("//") {
            throw .invalidURL("this service does not accept relative URLs, which require --base-url")
        }
        let url = try SourceURL(rewritten ?? text)
        let setting: String? =
            switch url {
            case .web: nil
            case .object(let object):
                configuration.rules.buckets(of: object.scheme) == nil ? object.scheme.setting : nil
            case .file: configuration.localFolder == nil ? "--local-root" : nil
            }
        if let setting {
            throw .invalidURL("this service does not accept \(url.scheme): URLs, which require \(setting)")
        }
        return url
    }

    /// The URLs that ``url(_:)`` accepts, for messages, such as `the http or https address of an image`.
    package var acceptedAddresses: String {
        var schemes = ["http", "https"]
        schemes += configuration.rules.objectSchemes.map(\.rawValue)
        if configuration.localFolder != nil { schemes.append("local") }
        let list = schemes.dropLast().joined(separator: ", ") + " or " + (schemes.last ?? "")
        let short = configuration.base == nil ? "" : ", or its path"
        return "the \(list) address of an image\(short)"
    }

    func log(_ error: FetchError, for url: SourceURL) {
        switch error {
        case .cancelled: break
        case .blocked, .storeRefused:
            logger.notice("source rejected", metadata: ["url": "\(url)", "reason": "\(error)"])
        case .exhausted, .nameServerFailed:
            logger.warning("source not fetched", metadata: ["url": "\(url)", "reason": "\(error)"])
        default: logger.debug("fetch failed", metadata: ["url": "\(url)", "reason": "\(error)"])
        }
    }
}

/// Fetches of streams: endless bodies, such as the streams of cameras.
extension ImageFetcher {
    /// Fetches the body of a URL and passes it on while it arrives, under the same rules as every other fetch.
    ///
    /// It uses its own thread and connections, so that a camera does not occupy a slot for images. The caller must
    /// limit the number of streams. A body with a content coding is refused. Cancelling the task ends the transfer and
    /// closes its connection immediately.
    ///
    /// - Parameters:
    ///   - url: The first URL, which must be a web URL.
    ///   - traceParent: The `traceparent` field of every request, visible ASCII; nil for none.
    ///   - client: The client for the back-off of origins; nil if the client is unknown.
    ///   - limits: The fetch limits of the client; ``FetchLimits/maxBytes`` does not apply.
    ///   - deadline: The latest end of the stream.
    ///   - sink: Receives the body of a 200.
    /// - Throws: A ``FetchError`` unless the body was complete; ``FetchError/cancelled`` if the sink ended the
    ///   transfer.
    package func stream(
        _ url: SourceURL,
        traceParent: String? = nil,
        for client: Client? = nil,
        _ limits: FetchLimits = FetchLimits(),
        by deadline: ContinuousClock.Instant,
        into sink: BodySink
    ) async throws(FetchError) {
        guard case .web = url else { throw .invalidURL("a stream requires an http or https URL") }
        let job = FetchJob(
            url: url,
            traceParent: traceParent,
            client: client,
            host: FetchJob.host(of: url),
            outlet: configuration.rules.outlet,
            hostFields: configuration.rules.hostFields,
            deadline: deadline,
            refusal: { [self] in refusal(of: $0) ?? limits.refusal(of: $0) },
            sink: sink
        )
        let slot = makeSlot()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in slot.run(job) { continuation.resume(returning: $0) } }
        } onCancel: {
            job.cancellation.cancel()
        }
        do {
            _ = try result.get()
        } catch {
            log(error, for: url)
            throw error
        }
    }
}
