import Cryptography
import Encodings
import UntrustedText

/// The Google Cloud Storage service: its buckets, and the role of a service account.
package struct GoogleConfiguration: Hashable, Sendable {
    private let endpoint: WebURL
    let buckets: S3BucketList
    /// The service account.
    ///
    /// The access token is stored as the session token of its credentials.
    private let account: S3Role

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The URL of the service, which ``S3Configuration/isEndpoint(_:)`` must accept; nil for Google.
    ///   - buckets: The buckets that may be read.
    ///   - account: The role of a ``GoogleAccount``.
    /// - Throws: Nothing for valid URLs.
    package init(endpoint: WebURL? = nil, buckets: S3BucketList, account: S3Role) throws(FetchError) {
        if let endpoint {
            self.endpoint = endpoint
        } else {
            self.endpoint = try WebURL("https://storage.googleapis.com")
        }
        self.buckets = buckets
        self.account = account
    }

    /// The scheme, name, port and path of the service.
    package var service: String { endpoint.string }

    /// Creates the request for an object (XML API): its URL, and its header fields with the access token.
    ///
    /// Blocks while the token is renewed.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long, or the reason why no token is available.
    func request(
        for object: S3URL,
        range: String?
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        let root = endpoint.string.bytes.hasSuffix("/") ? String(endpoint.string.dropLast()) : endpoint.string
        let path = "/\(object.bucket)\(object.path)"
        let url = try WebURL(root + path)
        guard url.string.bytes.hasSuffix(path) else { throw .invalidURL("the key cannot be sent as a path") }
        let token = try account.current().sessionToken ?? ""
        return (url, (range.map { [("range", $0)] } ?? []) + [("authorization", "Bearer \(token)")])
    }
}

/// A Google Cloud service account, read from its key file.
package struct GoogleAccount: Hashable, Sendable {
    /// The requested permission.
    private static let scope = "https://www.googleapis.com/auth/devstorage.read_only"
    /// The lifetime of an assertion in seconds, which is the maximum that Google allows.
    private static let lifetime = 3600

    /// The account's e-mail address, which is not secret.
    package let email: String
    /// The identifier of the key, which is not secret.
    package let keyID: String
    private let key: RSAKey
    /// The URL that exchanges assertions for access tokens.
    let tokenURL: WebURL

    /// Creates an account.
    ///
    /// Nil unless the texts are visible ASCII and the key is an RSA key in PEM format.
    package init?(email: String, keyID: String, privateKey: String, tokenURL: WebURL) {
        func isText(_ text: String) -> Bool {
            // bounded: the length of a name
            1...256 ~= text.utf8.count
                && text.utf8.allSatisfy { 0x21...0x7E ~= $0 && !"\"\\".utf8.contains($0) }
        }
        guard isText(email), isText(keyID), let key = RSAKey(pem: privateKey) else { return nil }
        self.email = email
        self.keyID = keyID
        self.key = key
        self.tokenURL = tokenURL
    }

    /// Returns a signed assertion (RFC 7523, RS256); nil if signing fails.
    package func assertion(at time: UnixTime) -> String? {
        let head = #"{"alg":"RS256","typ":"JWT","kid":"\#(keyID)"}"#
        let end = time.seconds + Self.lifetime
        let claims =
            #"{"iss":"\#(email)","scope":"\#(Self.scope)","aud":"\#(tokenURL.string)","iat":\#(time.seconds),"exp":\#(end)}"#
        let text = [head, claims].map { Self.base64(Array($0.utf8)) }.joined(separator: ".")
        return key.signature(of: Array(text.utf8)).map { "\(text).\(Self.base64($0))" }
    }

    /// The body of the request for an access token; nil if signing fails.
    func body(at time: UnixTime) -> [UInt8]? {
        assertion(at: time).map { assertion in
            let type = PercentEncoding.encoded("urn:ietf:params:oauth:grant-type:jwt-bearer")
            return Array("grant_type=\(type)&assertion=\(assertion)".utf8)
        }
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        String(Base64.text(bytes).bytes.prefix(before: "="))
    }
}

extension GoogleAccount: CustomStringConvertible, CustomReflectable {
    /// The account's e-mail address.
    package var description: String { email }

    /// The mirror is empty, so that a dump does not contain the key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
