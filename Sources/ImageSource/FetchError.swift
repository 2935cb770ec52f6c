/// Why an image could not be fetched.
///
/// Strings are for the log, except that of ``invalidURL(_:)``: they may name addresses, which the caller must not learn.
package enum FetchError: Error, Sendable, Equatable {
    /// The URL cannot be used; the text is safe to show to the caller and says what is wrong with it.
    case invalidURL(String)
    /// The address, or where the origin redirected to, is off limits.
    case blocked(String)
    /// The origin answered 404 or 410.
    case notFound(status: Int)
    /// The origin answered with another 4xx.
    case refused(status: Int)
    /// The origin answered 5xx.
    case originError(status: Int)
    /// The origin's answer is not a plain 200 with a body that can be read: another status, an unknown encoding, not HTTP.
    case invalidResponse(String)
    /// The image has more bytes than allowed, declared or counted; the limit in bytes.
    case tooLarge(limit: Int)
    /// Time ran out.
    case timeout(Stage)
    /// The origin redirected more often than allowed.
    case tooManyRedirects(limit: Int)
    /// The name of the origin does not resolve.
    case unresolved(String)
    /// No connection: nobody listens, or TLS failed.
    case unreachable(String)
    /// The connection ended before the answer did.
    case incomplete(String)
    /// The calling task was cancelled.
    case cancelled
    /// All slots are taken, and none will be free in time; nothing was tried. Try again after so long.
    case busy(retryAfter: Duration)

    /// What the fetch was waiting for when its time ran out.
    package enum Stage: String, Sendable {
        /// The name server.
        case resolution
        /// The TCP connection or the TLS handshake; libcurl 7.88 tells them apart only afterwards.
        case connection
        /// The header of the answer.
        case header
        /// The rest of the body.
        case body
    }
}

extension FetchError: CustomStringConvertible {
    /// In words, for the log.
    package var description: String {
        switch self {
        case .invalidURL(let text): "unusable address: \(text)"
        case .blocked(let text): "blocked: \(text)"
        case .notFound(let status), .refused(let status), .originError(let status): "the origin answered \(status)"
        case .invalidResponse(let text): "unusable answer: \(text)"
        case .tooLarge(let limit): "more than \(limit) bytes"
        case .timeout(let stage): "too late: \(stage.rawValue)"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .unresolved(let text): "unresolved: \(text)"
        case .unreachable(let text): "unreachable: \(text)"
        case .incomplete(let text): "incomplete: \(text)"
        case .cancelled: "cancelled"
        case .busy(let time): "no free slot for \(time)"
        }
    }
}
