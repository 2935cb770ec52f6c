import Encodings

/// Where objects are, and what is needed to read them.
package struct S3Configuration: Hashable, Sendable {
    /// The address of an S3-compatible service, without a path: MinIO, Ceph, R2; nil for AWS.
    package var endpoint: WebURL?
    /// The region in signatures, such as `eu-central-1`.
    package var region: String
    /// Whether the bucket is in the path, and not in the host's name.
    ///
    /// Buckets whose names are no label of a host's name are in the path in any case.
    package var usesPathStyle: Bool
    /// The buckets that may be read.
    package var buckets: S3BucketList
    package var credentials: S3Credentials

    /// A configuration.
    ///
    /// - Parameters:
    ///   - endpoint: See ``endpoint``.
    ///   - region: See ``region``.
    ///   - usesPathStyle: Nil for the usual style: the path with an endpoint, the host with AWS.
    ///   - buckets: See ``buckets``.
    ///   - credentials: See ``credentials``.
    package init(
        endpoint: WebURL? = nil,
        region: String = "us-east-1",
        usesPathStyle: Bool? = nil,
        buckets: S3BucketList,
        credentials: S3Credentials
    ) {
        self.endpoint = endpoint
        self.region = region
        self.usesPathStyle = usesPathStyle ?? (endpoint != nil)
        self.buckets = buckets
        self.credentials = credentials
    }

    /// Whether a text can be a region: 1 to 64 lower-case letters, digits and hyphens.
    package static func isRegion(_ text: String) -> Bool {
        1...64 ~= text.utf8.count && text.utf8.allSatisfy(isLabelByte)
    }

    /// The scheme, name and port of the service, without a bucket.
    package var service: String {
        guard let endpoint else {
            return "https://s3.\(region).amazonaws.com" + (region.hasPrefix("cn-") ? ".cn" : "")
        }
        return String(endpoint.string.dropLast())
    }

    /// The request for an object: its URL, and its header fields with the signature.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long.
    package func request(
        for object: S3URL,
        at time: UnixTime,
        others: [String: String] = [:]
    ) throws(FetchError) -> (url: WebURL, fields: [(name: String, value: String)]) {
        let query = object.versionID.map { "versionId=\($0)" } ?? ""
        return try signed(object.bucket, object.path, query: query, others: others, at: time)
    }

    /// A request for an object or a bucket: its URL, and its header fields with the signature.
    ///
    /// - Throws: ``FetchError/invalidURL(_:)`` if the URL becomes too long.
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
        if !usesPathStyle, Self.isLabel(bucket), let name = root.firstRange(of: "://") {
            root.insert(contentsOf: "\(bucket).", at: name.upperBound)
        } else {
            path = path == "/" ? "/\(bucket)" : "/\(bucket)\(path)"
        }
        let url = try WebURL(root + path + (query.isEmpty ? "" : "?\(query)"))
        // The signature is for the path as it is sent.
        guard url.string.hasSuffix(path + (query.isEmpty ? "" : "?\(query)")) else {
            throw .invalidURL("the key cannot be sent as a path")
        }
        let isUsualPort = url.port == (url.scheme == "https" ? 443 : 80)
        let host = isUsualPort ? url.host : "\(url.host):\(url.port)"
        let fields = S3Signature(credentials, region: region, at: time).fields(
            host: host,
            method: method,
            path: path,
            query: query,
            others: others,
            body: body
        )
        return (url, fields)
    }

    /// Whether a bucket can be a label of a host's name that certificates for one level of names cover.
    private static func isLabel(_ bucket: String) -> Bool {
        3...63 ~= bucket.utf8.count && bucket.utf8.last != UInt8(ascii: "-") && bucket.utf8.allSatisfy(isLabelByte)
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

/// The buckets that may be read, from the configuration: names, or `*` for all that the credentials can read.
package struct S3BucketList: Hashable, Sendable {
    /// Nil for all.
    private let names: Set<String>?

    /// Parses names separated by commas, or `*`; nil if the text is invalid.
    package init?(_ text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
        guard names != ["*"] else {
            self.names = nil
            return
        }
        guard names.allSatisfy({ (try? S3URL("s3://\($0)/x"))?.bucket == $0 }) else { return nil }
        self.names = Set(names)
    }

    func contains(_ bucket: String) -> Bool { names?.contains(bucket) ?? true }
}
