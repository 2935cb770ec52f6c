import Fetching
import HTTPServer
package import HTTPTypes

extension Grant {
    /// Restricts caching to clients with access, and to the time of that access.
    ///
    /// A response to a bearer secret is private: a shared cache would serve it to everyone, because `public` permits
    /// that (RFC 9111 §3.5). A response to a signature is fresh at most until the signature expires.
    ///
    /// - Parameters:
    ///   - headers: The response's fields, with the `Cache-Control` of an open service.
    ///   - now: Seconds since 1970.
    package func limitCaching(of headers: inout HTTPFields, now: Int) {
        switch self {
        case .everyone: return
        case .signature(_, let terms, _) where terms.expires == nil: return
        case .signature, .bearer: break
        }
        guard let value = headers[.cacheControl], value != "no-store" else { return }
        let directives = value.listElements
        switch self {
        case .everyone: break
        case .bearer:
            let kept = directives.filter { $0 != "public" && $0 != "private" && !$0.hasPrefix("s-maxage=") }
            headers[.cacheControl] = (["private"] + kept).joined(separator: ", ")
        case .signature(_, let terms, _):
            guard let expires = terms.expires else { return }
            let kept = directives.compactMap { directive -> String? in
                // Stale responses could be served after the expiry.
                guard !directive.hasPrefix("stale-") else { return nil }
                let sides = directive.split(separator: "=", maxSplits: 1)
                guard sides.count == 2, ["max-age", "s-maxage"].contains(sides[0]), let age = Int(sides[1]) else {
                    return String(directive)
                }
                let left = UnixTime(clamping: expires) - UnixTime(clamping: now)
                return "\(sides[0])=\(min(age, left.count))"
            }
            headers[.cacheControl] = kept.joined(separator: ", ")
        }
    }
}
