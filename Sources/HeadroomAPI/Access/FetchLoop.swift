import HTTPTypes
import ImageSource

/// Recognises requests that come from a Headroom itself, when a `url` leads, perhaps by a redirect, back to it.
///
/// Without this a page that redirects to `/frame?url=` of itself would keep a service busy with requests of its own.
enum FetchLoop {
    /// Whether a request has come through a fetch: every one says so in `Via` (RFC 9110 §7.6.3), and proxies add to that
    /// field rather than replace it.
    static func contains(_ headers: HTTPFields) -> Bool {
        headers[values: .via].contains { value in
            value.split(separator: ",").contains { hop in
                let words = hop.split(separator: " ")
                return words.count >= 2 && words[1].lowercased() == ImageFetcher.viaPseudonym
            }
        }
    }
}
