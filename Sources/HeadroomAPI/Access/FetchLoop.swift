import Fetching
import HTTPServer
import HTTPTypes

/// Detects requests that a Headroom has sent, when a `url` leads back to the service, directly or by a redirect.
///
/// Without this check, a page that redirects to `/frame?url=` with its own address would cause endless requests.
enum FetchLoop {
    /// Whether a request has come from a fetch: each fetch adds itself to `Via` (RFC 9110 §7.6.3), and proxies append
    /// to that field.
    static func contains(_ headers: HTTPFields) -> Bool {
        headers[values: .via].contains { value in
            value.listElements.contains { hop in
                let words = hop.split(separator: " ")
                return words.count >= 2 && words[1].lowercased() == ImageFetcher.viaPseudonym
            }
        }
    }
}
