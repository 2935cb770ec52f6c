import Encodings
import Fetching
import HTTPTypes
import Requests
import UntrustedText

extension CanonicalRequest {
    /// The message for a log, without secrets: without the queries of URLs, and without the values of unknown
    /// parameters, because they can be fragments of such a query.
    static func loggedMessage(
        _ method: HTTPRequest.Method,
        path: String,
        pairs: [(name: String, value: String)]
    ) -> String {
        let shown = pairs.map { pair -> (name: String, value: String) in
            guard let parameter = Parameter.named(pair.name) else {
                let isOfSignature = SignatureParameter(rawValue: pair.name) != nil
                return isOfSignature ? pair : (pair.name, hidden)
            }
            guard [.url, .backdropURL].contains(parameter) else { return pair }
            return (pair.name, visible(pair.value))
        }
        let message = String(decoding: CanonicalRequest(method, path: path, pairs: shown).message, as: UTF8.self)
        return message.bytes.replacing(PercentEncoding.encoded(hidden), with: hidden)
    }

    private static let hidden = "…"

    /// Returns a URL without its query, or only the mark for hidden text if the text is not a URL or contains a user
    /// name.
    private static func visible(_ url: String) -> String {
        guard (try? SourceURL(url)) != nil else { return hidden }
        let start = url.bytes.prefix(before: "?#")
        return start.utf8.count == url.utf8.count ? url : "\(start)?\(hidden)"
    }
}
