/// Rules for the text of every kind of URL.
enum URLText {
    /// The maximum length of an accepted URL in bytes, which is also the limit of common proxies for a request line.
    static let maxLength = 8192

    /// Refuses control characters, backslashes and spaces.
    ///
    /// libcurl refuses them only in some places. Browsers treat a backslash as a slash but RFC 3986 does not; attackers
    /// exploit this difference.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)``.
    static func check(_ text: String, allowsSpaces: Bool = false) throws(FetchError) {
        try checkLength(text)
        let first: UInt8 = allowsSpaces ? 0x20 : 0x21
        guard text.utf8.allSatisfy({ $0 >= first && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            let what = allowsSpaces ? "a control character" : "a space, a control character"
            throw .invalidURL("the URL contains \(what) or a backslash: percent-encode it")
        }
    }

    /// Refuses texts with more than ``maxLength`` bytes; throws ``FetchError/invalidURL(_:)``.
    static func checkLength(_ text: String) throws(FetchError) {
        guard text.utf8.count <= maxLength else { throw .invalidURL("the URL is longer than \(maxLength) bytes") }
    }

    /// Returns the URL with its query replaced by `?…`.
    static func withoutQuery(_ url: String) -> String {
        url.utf8.firstIndex(of: UInt8(ascii: "?")).map { url[..<$0] + "?…" } ?? url
    }
}
