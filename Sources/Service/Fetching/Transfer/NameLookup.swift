import CCurl
import Dispatch
import Glibc
import Synchronization

/// Detects whether a name does not exist or the name server failed.
///
/// libcurl reports the same error for both. A name that libcurl could not resolve is therefore looked up again with the
/// same hints. Only `EAI_NONAME` (NXDOMAIN) proves that the name does not exist. The C library reports `EAI_NODATA` if
/// there is no address of one type and the query for the other type failed, and `EAI_AGAIN` for SERVFAIL, REFUSED or no
/// response.
package struct NameLookup: Sendable {
    /// The signature of getaddrinfo(3).
    ///
    /// Returns 0 or an `EAI_…` error.
    package typealias Resolve = @Sendable (_ host: String) -> Int32

    private let resolve: Resolve

    /// Creates a lookup; tests replace getaddrinfo(3).
    package init(_ resolve: @escaping Resolve = Self.system) { self.resolve = resolve }

    /// Returns the error for a fetch whose name could not be resolved, with libcurl's message.
    ///
    /// Blocks no longer than the limit.
    ///
    /// A lookup that takes longer continues on its own thread until the C library's timeout.
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
        case 0: return .nameServerFailed("the first lookup failed, the second succeeded")
        case let code: return .nameServerFailed(String(cString: gai_strerror(code)))
        }
    }

    /// Calls getaddrinfo(3) with the same hints as libcurl.
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
