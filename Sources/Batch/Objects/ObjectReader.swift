import Dispatch
package import Fetching
import Glibc

/// Lists and reads buckets for the inputs of a run, one request after another; tries again what may pass.
package struct ObjectReader: Sendable {
    private let store: ObjectStore
    private let retries: RetryPolicy
    private let pause: @Sendable (Duration) -> Void

    /// A reader.
    ///
    /// - Parameters:
    ///   - store: The buckets.
    ///   - retries: How often a request is tried again.
    ///   - pause: Waits before a retry, on the caller's thread; tests replace it.
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
                guard error.mayPass, attempts <= retries.count else { throw BatchError("\(place.url): \(error)") }
                pause(retries.delay(after: attempts))
                attempts += 1
            }
        }
    }
}
