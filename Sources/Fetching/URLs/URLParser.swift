import CCurl

/// A handle of libcurl's URL parser, which the transfer uses as well, so that both interpret a URL alike.
struct URLParser: ~Copyable {
    private let handle: OpaquePointer

    init() {
        guard let handle = curl_url() else { preconditionFailure("out of memory") }
        self.handle = handle
    }

    deinit {
        curl_url_cleanup(handle)
    }

    /// Parses an absolute URL, or one relative to the URL that the parser holds.
    ///
    /// - Throws: libcurl's error message.
    func parse(_ url: String, allowingSpaces: Bool = false) throws(URLParserError) {
        let flags = CURLU_DISALLOW_USER | CURLU_URLENCODE | (allowingSpaces ? CURLU_ALLOW_SPACE : 0)
        try check(curl_url_set(handle, CURLUPART_URL, url, UInt32(flags)))
    }

    func set(_ part: CURLUPart, to value: String?) throws(URLParserError) {
        try check(curl_url_set(handle, part, value, 0))
    }

    /// A part of the URL; nil if the URL has no such part.
    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private func check(_ code: CURLUcode) throws(URLParserError) {
        guard code != CURLUE_OK else { return }
        throw URLParserError(code: code, message: String(cString: curl_url_strerror(code)))
    }
}

/// An error of libcurl's URL parser.
struct URLParserError: Error {
    let code: CURLUcode
    let message: String
}
