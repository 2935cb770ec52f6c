import CCurl
import Dispatch
import Glibc
import Synchronization

/// Distinguishes a name that does not exist from a name server that failed.
///
/// libcurl reports the same error for both, so a name that it could not resolve is looked up a second time, with the
/// same hints. Only `EAI_NONAME` (NXDOMAIN) proves that the name does not exist. The C library reports `EAI_NODATA` if
/// one record type has no address and the query for the other type failed, and `EAI_AGAIN` for SERVFAIL, REFUSED or no
/// response.
package struct NameLookup: Sendable {
    /// getaddrinfo(3): 0, or an error of `EAI_…`.
    package typealias Resolve = @Sendable (_ host: String) -> Int32

    private let resolve: Resolve

    /// Creates a lookup; tests replace getaddrinfo(3).
    package init(_ resolve: @escaping Resolve = Self.system) { self.resolve = resolve }

    /// Returns the error of a fetch whose name could not be resolved, with libcurl's message; blocks for at most the
    /// limit.
    ///
    /// A lookup that takes longer ends on its own thread, after the C library's timeout.
    func error(
        for host: String,
        _ message: String,
        within limit: Duration,
        unless isCancelled: () -> Bool
    ) -> FetchError {
        let lookup = Lookup()
        DispatchQueue(label: "headroom.lookup").async { [resolve] in lookup.finish(resolve(host)) }
        let clock = ContinuousClock()
        let end = clock.now + limit
        while !lookup.isFinished(within: .milliseconds(50)) {
            if isCancelled() { return .cancelled }
            guard clock.now < end else { return .timeout(.resolution) }
        }
        switch lookup.code {
        case EAI_NONAME: return .unresolved(message)
        case 0: return .nameServerFailed("it failed once, and then responded")
        case let code: return .nameServerFailed(String(cString: gai_strerror(code)))
        }
    }

    /// getaddrinfo(3) with the hints of libcurl.
    package static let system: Resolve = { host in
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, nil, &hints, &first)
        if let first { freeaddrinfo(first) }
        return code
    }
}

/// The state of one call.
private final class Lookup: Sendable {
    private let result = Mutex<Int32>(0)
    private let done = DispatchSemaphore(value: 0)

    var code: Int32 { result.withLock(\.self) }

    func finish(_ code: Int32) {
        result.withLock { $0 = code }
        done.signal()
    }

    func isFinished(within time: DispatchTimeInterval) -> Bool { done.wait(timeout: .now() + time) == .success }
}
