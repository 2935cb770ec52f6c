import Cryptography
import UntrustedText
import Encodings

/// The S3 service: its address, buckets and credentials.
package struct S3Configuration: Hashable, Sendable {
    /// The endpoint URL of an S3-compatible service, such as MinIO, Ceph or R2; nil for AWS.
    ///
    /// It may contain a path, as Supabase requires.
    ///
    /// See ``isEndpoint(_:)`` for the rules of the path.
    package var endpoint: WebURL?
    /// The region in signatures, such as `eu-central-1`.
    package var region: String
    /// Whether the bucket is in the path instead of the host name.
    ///
    /// Buckets whose names are not valid host name labels are always in the path.
    package var usesPathStyle: Bool
    package var buckets: S3BucketList
    package var credentials: S3CredentialSource

    /// Creates a configuration of one service.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint URL of an S3-compatible service; nil for AWS.
    ///   - region: The region in signatures.
    ///   - usesPathStyle: Whether the bucket is in the path. Nil for the default: in the path with an endpoint, in the
    ///     host name with AWS.
    ///   - buckets: The buckets that may be read.
    ///   - credentials: The source of credentials, such as fixed keys.
    package init(
        endpoint: WebURL? = nil,
        region: String = "us-east-1",
        usesPathStyle: Bool? = nil,
        buckets: S3BucketList,
        credentials: S3CredentialSource
    ) {
        self.endpoint = endpoint
        self.region = region
        self.usesPathStyle = usesPathStyle ?? (endpoint != nil)
        self.buckets = buckets
        self.credentials = credentials
    }

    /// Creates a configuration with fixed credentials.
    package init(
        endpoint: WebURL? = nil,
        region: String = "us-east-1",
        usesPathStyle: Bool? = nil,
        buckets: S3BucketList,
        credentials: S3Credentials
    ) {
        self.init(
            endpoint: endpoint,
            region: region,
            usesPathStyle: usesPathStyle,
            buckets: buckets,
            credentials: .keys(credentials)
        )
    }

    /// Whether a text can be a region: 1 to 64 lower-case letters, digits and hyphens.
    package static func isRegion(_ text: String) -> Bool { text.isPlainName(atMost: 64) }

    /// The scheme, name, port and path of the service, without a bucket and without a slash at the end.
    package var service: String {
        guard let endpoint else {
            return "https://s3.\(region).amazonaws.com" + (region.bytes.hasPrefix("cn-") ? ".cn" : "")
        }
        return endpoint.string.bytes.hasSuffix("/") ? String(endpoint.string.dropLast()) : endpoint.string
    }

    /// Whether a URL can be the endpoint of a service.
    ///
    /// Its path, which is part of the signature, must contain only unreserved characters and single slashes. It must
    /// not have a query.
    package static func isEndpoint(_ url: WebURL) -> Bool {
        let path = url.string.utf8.dropFirst(url.scheme.utf8.count + 3).drop { $0 != UInt8(ascii: "/") }
        let isPlain = path.allSatisfy { $0.isAlphanumeric || "-._~/".utf8.contains($0) }
        let slash = UInt8(ascii: "/")
        return isPlain && !zip(path, path.dropFirst()).contains { $0 == slash && $1 == slash }
    }

    /// Creates the request for an object: its URL and its signed header fields.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long, or the reason why a role lacks credentials.
    package func request(
        for object: S3URL,
        at time: UnixTime,
        others: [String: String] = [:]
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        let query = object.versionID.map { "versionId=\($0)" } ?? ""
        return try signed(object.bucket, object.path, query: query, others: others, at: time)
    }

    /// Creates a request for an object or a bucket: its URL and its signed header fields.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long, or the reason why a role lacks credentials.
    func signed(
        _ request: ObjectRequest,
        at time: UnixTime
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        try signed(
            request.place.bucket,
            request.place.path,
            method: request.method.rawValue,
            query: request.encodedQuery,
            others: request.fields,
            body: Hexadecimal.text(SHA256.digest(of: request.body)),
            at: time
        )
    }

    private func signed(
        _ bucket: String,
        _ object: String,
        method: String = "GET",
        query: String,
        others: [String: String],
        body: String = S3Signature.emptyBody,
        at time: UnixTime
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        var (root, path) = (service, object)
        var base = ""
        if let name = root.bytes.firstRange(of: "://"),
            let slash = root.utf8[name.upperBound...].firstIndex(of: UInt8(ascii: "/"))
        {
            base = String(root[slash...])
            root = String(root[..<slash])
        }
        if !usesPathStyle, Self.isLabel(bucket), let name = root.bytes.firstRange(of: "://") {
            root.insert(contentsOf: "\(bucket).", at: name.upperBound)
        } else {
            path = path == "/" ? "/\(bucket)" : "/\(bucket)\(path)"
        }
        path = base + path
        let url = try WebURL(root + path + (query.isEmpty ? "" : "?\(query)"))
        // The signature covers the path of the request, so normalisation must not have changed it.
        guard url.string.bytes.hasSuffix(path + (query.isEmpty ? "" : "?\(query)")) else {
            throw .invalidURL("the key cannot be sent as a path")
        }
        let isUsualPort = url.port == (url.scheme == "https" ? 443 : 80)
        let host = isUsualPort ? url.host : "\(url.host):\(url.port)"
        let fields = S3Signature(try credentials.current(), region: region, at: time).fields(
            host: host,
            method: method,
            path: path,
            query: query,
            others: others,
            body: body
        )
        return (url, fields)
    }

    /// Whether a bucket name can be a single host name label.
    ///
    /// A wildcard certificate covers only one label.
    private static func isLabel(_ bucket: String) -> Bool {
        bucket.isPlainName(atMost: 63) && bucket.utf8.count >= 3 && bucket.utf8.last != UInt8(ascii: "-")
    }
}

/// A file with the credentials of several profiles, in the format of the AWS tools.
///
///     [default]
///     aws_access_key_id = …
///     aws_secret_access_key = …
package struct S3CredentialsFile: Sendable {
    /// The values by profile and by name.
    private var profiles: [String: [String: String]] = [:]

    /// Parses the text of a file.
    ///
    /// Ignores lines that are neither sections nor values.
    package init(_ text: String) {
        var profile: String?
        // trusted: a file of the operator.
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.bytes.trimmed()
            if line.bytes.hasPrefix("["), line.bytes.hasSuffix("]") {
                let words = line.dropFirst().dropLast().bytes.split(separator: " ")
                // AWS's `config` files use `[profile name]`.
                profile = words.last.map(String.init)
                continue
            }
            let sides = line.bytes.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let profile, sides.count == 2, !line.bytes.hasPrefix("#"), !line.bytes.hasPrefix(";") else {
                continue
            }
            profiles[profile, default: [:]][sides[0].bytes.trimmed().bytes.lowercased()] = String(
                sides[1].bytes.trimmed()
            )
        }
    }

    /// Returns the credentials of a profile; nil if they are missing or invalid.
    package func credentials(of profile: String) -> S3Credentials? {
        guard let values = profiles[profile], let id = values["aws_access_key_id"],
            let secret = values["aws_secret_access_key"]
        else { return nil }
        return S3Credentials(
            accessKeyID: id,
            secretAccessKey: secret,
            sessionToken: values["aws_session_token"].flatMap { $0.isEmpty ? nil : $0 }
        )
    }
}
