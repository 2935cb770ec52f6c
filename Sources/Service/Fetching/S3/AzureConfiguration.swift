import Cryptography
import Encodings
import UntrustedText

/// The Azure Blob Storage service: its account, containers and credentials.
package struct AzureConfiguration: Hashable, Sendable {
    /// The credentials of the account.
    package enum Credentials: Hashable, Sendable {
        /// A key of the account (Shared Key), decoded.
        case key([UInt8])
        /// A shared access signature: a query without a question mark.
        case signature(String)

        /// Parses a Base64 key, as shown in the Azure portal; nil for other text.
        package init?(key text: String) {
            guard 1...512 ~= text.utf8.count, let key = Base64.bytes(text.utf8), !key.isEmpty else { return nil }
            self = .key(key)
        }

        /// Parses a shared access signature, with or without a question mark; nil for other text.
        package init?(signature text: String) {
            let query = text.bytes.hasPrefix("?") ? String(text.bytes.dropFirst(1)) : text
            // bounded: the length of a query
            guard 1...4096 ~= query.utf8.count,
                query.utf8.allSatisfy({ $0.isAlphanumeric || "-._~%=&:/+,".utf8.contains($0) }),
                query.bytes.contains("sig=")
            else { return nil }
            self = .signature(query)
        }
    }

    /// The version of the REST API.
    static let version = "2021-08-06"

    private let account: String
    private let endpoint: WebURL
    let containers: S3BucketList
    private let credentials: Credentials

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - account: The name of the storage account; see ``isAccount(_:)``.
    ///   - endpoint: The URL of the service, which ``S3Configuration/isEndpoint(_:)`` must accept; nil for Azure.
    ///   - containers: The containers that may be read.
    ///   - credentials: A key or a shared access signature.
    /// - Throws: ``FetchError/invalidURL(_:)`` for an invalid account.
    package init(
        account: String,
        endpoint: WebURL? = nil,
        containers: S3BucketList,
        credentials: Credentials
    ) throws(FetchError) {
        self.account = account
        if let endpoint {
            self.endpoint = endpoint
        } else {
            self.endpoint = try WebURL("https://\(account).blob.core.windows.net")
        }
        self.containers = containers
        self.credentials = credentials
    }

    /// Whether a text can be the name of an account: 3 to 24 lower-case letters and digits.
    package static func isAccount(_ text: String) -> Bool {
        text.isPlainName(atMost: 24) && text.utf8.count >= 3 && !text.utf8.contains(UInt8(ascii: "-"))
    }

    /// The scheme, name, port and path of the service, and the account.
    package var service: String { "\(endpoint.string) \(account)" }

    /// Creates the request for a blob: its URL and its signed header fields.
    ///
    /// - Parameters:
    ///   - blob: The blob.
    ///   - time: The time of the request.
    ///   - etag: The value of the request's `If-None-Match`; nil for none.
    ///   - lastModified: The value of the request's `If-Modified-Since`; nil for none.
    ///   - range: The value of `Range`; nil for the whole blob.
    /// - Returns: The URL, and the names and values of the fields.
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long.
    func request(
        for blob: S3URL,
        at time: UnixTime,
        etag: String?,
        lastModified: String?,
        range: String?
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        let root = endpoint.string.bytes.hasSuffix("/") ? String(endpoint.string.dropLast()) : endpoint.string
        let path = "/\(blob.bucket)\(blob.path)"
        let query = if case .signature(let query) = credentials { "?\(query)" } else { "" }
        let url = try WebURL(root + path + query)
        // The signature covers the path of the request, so normalisation must not have changed it.
        guard url.string.bytes.hasSuffix(path + query) else {
            throw .invalidURL("the name of the blob cannot be sent as a path")
        }
        var fields = range.map { [("range", $0)] } ?? []
        fields.append(("x-ms-version", Self.version))
        guard case .key(let key) = credentials else { return (url, fields) }
        let date = HTTPDate.text(time)
        let base =
            root.bytes.dropFirst(endpoint.scheme.utf8.count + 3).bytes.halves(at: "/").after.map { "/\($0)" } ?? ""
        let text = Self.text(
            path: "/\(account)\(base)\(path)",
            date: date,
            modifiedSince: lastModified,
            noneMatch: etag,
            range: range
        )
        let code = MessageDigest.sha256.authenticationCode(of: Array(text.utf8), key: key)
        fields.append(("x-ms-date", date))
        fields.append(("authorization", "SharedKey \(account):\(Base64.text(code, isStandard: true))"))
        return (url, fields)
    }

    /// Returns the text to sign for a GET request ("Authorize with Shared Key", version 2015-02-21 and later).
    ///
    /// It consists of twelve lines for the method and standard fields, the `x-ms-` fields, and the account with the
    /// encoded path.
    private static func text(
        path: String,
        date: String,
        modifiedSince: String?,
        noneMatch: String?,
        range: String?
    ) -> String {
        let (encoding, language, length, digest, type, standardDate) = ("", "", "", "", "", "")
        let (match, unmodifiedSince) = ("", "")
        let lines = [
            "GET", encoding, language, length, digest, type, standardDate, modifiedSince ?? "", match, noneMatch ?? "",
            unmodifiedSince, range ?? "", "x-ms-date:\(date)", "x-ms-version:\(version)", path,
        ]
        return lines.joined(separator: "\n")
    }
}

extension AzureConfiguration.Credentials: CustomStringConvertible, CustomReflectable {
    /// The kind of credentials, without the secret.
    package var description: String {
        switch self {
        case .key: "a key"
        case .signature: "a shared access signature"
        }
    }

    /// The mirror is empty, so that a dump does not contain the secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
