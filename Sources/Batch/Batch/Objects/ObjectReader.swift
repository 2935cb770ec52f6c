import Dispatch
package import Fetching
import Glibc
import Synchronization

/// Lists and reads buckets for the inputs of a run, one request after another, and repeats transient failures.
package struct ObjectReader: Sendable {
    private let store: ObjectStore
    private let retries: RetryPolicy
    private let pause: @Sendable (Duration) -> Void

    /// A reader of buckets; `pause` blocks the calling thread before a retry; tests replace it.
    package init(
        _ store: ObjectStore,
        retries: RetryPolicy,
        pause: @escaping @Sendable (Duration) -> Void = { usleep(UInt32($0 / .microseconds(1))) }
    ) {
        self.store = store
        self.retries = retries
        self.pause = pause
    }

    /// A page of a list; see ``ObjectStore/list(_:after:)``.
    func list(_ place: ObjectPlace, after last: String) throws(BatchError) -> ObjectPage {
        try retrying(place) { () throws(FetchError) in try store.list(place, after: last) }
    }

    /// A part of an object; see ``ObjectStore/read(_:_:ifMatch:)``.
    func read(
        _ place: ObjectPlace,
        _ range: Range<Int>,
        ifMatch etag: String?
    ) throws(BatchError) -> (bytes: [UInt8], length: Int, etag: String?) {
        try retrying(place) { () throws(FetchError) in try store.read(place, range, ifMatch: etag) }
    }

    private func retrying<Value>(
        _ place: ObjectPlace,
        _ body: () throws(FetchError) -> Value
    ) throws(BatchError) -> Value {
        var attempts = 1
        while true {
            do throws(FetchError) {
                return try body()
            } catch {
                guard error.isTransient, attempts <= retries.count else { throw BatchError("\(place.url): \(error)") }
                pause(retries.delay(after: attempts))
                attempts += 1
            }
        }
    }
}

/// An object that is read in pieces, like a file.
///
/// One piece at a time is in memory. All pieces come from the same version: reading fails if the object is replaced
/// between two pieces.
final class ObjectFile: InputFile {
    /// The minimum range of a request in bytes.
    private static let pieceBytes = 1 << 20

    private struct State {
        /// The bytes of the last request, and their offset.
        var piece: [UInt8] = []
        var start = 0
        var length: Int?
        var etag: String?
        var position = 0
    }

    private let reader: ObjectReader
    private let place: ObjectPlace
    private let state = Mutex(State())

    init(_ place: ObjectPlace, _ reader: ObjectReader) {
        self.place = place
        self.reader = reader
    }

    var path: String { place.url }

    func knownLength() throws(BatchError) -> Int? {
        if state.withLock({ $0.length }) == nil { _ = try read(0..<1) }
        return state.withLock { $0.length }
    }

    func read(upTo count: Int) throws(BatchError) -> [UInt8] {
        let start = state.withLock { $0.position }
        let bytes = try read(start..<(start + count))
        state.withLock { $0.position += bytes.count }
        return bytes
    }

    func read(_ range: Range<Int>) throws(BatchError) -> [UInt8] {
        let (known, etag) = state.withLock { ($0.length, $0.etag) }
        let range = known.map { range.clamped(to: 0..<$0) } ?? range
        guard !range.isEmpty else { return [] }
        let held = state.withLock { state -> [UInt8]? in
            guard state.start <= range.lowerBound, range.upperBound <= state.start + state.piece.count else {
                return nil
            }
            return Array(state.piece[(range.lowerBound - state.start)..<(range.upperBound - state.start)])
        }
        if let held { return held }
        // A request for a range beyond the maximum size of a response body would fail.
        var bytes: [UInt8] = []
        while bytes.count < range.count {
            let start = range.lowerBound + bytes.count
            let end = max(min(range.upperBound, start + 8 * Self.pieceBytes), start + Self.pieceBytes)
            let found = try reader.read(place, start..<end, ifMatch: etag)
            state.withLock { state in
                (state.piece, state.start) = (found.bytes, start)
                state.length = found.length
                state.etag = etag ?? found.etag
            }
            bytes += found.bytes.prefix(range.upperBound - start)
            if start + found.bytes.count >= found.length { break }
        }
        return bytes
    }
}
