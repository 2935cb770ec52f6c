import Admission
import CCurl
import Dispatch
import Glibc
import TotalFunctions

/// A thread that fetches one job at a time, with its persistent connections.
///
/// Unchecked because only blocks on `thread`, a serial queue, use the mutable state.
final class FetchSlot: @unchecked Sendable {
    /// A serial queue without a target.
    ///
    /// Dispatch runs it on its own thread while it has work.
    private let thread = DispatchQueue(label: "headroom.fetch")
    let configuration: FetchConfiguration
    private let policy: AddressPolicy
    let budget: ByteBudget
    private let pinnedHosts: @Sendable () -> [PinnedHost]
    private let pauses: OriginBackoff
    private let now: @Sendable () -> ContinuousClock.Instant
    let gate: ConnectionGate
    let receiver: ResponseReceiver
    /// Created by the first fetch, because connections need file descriptors.
    private lazy var connections = CurlConnections()
    /// Connections to the service of `s3:` URLs.
    ///
    /// The service may have a private address, so requests for other URLs must not use these connections.
    private lazy var storeConnections = CurlConnections()

    init(
        configuration: FetchConfiguration,
        policy: AddressPolicy,
        budget: ByteBudget,
        openSocket: @escaping ConnectionGate.OpenSocket,
        pinnedHosts: @escaping @Sendable () -> [PinnedHost],
        pauses: OriginBackoff,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.pauses = pauses
        self.now = now
        self.configuration = configuration
        self.policy = policy
        self.budget = budget
        self.pinnedHosts = pinnedHosts
        self.gate = ConnectionGate(policy: policy, openSocket: openSocket)
        self.receiver = ResponseReceiver(maxBytes: configuration.maxBytes, budget: budget)
    }

    /// Fetches on the slot's thread and calls `completion` on this thread.
    func run(_ job: FetchJob, completion: @escaping @Sendable (Result<FetchedImage, FetchError>) -> Void) {
        thread.async { [self] in
            let connections = pool(for: job)
            let outcome = job.cancellation.withHandler({ connections?.wake() }) {
                Result { () throws(FetchError) in try fetch(job) }
            }
            // Releases the receiver's reference to the bytes of the image.
            receiver.reset()
            completion(outcome)
        }
    }

    func maxBytes(of job: FetchJob) -> Int { min(configuration.maxBytes, job.maxBytes ?? .max) }

    /// Returns the connections that a job uses; nil for a local file.
    private func pool(for job: FetchJob) -> CurlConnections? {
        switch job.url {
        case .web: connections
        case .object: storeConnections
        case .file: nil
        }
    }

    private func fetch(_ job: FetchJob) throws(FetchError) -> FetchedImage {
        if let reason = job.refusal(job.url) { throw .blocked(reason) }
        receiver.sink = job.sink
        receiver.client = job.client
        receiver.maxBytes = maxBytes(of: job)
        defer { receiver.sink = nil }
        return switch job.url {
        case .web(let url): try follow(url, for: job)
        case .object(let object): try fetch(object, for: job)
        case .file(let file): try read(file, for: job)
        }
    }

    private func follow(_ first: WebURL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        var url = first
        var cookies = FetchCookies()
        for redirects in 0...configuration.maxRedirects {
            switch try request(url, cookies, for: job) {
            case .received(let isUnchanged):
                return FetchedImage(receiver, isUnchanged: isUnchanged, url: .web(url), redirects: redirects)
            case .redirected(let location):
                cookies.take(receiver.header.cookies, from: url)
                url = try url.redirected(to: location)
            }
            if let reason = job.refusal(.web(url)) { throw .blocked(FetchRefusal(redirectTo: url, reason)) }
        }
        throw .tooManyRedirects(limit: configuration.maxRedirects)
    }

    private enum Response {
        case received(isUnchanged: Bool)
        case redirected(to: String)
    }

