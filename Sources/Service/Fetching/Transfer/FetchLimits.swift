/// The limits of one client, in addition to the limits of the fetcher.
///
/// Clients with equal limits share fetches in progress.
package struct FetchLimits: Hashable, Sendable {
    /// The allowed hosts of web URLs, checked on every hop; nil for all.
    package var allowedHosts: [HostPattern]?
    /// The allowed buckets of `s3:` URLs, `*` for all buckets; nil for all.
    package var allowedBuckets: [String]?
    /// The maximum size of a body, in bytes; nil for the fetcher's limit.
    package var maxBytes: Int?

    /// Creates limits that add nothing to the limits of the fetcher.
    package init() {}

    /// Returns the reason why a URL must not be fetched; nil if it may be fetched.
    ///
    /// If only one of the two lists is set, every URL of the other kind is refused. If at least one list is set, local
    /// files are refused.
    package func refusal(of url: SourceURL) -> FetchRefusal? {
        guard allowedHosts != nil || allowedBuckets != nil else { return nil }
        switch url {
        case .web(let url):
            let isAllowed = allowedHosts?.contains { $0.matches(url) } ?? false
            return isAllowed ? nil : FetchRefusal("\(url.host):\(url.port) is not among the hosts of this client")
        case .object(let object):
            let isAllowed = allowedBuckets?.contains { $0 == object.bucket || $0 == "*" } ?? false
            return isAllowed ? nil : FetchRefusal("\(object.bucket) is not among the buckets of this client")
        case .file: return "this client may fetch only from listed hosts or buckets, not local files"
        }
    }
}
