import Admission
import Cryptography
import Synchronization

/// Per-origin back-off, as requested with status 429 or 503 and `Retry-After`.
///
/// - The URL is not requested again, for any client.
/// - The host, with its port, is not requested again by the client that received the response.
/// - The host is not requested again by any client of a tenant (or by any client without a tenant) if, within a short
///   time, more than one client received this response for several URLs of the host. Therefore a client cannot block a
///   host for other clients, and a tenant cannot block it for other tenants.
///
/// The tables and the times are bounded, because untrusted clients choose the URLs.
package final class OriginBackoff: Sendable {
    /// Maximum length of a back-off.
    ///
    /// A longer back-off is shortened to this time.
    package static let longest = Duration.seconds(300)
    /// Maximum number of entries in each table.
    ///
    /// When a table is full, the entry that ends first is dropped.
    package static let maxCount = 1024
    /// The number of URLs of a host that must have this response, for at least two clients, to start a back-off of the
    /// host for their tenant.
    package static let urlsOfHost = 3
    /// The time window for these responses.
    package static let reportTime = Duration.seconds(10)

    private struct Pause {
        var status: Int
        var end: ContinuousClock.Instant
    }

    /// The clients that a host's back-off affects.
    private enum Scope: Hashable {
        /// One client without a tenant; nil for unknown clients.
        case client(Client?)
        /// All clients of a tenant; nil for all clients without a tenant.
        case tenant(String?)
    }

    private struct HostKey: Hashable {
        var host: String
        var scope: Scope
    }

    /// Recent responses of one host to the clients of one tenant, at most one for each of ``urlsOfHost`` URLs.
    private struct Reports {
        var all: [(url: [UInt8], client: Client?, time: ContinuousClock.Instant)] = []
        var end: ContinuousClock.Instant
    }

    private struct State {
        /// The keys are digests of URLs, which take less memory than long URLs.
        var urls: [[UInt8]: Pause] = [:]
        var hosts: [HostKey: Pause] = [:]
        var reports: [HostKey: Reports] = [:]
    }

    private let state = Mutex(State())

    /// Creates an empty table.
    package init() {}

    /// Starts a back-off of at most ``longest``.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - host: The host and port of the URL.
    ///   - client: The client of the request; nil if the client is unknown.
    ///   - status: The status of the response.
    ///   - time: The time that the origin requested.
    ///   - now: The current time.
    func begin(
        _ url: WebURL,
        of host: String,
        for client: Client?,
        status: Int,
        time: Duration,
        now: ContinuousClock.Instant
    ) {
        let pause = Pause(status: status, end: now + min(time, Self.longest))
        let digest = Self.digest(url)
        state.withLock { state in
            Self.store(pause, for: digest, in: &state.urls, end: \.end, now)
            Self.store(pause, for: HostKey(host: host, scope: .client(client)), in: &state.hosts, end: \.end, now)
            let key = HostKey(host: host, scope: .tenant(client?.tenant))
            var reports = state.reports[key] ?? Reports(end: now)
            reports.all.removeAll { $0.time + Self.reportTime <= now || $0.url == digest && $0.client == client }
            reports.all.append((digest, client, now))
            if reports.all.count > 2 * Self.urlsOfHost { reports.all = Array(reports.all.suffix(2 * Self.urlsOfHost)) }
            reports.end = now + Self.reportTime
            let urls = Set(reports.all.map(\.url))
            let clients = Set(reports.all.map(\.client))
            Self.store(reports, for: key, in: &state.reports, end: \.end, now)
            // A tenant counts as one client.
            guard urls.count >= Self.urlsOfHost, clients.count > 1 || client?.tenant != nil else { return }
            Self.store(pause, for: key, in: &state.hosts, end: \.end, now)
        }
    }

    /// Returns the error for a request during a back-off, with the remaining time; nil if the request may be sent.
    func error(
        for url: WebURL,
        of host: String,
        _ client: Client?,
        now: ContinuousClock.Instant
    ) -> FetchError? {
        let digest = Self.digest(url)
        return state.withLock { state in
            let keys = [Scope.client(client), .tenant(client?.tenant)].map { HostKey(host: host, scope: $0) }
            let pauses = [state.urls[digest]] + keys.map { state.hosts[$0] }
            let running = pauses.compactMap(\.self).filter { $0.end > now }
            guard let pause = running.max(by: { $0.end < $1.end }) else {
                state.urls[digest] = nil
                for key in keys { state.hosts[key] = nil }
                return nil
            }
            return .retryLater(status: pause.status, after: pause.end - now)
        }
    }

    private static func digest(_ url: WebURL) -> [UInt8] { SHA256.digest(of: Array(url.string.utf8)) }

    /// Stores a value, and drops values whose time has passed.
    ///
    /// If there are still too many values, it drops the value that ends first.
    private static func store<Key, Value>(
        _ value: Value,
        for key: Key,
        in table: inout [Key: Value],
        end: (Value) -> ContinuousClock.Instant,
        _ now: ContinuousClock.Instant
    ) {
        if table[key] == nil, table.count >= maxCount {
            table = table.filter { end($0.value) > now }
            if table.count >= maxCount, let first = table.min(by: { end($0.value) < end($1.value) }) {
                table[first.key] = nil
            }
        }
        table[key] = value
    }

    // MARK: Time

    /// Returns the time in a `Retry-After` field: seconds, or a date relative to the date of the response.
    ///
    /// Nil if the field is missing or its time has passed.
    static func time(_ header: ResponseHeader, now: UnixTime) -> Duration? {
        guard let value = header.repeatable(.retryAfter) else { return nil }
        let delta: DeltaSeconds
        if let seconds = DeltaSeconds(digits: value) {
            delta = seconds
        } else if let date = HTTPDate.time(value) {
            // The origin's clock may differ from the local clock.
            delta = date - (header.repeatable(.date).flatMap(HTTPDate.time) ?? now)
        } else {
            return nil
        }
        return delta.count > 0 ? min(.seconds(delta.count), longest) : nil
    }
}