    /// Makes one request.
    ///
    /// Stores a decoded body or a 304 in the receiver.
    private func request(_ url: WebURL, _ cookies: FetchCookies, for job: FetchJob) throws(FetchError) -> Response {
        let host = FetchJob.host(of: .web(url))
        if let pause = pauses.error(for: url, of: host, job.client, now: now()) { throw pause }
        let conditions = job.conditions?.url == .web(url) ? job.conditions : nil
        receiver.keepsErrors = false
        receiver.acceptsParts = false
        var policy = policy
        if job.outlet.proxy(for: url) != nil {
            // The connection goes to the proxy that the operator has configured.
            let allowsLocalNames = configuration.allowsPrivateSources
            if let reason = FetchOutlet.refusal(of: url, policy, allowsLocalNames: allowsLocalNames) {
                throw .blocked(reason)
            }
            policy = .privateAllowed
        }
        try transfer(url, conditions, policy, cookie: cookies.field(for: url), of: job)
        let status = receiver.header.status
        switch status {
        case 200, 203,
            206 where receiver.header.wholePart != nil:
            try receiver.finishBody()
            return .received(isUnchanged: false)
        case 304 where conditions != nil: return .received(isUnchanged: true)
        case 301, 302, 303, 307, 308:
            guard let location = receiver.header[.location] else {
                throw .invalidResponse("status \(receiver.header.status) without a location")
            }
            return .redirected(to: location)
        case 404, 410: throw .notFound(status: receiver.header.status)
        case 429, 503:
            if let time = OriginBackoff.time(receiver.header, now: UnixTime(clamping: Glibc.time(nil))) {
                pauses.begin(url, of: host, for: job.client, status: status, time: time, now: now())
                throw .retryLater(status: status, after: time)
            }
            throw status == 429 ? .refused(status: status) : .originError(status: status)
        case 400...499: throw .refused(status: receiver.header.status)
        case 500...599: throw .originError(status: receiver.header.status)
        default: throw .invalidResponse("status \(receiver.header.status)")
        }
    }

    /// Makes one request with the header fields of a signature, and stores the response in the receiver.
    ///
    /// - Throws: A ``FetchError`` if no response was received; a response may have any status.
    func transfer(
        _ url: WebURL,
        _ conditions: FetchConditions?,
        _ policy: AddressPolicy,
        cookie: String? = nil,
        signature: [(name: String, value: String)] = [],
        of job: FetchJob
    ) throws(FetchError) {
        gate.reset(policy)
        receiver.reset()
        // libcurl and the resolver open several descriptors and do not report which one failed.
        if let shortage = gate.findShortage() { throw .exhausted(shortage) }
        let transfer = makeTransfer(for: url, conditions, cookie, signature, of: job)
        guard let connections = pool(for: job),
            let code = connections.perform(transfer, until: { job.cancellation.isCancelled })
        else { throw .cancelled }
        if let failure = receiver.failure { throw failure }
        guard code == CURLE_OK || receiver.hasBodilessResponse else {
            throw TransferError.of(code, transfer, gate, receiver) { message in
                // The operator configured the S3 service, so its name exists, and the name server must have failed.
                if case .object = job.url { return .nameServerFailed(message) }
                let limit = min(configuration.connectTimeout, max(.zero, job.deadline - now()))
                return configuration.names.error(for: url.host, message, within: limit) { job.cancellation.isCancelled }
            }
        }
        // libcurl accepts a response whose connection ended inside the header.
        guard receiver.header.isComplete || receiver.header.status == 101 else {
            throw .incomplete("the header ended early")
        }
    }

