package import Pipeline
import Synchronization

/// The jobs that ended a worker process, so that they are not tried on all workers in turn.
///
/// A picture whose bytes crashed a worker, or took it over, is refused whatever is asked of it. One that took too long is
/// refused for the same request only: the request may be what was expensive, and whoever makes expensive requests must
/// not have the picture refused for everyone else.
///
/// Sources are told apart by SipHash with a key that is drawn when the process starts, which is what Swift's `Hasher` is:
/// it is fast, and nobody outside can make another picture have the same hash, be it to have that one refused. Chance has
/// 64 bits and the length against it.
package final class RefusedSources: Sendable {
    /// What ended a process.
    package enum Offence: Sendable {
        /// The bytes, whatever was asked: refused at once.
        case source
        /// The bytes with this request, which took too long: refused at once.
        case request
        /// Perhaps the bytes with this request, perhaps somebody who kills processes: refused when it happens twice.
        case suspectedRequest

        fileprivate var weight: Int { self == .suspectedRequest ? 1 : 2 }
    }

    private struct Key: Hashable {
        let hash: Int
        let count: Int
        /// Of what was asked; nil for whatever is asked.
        let request: Int?
    }

    private struct Entry {
        /// What weighs against the source; it is refused from 2 on.
        var weight: Int
        var until: ContinuousClock.Instant
    }

    private let time: Duration
    private let limit: Int
    private let entries = Mutex<[Key: Entry]>([:])
    // So that a service in which nothing went wrong hashes nothing.
    private let isEmpty = Atomic(true)

    /// Refuses each of at most `limit` sources, or requests for one, for `time`.
    package init(time: Duration, limit: Int) {
        self.time = time
        self.limit = limit
    }

    /// How many are refused now.
    package var count: Int {
        entries.withLock { entries in entries.values.count { $0.weight >= 2 && $0.until > .now } }
    }

    /// For how long a request is refused.
    ///
    /// - Parameters:
    ///   - source: The picture's bytes.
    ///   - request: Bytes that are equal for equal requests; asked for only while something is refused.
    /// - Returns: Nil when it is not refused.
    package func remaining(for source: SourceBytes, _ request: @autoclosure () -> [UInt8]) -> Duration? {
        guard !isEmpty.load(ordering: .relaxed) else { return nil }
        let whole = Self.key(source)
        let keys = [whole, Self.key(whole, request())]
        return entries.withLock { entries in
            let rests = keys.compactMap { key -> Duration? in
                guard let entry = entries[key] else { return nil }
                let rest = entry.until - .now
                if rest > .zero { return entry.weight >= 2 ? rest : nil }
                entries[key] = nil
                return nil
            }
            isEmpty.store(entries.isEmpty, ordering: .relaxed)
            return rests.max()
        }
    }

    /// Notes what a source, or a request for it, did.
    package func add(_ source: SourceBytes, _ request: [UInt8], _ offence: Offence) {
        let whole = Self.key(source)
        let key = offence == .source ? whole : Self.key(whole, request)
        let now = ContinuousClock.now
        entries.withLock { entries in
            if entries[key] == nil, entries.count >= limit {
                entries = entries.filter { $0.value.until > now }
                if entries.count >= limit, let oldest = entries.min(by: { $0.value.until < $1.value.until }) {
                    entries[oldest.key] = nil
                }
            }
            let before = entries[key].map { $0.until > now ? $0.weight : 0 } ?? 0
            // Not a sum: it would grow without end for one that is refused and tried again.
            entries[key] = Entry(weight: min(2, before + offence.weight), until: now + time)
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
