/// Reasons why an image could not be fetched.
///
/// The texts are for logs, because they may contain addresses. Only the text of ``invalidURL(_:)`` is safe for the
/// caller.
package enum FetchError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The URL is invalid; the text is safe for the caller and states the reason.
    case invalidURL(String)
    /// The policy refuses the URL, or the target of a redirect.
    case blocked(FetchRefusal)
    /// The origin responded with 404 or 410.
    case notFound(status: Int)
    /// The origin responded with another 4xx status.
    case refused(status: Int)
    /// The S3 service rejected the request with a 3xx or 4xx status other than 304, 404 and 410; `reason` contains the
    /// error code and, for some errors, the setting to change.
    case storeRefused(status: Int, reason: String)
    /// The origin responded with a 5xx status.
    case originError(status: Int)
    /// The origin responded with 429 or 503 and a `Retry-After`, to this request or an earlier one.
    ///
    /// The origin must not be requested again for this time, which is at most ``OriginBackoff/longest``.
    case retryLater(status: Int, after: Duration)
    /// The origin's response is not a 200 with a readable body: another status, an empty body, or not HTTP.
    case invalidResponse(String)
    /// A content coding of the body is unknown or damaged, or does not match the bytes; `coding` is visible ASCII and
    /// safe for the caller.
    case undecodable(coding: String)
    /// The image exceeds the size limit, by its declared length or by its received bytes; `limit` in bytes.
    case tooLarge(limit: Int)
    /// A time limit was exceeded.
    case timeout(Stage)
    /// The origin redirected more often than allowed.
    case tooManyRedirects(limit: Int)
    /// The name of the origin does not exist (NXDOMAIN).
    case unresolved(String)
    /// The lookup of the origin's name failed: the name server returned an error or did not respond.
    case nameServerFailed(String)
    /// This process or host lacks file descriptors or buffers for a connection.
    ///
    /// The state of the origin is unknown.
    case exhausted(String)
    /// No connection could be opened: the TCP connection or the TLS handshake failed.
    case unreachable(String, Obstacle = .connection)
    /// The connection ended before the response was complete.
    case incomplete(String)
    /// The calling task was cancelled.
    case cancelled
    /// The memory budget of all sources does not have enough memory left for this source; `limit` in bytes.
    case overBudget(limit: Int)
    /// No slot becomes free before the deadline.
    ///
    /// Nothing was sent to the origin.
    ///
    /// Retry after the given time.
    case busy(retryAfter: Duration)

    /// The step that failed when a connection was opened.
    package enum Obstacle: Sendable {
        /// The TCP connection, or the connection through a proxy.
        case connection
        /// The TLS handshake, for a reason other than the certificate.
        case handshake
        /// The TLS handshake with a server that does not use TLS on this port.
        case plainServer
        /// The verification of the origin's certificate.
        case certificate
    }

    /// The stage of a fetch that timed out.
    package enum Stage: String, Sendable {
        /// Name resolution.
        case resolution
        /// The TCP connection or the TLS handshake; libcurl 7.88 distinguishes them only after they succeed.
        case connection
        case header
        case body
    }

    package var description: String {
        switch self {
        case .invalidURL(let text): "unusable URL: \(text)"
        case .blocked(let text): "blocked: \(text)"
        case .notFound(let status), .refused(let status), .originError(let status):
            "the origin responded with \(status)"
        case .storeRefused(let status, let reason): "the object store responded with \(status): \(reason)"
        case .retryLater(let status, let time): "the origin responded with \(status) and Retry-After \(time)"
        case .undecodable(let coding): "the content encoding cannot be decoded: \(coding)"
        case .invalidResponse(let text): "invalid response: \(text)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timeout(let stage): "timeout: \(stage.rawValue)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .unresolved(let text): "unresolved: \(text)"
        case .nameServerFailed(let text): "the name server failed: \(text)"
        case .exhausted(let text): "this host cannot open a connection: \(text)"
        case .unreachable(let text, _): "unreachable: \(text)"
        case .incomplete(let text): "incomplete: \(text)"
        case .cancelled: "cancelled"
        case .overBudget(let limit): "the memory budget for sources, \(limit) bytes, is exhausted"
        case .busy(let time): "no free slot for \(time)"
        }
    }
}