    private func makeTransfer(
        for url: WebURL,
        _ conditions: FetchConditions?,
        _ cookie: String?,
        _ signature: [(name: String, value: String)],
        of job: FetchJob
    ) -> CurlTransfer {
        var transfer = CurlTransfer()
        transfer.restrictToPlainHTTP()
        transfer.use(job.outlet, for: url)
        transfer.describeRequest(
            configuration,
            conditions,
            traceParent: job.traceParent,
            cookie: cookie,
            hostFields: signature.isEmpty ? job.hostFields.fields(for: url) : [],
            signature: signature
        )
        transfer.pin(pinnedHosts())
        transfer.attach(gate: gate, receiver: receiver)
        transfer.set(CURLOPT_URL, to: url.string)
        transfer.set(CURLOPT_TIMEOUT_MS, to: job.deadline - now())
        if let sink = job.sink {
            // libcurl ends a transfer if its mean rate, in bytes per second, stays below the limit for this time.
            transfer.set(CURLOPT_LOW_SPEED_LIMIT, to: 1)
            transfer.set(CURLOPT_LOW_SPEED_TIME, to: max(1, Int(clamping: (sink.idleTime / .seconds(1)).rounded(.up))))
        }
        transfer.set(CURLOPT_CONNECTTIMEOUT_MS, to: configuration.connectTimeout)
        return transfer
    }
}

/// Fetches from the operator's own sources: the S3 service and the folder of local files.
extension FetchSlot {
    private static let reading =
        "the permission s3:GetObject (s3:GetObjectVersion for a version), and s3:ListBucket, without which a missing "
        + "object gives 403 instead of 404"

    /// Fetches an object.
    ///
    /// The service may have a private address, and its redirects are not followed.
    func fetch(_ object: S3URL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        let conditions = job.conditions?.url == job.url ? job.conditions : nil
        let request = try request(for: object, job, conditions)
        receiver.keepsErrors = true
        receiver.acceptsParts = job.part != nil
        try transfer(request.url, conditions, .privateAllowed, signature: request.fields, of: job)
        let status = receiver.header.status
        switch status {
        case 200 where job.part == nil, 206 where job.part?.count == receiver.body.count:
            try receiver.finishBody()
            return FetchedImage(receiver, isUnchanged: false, url: job.url, redirects: 0)
        case 206: throw .incomplete("the object ends before the requested range")
        case 304 where conditions != nil: return FetchedImage(receiver, isUnchanged: true, url: job.url, redirects: 0)
        default: throw refusal(of: object, job)
        }
    }

    /// Returns the URL and the header fields of a request for an object.
    private func request(
        for object: S3URL,
        _ job: FetchJob,
        _ conditions: FetchConditions?
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        let range = job.part.map { "bytes=\($0.lowerBound)-\($0.upperBound - 1)" }
        let now = UnixTime(clamping: time(nil))
        let (s3, google, azure) = (job.rules.s3, job.rules.google, job.rules.azure)
        switch object.scheme {
        case .s3:
            if let s3 { return try s3.request(for: object, at: now, others: range.map { ["range": $0] } ?? [:]) }
        case .google: if let google { return try google.request(for: object, range: range) }
        case .azure:
            let (etag, lastModified) = (conditions?.etag, conditions?.lastModified)
            if let azure {
                return try azure.request(for: object, at: now, etag: etag, lastModified: lastModified, range: range)
            }
        }
        throw .blocked(
            FetchRefusal("\(object.scheme.rawValue): URLs are disabled; set \(object.scheme.setting)")
        )
    }

    /// Returns the error for an unexpected status in the response of an object's service.
    private func refusal(of object: S3URL, _ job: FetchJob) -> FetchError {
        if object.scheme == .s3, let s3 = job.rules.s3 { return S3Refusal.error(receiver, s3, needing: Self.reading) }
        return S3Refusal.error(receiver, of: object.scheme)
    }

    func read(_ file: LocalURL, for job: FetchJob) throws(FetchError) -> FetchedImage {
        guard let folder = configuration.localFolder else {
            throw .blocked("local: URLs are disabled; set --local-root")
        }
        // Opening the file uses a descriptor, and some descriptors must remain for the rest of the process.
        if let shortage = gate.findShortage() { throw .exhausted(shortage) }
        let known = job.conditions?.url == job.url ? job.conditions?.etag : nil
        let content = try LocalFile.read(
            file,
            below: folder,
            unless: known,
            atMost: maxBytes(of: job),
            budget,
            for: job.client
        )
        return FetchedImage(content, url: job.url)
    }
}
