package import Pipeline
import Synchronization

/// Sources and requests that ended a worker process.
///
/// They are rejected for some time, so that they do not end all workers.
///
/// An image that crashed or compromised a worker is rejected in every request. An image that took too long is rejected
/// only in the same request, because one client's expensive request must not block the image for other clients.
///
/// Sources are identified by their length and their hash from Swift's `Hasher`, which is a 64-bit SipHash with a random
/// key in each process. The hash is fast, and clients cannot construct an image with the same hash as another image.
package final class CrashQuarantine: Sendable {
    /// The likely reason why a process ended.
    package enum Reason: Sendable {
        /// The image in any request; rejected immediately.
        case source
        /// The image in this request, which took too long; rejected immediately.
        case request
        /// The image in this request, or a signal from outside; rejected after the second time.
        case suspectedRequest
        /// The machine was probably busy; rejected after the sixth time, because the request may also have waited for
        /// something else.
        case starvedRequest

        fileprivate var weight: Int {
            switch self {
            case .source, .request: CrashQuarantine.rejectedWeight
            case .suspectedRequest: CrashQuarantine.rejectedWeight / 2
            case .starvedRequest: 1
            }
        }
    }

    private struct Key: Hashable {
        let hash: Int
        let count: Int
        /// The hash of the request; nil for all requests.
        let request: Int?
    }

    private struct Entry {
        /// The sum of the weights of the reasons.
        var weight: Int
        var until: ContinuousClock.Instant
    }

    /// The minimum weight of a rejected source or request.
    private static let rejectedWeight = 6

    private let time: Duration
    private let limit: Int
    private let entries = Mutex<[Key: Entry]>([:])
    // Avoids hashing while the quarantine is empty.
    private let isEmpty = Atomic(true)

    /// Creates a quarantine with at most `limit` entries.
    ///
    /// Each entry is a source, or a request for a source, and is rejected for `time`.
    package init(time: Duration, limit: Int) {
        self.time = time
        self.limit = limit
    }

    /// The number of quarantined sources and requests.
    package var count: Int {
        entries.withLock { entries in entries.values.count { $0.weight >= Self.rejectedWeight && $0.until > .now } }
    }

    /// Returns the remaining quarantine time of a request.
    ///
    /// - Parameters:
    ///   - source: The image's bytes.
    ///   - request: Bytes that are equal for equal requests; evaluated only while something is quarantined.
    /// - Returns: Nil if the request is not quarantined.
    package func remaining(for source: SourceBytes, _ request: @autoclosure () -> [UInt8]) -> Duration? {
        guard !isEmpty.load(ordering: .relaxed) else { return nil }
        let whole = Self.key(source)
        let keys = [whole, Self.key(whole, request())]
        return entries.withLock { entries in
            let rests = keys.compactMap { key -> Duration? in
                guard let entry = entries[key] else { return nil }
                let rest = entry.until - .now
                if rest > .zero { return entry.weight >= Self.rejectedWeight ? rest : nil }
                entries[key] = nil
                return nil
            }
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
            return rests.max()
        }
    }

    /// Records a reason to quarantine a source, or a request for the source.
    package func add(_ source: SourceBytes, _ request: [UInt8], _ reason: Reason) {
        let whole = Self.key(source)
        let key = reason == .source ? whole : Self.key(whole, request)
        let now = ContinuousClock.now
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= limit {
                entries = entries.filter { $0.value.until > now }
                if entries.count >= limit, let oldest = entries.min(by: { $0.value.until < $1.value.until }) {
                    entries[oldest.key] = nil
                }
            }
            let before = entries[key].map { $0.until > now ? $0.weight : 0 } ?? 0
            // The weight is capped, because the same source may be added any number of times.
            entries[key] = Entry(weight: min(Self.rejectedWeight, before + reason.weight), until: now + time)
            isEmpty.store(false, ordering: .relaxed)
        }
    }

    private static func key(_ source: SourceBytes) -> Key {
        var hasher = Hasher()
        source.withUnsafeBytes { hasher.combine(bytes: $0) }
        return Key(hash: hasher.finalize(), count: source.count, request: nil)
    }

    private static func key(_ whole: Key, _ request: [UInt8]) -> Key {
        var hasher = Hasher()
        request.withUnsafeBytes { hasher.combine(bytes: $0) }
        return Key(hash: whole.hash, count: whole.count, request: hasher.finalize())
    }
}
