import Caching
import Cryptography
import Dispatch
import Encodings
import Fetching
import Synchronization
import UntrustedText

/// A bucket of an S3-compatible service that keeps values, each in one object in the format of ``StoredEntry``.
///
/// The bucket's lifecycle rule limits its size: it deletes objects after the lifetime of values. A purge is an object
/// whose key contains its time and a label. When a process looks up values, it lists the purges of other processes, at
/// most once per ``listInterval``. It does not return values if its list is older than ``listLifetime``.
final class BucketStore: StoreBackend {
    /// The time between two lists of purges, in seconds.
    static let listInterval = 10
    /// The maximum age of the list of purges, in seconds.
    static let listLifetime = 30
    /// Purges up to this many seconds older than the latest purge are listed again, because clocks differ.
    static let listOverlap = 120
    /// Values whose computation began up to this many seconds after a purge are hidden, because clocks differ.
    static let margin = 5
    /// The maximum number of purged labels in memory.
    ///
    /// With more labels, the store does not return values.
    static let maxLabels = 200_000
    /// Time limits of one request to the service, and of opening a connection.
    ///
    /// A write gets an additional second for each MiB.
    static let requestTimeout = Duration.seconds(2), connectTimeout = Duration.seconds(1)

    /// The number of values that are written at the same time.
    static let maxWriters = 4

    private struct State {
        /// The time of the latest purge of each label.
        var purges: [String: Int] = [:]
        /// The latest time in a list of purges.
        var latest = 0
        /// The time of the last complete listing; nil before the first.
        var listedAt: Int?
        var isListing = false
        var damaged = 0
    }

    let name: String
    let maxValueBytes = 8 << 20
    let writers = BucketStore.maxWriters
    private let store: ObjectStore
    private let place: ObjectPlace
    private let lifetime: Int
    private let now: @Sendable () -> Int
    private let state = Mutex(State())
    private let lists = DispatchQueue(label: "headroom.store.purges", qos: .utility)

    /// Creates a store; nil without a configured service.
    ///
    /// - Parameters:
    ///   - place: The bucket, and the prefix of all keys.
    ///   - service: The S3 service that contains the bucket.
    ///   - fetching: The network route and the name of the program.
    ///   - lifetime: The lifetime of values in seconds, at most ``StoredEntry/maxLifetime``.
    ///   - now: The clock, in seconds since 1970.
    init?(
        _ place: ObjectPlace,
        of service: S3Configuration,
        _ fetching: FetchConfiguration,
        lifetime: Int,
        now: @escaping @Sendable () -> Int
    ) {
        var fetching = fetching
        fetching.rules.s3 = service
        fetching.timeout = Self.requestTimeout
        fetching.connectTimeout = Self.connectTimeout
        guard let store = ObjectStore(fetching) else { return nil }
        self.store = store
        self.place = place
        self.lifetime = min(lifetime, StoredEntry.maxLifetime)
        self.now = now
        name = place.url
    }

    var usage: StoreUsage? { nil }

    var damaged: Int { state.withLock { $0.damaged } }

    /// Returns the object for a key.
    private func object(_ key: StoredKey) -> ObjectPlace {
        let digest = Hexadecimal.text(SHA256.digest(of: Array(key.text.utf8)))
        return place.appending("results-1/\(digest.prefix(2))/\(digest)")
    }

    private var purgePlace: ObjectPlace { place.appending("purges-1/") }

    func read(_ key: StoredKey) throws(StoreFailure) -> [UInt8]? {
        guard try knowsPurges() else { return nil }
        let object = object(key)
        let bytes: [UInt8]
        do throws(FetchError) {
            // bounded: constants
            bytes = try store.read(object, 0..<(maxValueBytes + StoredEntry.maxOverhead)).bytes
        } catch .notFound {
            return nil
        } catch {
            throw StoreFailure("\(error)")
        }
        guard let entry = StoredEntry(bytes, for: key) else {
            state.withLock { $0.damaged += 1 }
            try? store.delete(object)
            return nil
        }
        guard entry.isCurrent(at: now()), !isHidden(key.labels + entry.key.labels, began: entry.began) else {
            try? store.delete(object)
            return nil
        }
        return entry.value
    }

