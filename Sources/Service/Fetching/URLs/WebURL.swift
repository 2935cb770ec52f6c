import UntrustedText
import CCurl
import Encodings

/// The http or https URL of an image: parsed, validated and normalised.
///
/// The addresses of the host are not checked here but for each connection: see ``AddressPolicy``. ``ImageFetcher``
/// checks ports, because the configuration determines the allowed ports.
package struct WebURL: Sendable, Hashable, CustomStringConvertible {
    /// The absolute URL in normal form.
    ///
    /// It has a lower-case scheme and a host in the form of ``HostText``. It does not have a default port, dot segments
    /// or a fragment. All non-ASCII characters are percent-encoded.
    package let string: String
    /// `http` or `https`.
    package let scheme: String
    /// The name or address in the form of ``HostText``.
    ///
    /// An IPv6 address is in brackets; a name does not end with a dot.
    package let host: String
    /// The port, explicit or implied by the scheme: 1…65535.
    package let port: Int

    /// The address if the host is a literal address; nil for a name.
    var address: IPAddress? {
        IPAddress(host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// The URL without its query, which may contain signatures and keys; suitable for logs.
    package var description: String { URLText.withoutQuery(string) }

    /// The percent-encoded path, from its first slash, without the query.
    var path: Substring {
        let rest = string.bytes.dropFirst(scheme.utf8.count + 3)
        return rest.bytes.dropFirst(rest.bytes.prefix(before: "/?").utf8.count).bytes.prefix(before: "?")
    }

    /// Validates and normalises an absolute URL that was percent-decoded at most once.
    ///
    /// It accepts the forms that people write: spaces and other raw characters in the path and query, a Unicode host,
    /// `//host/path` for https, and one slash instead of two.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` with a text for the caller.
    package init(_ text: String) throws(FetchError) {
        if let mistake = WebText.mistake(in: text) { throw .invalidURL(mistake) }
        let parser = URLParser()
        let text = try WebText.url(text)
        do {
            try parser.parse(text)
        } catch {
            throw .invalidURL(Self.explanation(of: error))
        }
        try self.init(normalising: parser)
    }

    /// Resolves the target of a `Location` header field (RFC 9110 §10.2.2), relative or absolute.
    ///
    /// Some origins send spaces and other raw characters. They are percent-encoded, as in browsers.
    ///
    /// - Throws: ``FetchError/blocked(_:)`` if the target is not a valid `WebURL` or changes from https to http.
    package func redirected(to location: String) throws(FetchError) -> WebURL {
        let target: WebURL
        do {
            let parser = URLParser()
            try URLText.check(location, allowsSpaces: true)
            guard !location.isEmpty else { throw FetchError.invalidURL("the location is empty") }
            try parser.parse(string)
            try parser.parse(String(decoding: WebText.escaped(location.utf8), as: UTF8.self))
            target = try WebURL(normalising: parser)
        } catch let error as URLParserError {
            throw .blocked("redirect: \(error.message)")
        } catch let FetchError.invalidURL(reason) {
            throw .blocked("redirect: \(reason)")
        } catch {
            throw .blocked("redirect: \(error)")
        }
        if scheme == "https", target.scheme != "https" {
            throw .blocked("redirect from https to http")
        }
        return target
    }

    private init(normalising parser: borrowing URLParser) throws(FetchError) {
        guard let scheme = parser.get(CURLUPART_SCHEME)?.bytes.lowercased(), ["http", "https"].contains(scheme) else {
            throw .invalidURL("the scheme must be http or https")
        }
        guard let named = parser.get(CURLUPART_HOST), named.utf8.contains(where: { $0 != UInt8(ascii: ".") }) else {
            throw .invalidURL("the host is missing")
        }
        guard parser.get(CURLUPART_ZONEID) == nil else {
            throw .invalidURL("an address with a zone is not accepted")
        }
        var host: String
        if named.utf8.allSatisfy({ $0 < 0x80 }) {
            host = named.bytes.lowercased()
        } else {
            // libcurl would convert this name with the C library's locale, so the result would depend on the host.
            guard let ascii = InternationalName.ascii(named) else {
                throw .invalidURL("the host is not a valid international name: write it as punycode (xn--…)")
            }
            host = ascii
        }
        guard host.utf8.allSatisfy(Self.isHostByte) else {
            throw .invalidURL("the host contains a character that host names cannot have")
        }
        host = try HostText.normalised(host)
        guard let port = parser.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }), port > 0 else {
            throw .invalidURL("the port must be 1 to 65535")
        }
        do {
            try parser.set(CURLUPART_HOST, to: host)
            try parser.set(CURLUPART_FRAGMENT, to: nil)
        } catch {
            throw .invalidURL(Self.explanation(of: error))
        }
        guard let string = parser.get(CURLUPART_URL, flags: CURLU_NO_DEFAULT_PORT) else {
            throw .invalidURL("the URL is malformed")
        }
        try URLText.checkLength(string)
        // libcurl detects addresses before it decodes the host. Therefore %31.2 is a name here, but becomes an address
        // when the transfer parses it again.
        let again = URLParser()
        guard (try? again.parse(string)) != nil, again.get(CURLUPART_HOST) == host else {
            throw .invalidURL("the host is a percent-encoded address: write it unencoded")
        }
        self.string = string
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    private static func explanation(of error: URLParserError) -> String {
        switch error.code {
        case CURLUE_USER_NOT_ALLOWED:
            "a user name or password is not accepted; the operator can send them with --fetch-headers-file"
        case CURLUE_BAD_SCHEME, CURLUE_UNSUPPORTED_SCHEME, CURLUE_NO_SCHEME:
            "the URL must be absolute and begin with http:// or https://"
        case CURLUE_NO_HOST: "the host is missing"
        case CURLUE_BAD_PORT_NUMBER: "the port must be 1 to 65535"
        default: "the URL is malformed: \(error.message)"
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool { byte.isLowerAlphanumeric || ".-_:[]".utf8.contains(byte) }
}
