import UntrustedText

/// The lifetimes of a response in caches (RFC 9111 §5.2.2, RFC 5861, RFC 8246).
package struct Freshness: Hashable, Sendable {
    /// The maximum of every time, in seconds.
    ///
    /// Caches replace larger values with this maximum (RFC 9111 §1.2.2).
    package static let maxSeconds = 2_147_483_647

    /// The syntax of a setting, for messages.
    package static let expected =
        "no-store, or max-age and optionally s-maxage, stale-while-revalidate, stale-if-error and immutable, such as "
        + "max-age=300, s-maxage=86400; all times are at most \(maxSeconds) seconds"

    /// A freshness that forbids caches to store the response.
    package static let noStore = Freshness(maxAge: nil)

    /// `max-age` in seconds: the freshness in browsers, and in shared caches without ``sharedMaxAge``; nil if no cache
    /// may store the response.
    package var maxAge: Int?
    /// `s-maxage` in seconds: the freshness in shared caches; nil to use ``maxAge``.
    package var sharedMaxAge: Int?
    /// `immutable`: browsers do not revalidate a fresh response.
    package var isImmutable = false
    /// `stale-while-revalidate` in seconds: the time limit for using a stale response during its revalidation.
    package var staleWhileRevalidate: Int?
    /// `stale-if-error` in seconds: the time limit for using a stale response after a failed revalidation.
    package var staleIfError: Int?

    /// Creates a freshness with only `max-age`.
    ///
    /// - Parameter maxAge: The time in seconds; nil if no cache may store the response.
    package init(maxAge: Int?) { self.maxAge = maxAge }

    /// Parses directives, separated by commas; nil for any other text.
    ///
    /// - Parameter text: `no-store`, or `max-age` and optionally the other directives, each once.
    package init?(_ text: String) {
        let directives = text.bytes.lowercased().bytes.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.bytes.trimmed()
        }
        if directives.count == 1, directives[0].bytes == "no-store".bytes {
            self = .noStore
            return
        }
        var seen: Set<String> = []
        self.init(maxAge: nil)
        for directive in directives {
            let (name, value) = directive.bytes.halves(at: "=")
            let seconds = value.flatMap { Int(plainDigits: String($0)) }.flatMap { $0 <= Self.maxSeconds ? $0 : nil }
            guard seen.insert(String(name)).inserted else { return nil }
            switch (String(name), value, seconds) {
            case ("immutable", nil, _): isImmutable = true
            case ("max-age", _, let seconds?): maxAge = seconds
            case ("s-maxage", _, let seconds?): sharedMaxAge = seconds
            case ("stale-while-revalidate", _, let seconds?): staleWhileRevalidate = seconds
            case ("stale-if-error", _, let seconds?): staleIfError = seconds
            default: return nil
            }
        }
        guard maxAge != nil else { return nil }
    }

    /// The directives as written in a setting: `no-store`, or `max-age=…` and others.
    package var text: String {
        guard let maxAge else { return "no-store" }
        func time(_ name: String, _ seconds: Int?) -> [String] { seconds.map { ["\(name)=\($0)"] } ?? [] }
        let directives =
            ["max-age=\(maxAge)"] + time("s-maxage", sharedMaxAge) + (isImmutable ? ["immutable"] : [])
            + time("stale-while-revalidate", staleWhileRevalidate) + time("stale-if-error", staleIfError)
        return directives.joined(separator: ", ")
    }

    /// The value of `Cache-Control` for a response that is the same for every client.
    package var cacheControl: String { maxAge == nil ? text : "public, \(text)" }

    /// Returns this freshness with only `max-age`, limited to a number of seconds.
    package func brief(atMost seconds: Int) -> Freshness { Freshness(maxAge: maxAge.map { min($0, seconds) }) }
}
