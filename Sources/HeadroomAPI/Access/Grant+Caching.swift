package import HTTPTypes

extension Grant {
    /// Keeps caches from giving an answer to those who may not have it, or for longer than they may.
    ///
    /// An answer that needed a bearer secret stays with who asked: a shared cache would repeat it to everybody, because
    /// `public` lets it (RFC 9111 §3.5). An answer to a signature that ends is fresh no longer than the signature holds.
    ///
    /// - Parameters:
    ///   - headers: Of the answer, with `Cache-Control` as it would be for everyone.
    ///   - now: Seconds since 1970.
    package func limitCaching(of headers: inout HTTPFields, now: Int) {
        switch self {
        case .everyone: return
        case .signature(_, let terms) where terms.expires == nil: return
        case .signature, .bearer: break
        }
        guard let value = headers[.cacheControl], value != "no-store" else { return }
        let directives = value.split(separator: ",").map { $0.drop { $0 == " " } }
        switch self {
        case .everyone: break
        case .bearer:
            let kept = directives.filter { $0 != "public" && $0 != "private" && !$0.hasPrefix("s-maxage=") }
            headers[.cacheControl] = (["private"] + kept).joined(separator: ", ")
        case .signature(_, let terms):
            guard let expires = terms.expires else { return }
            let kept = directives.compactMap { directive -> String? in
                // These let a cache go on after that moment.
                guard !directive.hasPrefix("stale-") else { return nil }
                let sides = directive.split(separator: "=", maxSplits: 1)
                guard sides.count == 2, ["max-age", "s-maxage"].contains(sides[0]), let age = Int(sides[1]) else {
                    return String(directive)
                }
                return "\(sides[0])=\(min(age, max(0, expires - now)))"
            }
            headers[.cacheControl] = kept.joined(separator: ", ")
        }
    }
}
