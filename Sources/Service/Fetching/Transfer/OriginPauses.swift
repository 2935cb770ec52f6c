import Encodings
import Synchronization

/// The origins that asked, with status 429 or 503 and `Retry-After`, not to be requested for a time.
///
/// An origin is a host with its port. The table and the times are bounded, because strangers choose the origins.
package final class OriginPauses: Sendable {
    /// The longest pause; longer ones are shortened to it.
    package static let longest = Duration.seconds(300)
    /// The largest number of origins; beyond it the pause that ends first is dropped.
    static let maxCount = 1024

    private struct Pause {
        var status: Int
        var end: ContinuousClock.Instant
    }

    private let pauses = Mutex<[String: Pause]>([:])

    /// No pauses.
    package init() {}

    /// Begins a pause of at most ``longest``.
    func begin(_ host: String, status: Int, for time: Duration, now: ContinuousClock.Instant) {
        pauses.withLock { pauses in
            if pauses[host] == nil, pauses.count >= Self.maxCount {
                pauses = pauses.filter { $0.value.end > now }
                if pauses.count >= Self.maxCount, let first = pauses.min(by: { $0.value.end < $1.value.end }) {
                    pauses[first.key] = nil
                }
            }
            pauses[host] = Pause(status: status, end: now + min(time, Self.longest))
        }
    }

    /// The error of requests during a pause, with the rest of its time; nil if there is none.
    func error(for host: String, now: ContinuousClock.Instant) -> FetchError? {
        pauses.withLock { pauses in
            guard let pause = pauses[host] else { return nil }
            guard pause.end > now else {
                pauses[host] = nil
                return nil
            }
            return .retryLater(status: pause.status, after: pause.end - now)
        }
    }

    /// The time in a field `Retry-After`: seconds, or a date after that of the response; nil if there is none, or it has
    /// passed.
    static func time(_ header: ResponseHeader, now: UnixTime) -> Duration? {
        guard let value = header.repeatable(.retryAfter) else { return nil }
        let delta: DeltaSeconds
        if let seconds = DeltaSeconds(digits: value) {
            delta = seconds
        } else if let date = HTTPDate.time(value) {
            // The origin's clock may differ from this one.
            delta = date - (header.repeatable(.date).flatMap(HTTPDate.time) ?? now)
        } else {
            return nil
        }
        return delta.count > 0 ? min(.seconds(delta.count), longest) : nil
    }
}