    func write(_ value: [UInt8], for key: StoredKey, began: Int) throws(StoreFailure) {
        let entry = StoredEntry(value, for: key, began: began, end: now() + lifetime)
        guard let bytes = entry.encoded else { throw StoreFailure("the key is too long") }
        guard !isHidden(key.labels, began: began) else { return }
        do throws(FetchError) {
            try store.write(bytes, to: object(key), type: "application/octet-stream")
        } catch {
            throw StoreFailure("\(error)")
        }
    }

    func maintain() {}

    // MARK: Purges

    func purge(_ labels: [String]) throws(StoreFailure) {
        let time = now()
        for label in labels {
            let name = "\(Self.digits(time))-\(label)"
            do throws(FetchError) {
                try store.write(Array(label.utf8), to: purgePlace.appending(name), type: "text/plain")
            } catch {
                throw StoreFailure("\(error)")
            }
            state.withLock { $0.purges[label] = max($0.purges[label] ?? 0, time) }
        }
    }

    private func isHidden(_ labels: [String], began: Int) -> Bool {
        state.withLock { state in
            labels.contains { label in state.purges[label].map { began <= $0 + Self.margin } ?? false }
        }
    }

    /// Returns a time as twelve digits, so that the order of keys is the order of times.
    private static func digits(_ time: Int) -> String {
        let text = "\(max(0, time))"
        return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
    }

    /// Whether the list of purges is recent.
    ///
    /// Lists the purges first if this is due.
    private func knowsPurges() throws(StoreFailure) -> Bool {
        let time = now()
        let (age, isFirst) = state.withLock { state -> (Int?, Bool) in
            let age = state.listedAt.map { time - $0 }
            guard age ?? .max >= Self.listInterval, !state.isListing else { return (age, false) }
            state.isListing = true
            return (age, true)
        }
        let isRecent = age.map { $0 < Self.listLifetime } ?? false
        guard isFirst else { return isRecent }
        guard isRecent else {
            try list(at: time)
            return true
        }
        lists.async { [self] in try? list(at: time) }
        return true
    }

    private func list(at time: Int) throws(StoreFailure) {
        defer { state.withLock { $0.isListing = false } }
        let start = purgePlace
        let first = state.withLock { max(0, $0.latest - Self.listOverlap) }
        var last = start.key + Self.digits(first)
        var isTruncated = true
        do throws(FetchError) {
            while isTruncated {
                let page = try store.list(start, after: last)
                isTruncated = page.isTruncated
                last = page.keys.last ?? last
                let purges = page.keys.compactMap { Self.purge($0.bytes.dropFirst(start.key.utf8.count)) }
                let isFull = state.withLock { state in
                    for (time, label) in purges {
                        state.purges[label] = max(state.purges[label] ?? 0, time)
                        state.latest = max(state.latest, time)
                    }
                    // A purge that is older than the lifetime of values no longer hides any value.
                    state.purges = state.purges.filter { $0.value + lifetime + Self.margin > time }
                    return state.purges.count > Self.maxLabels
                }
                if isFull { throw FetchError.invalidResponse("the store has more than \(Self.maxLabels) purges") }
            }
        } catch {
            throw StoreFailure("\(error)")
        }
        state.withLock { $0.listedAt = time }
    }

    /// Parses the key of a purge: twelve digits, a hyphen, and a label; nil for other objects.
    private static func purge(_ name: Substring) -> (time: Int, label: String)? {
        let (digits, label) = name.bytes.halves(at: "-")
        guard digits.utf8.count == 12, let time = Int(digits), time >= 0, let label, !label.isEmpty else { return nil }
        return (time, String(label))
    }

    /// Returns the reason why the bucket cannot store values, as the predicate of a sentence; nil if it can.
    ///
    /// Writes, reads, lists and deletes an object.
    func problem() -> String? {
        let key = StoredKey("headroom doctor", labels: [])
        do throws(StoreFailure) {
            try write([0], for: key, began: now())
            guard try read(key) == [0] else { return "a value that was just written cannot be read back" }
        } catch {
            return error.description
        }
        do throws(FetchError) {
            try store.delete(object(key))
            return nil
        } catch {
            return "\(error)"
        }
    }
}
