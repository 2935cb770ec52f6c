import CCurl
import Cryptography
import Encodings

/// The AWS Signature Version 4 of a request, as described in "Authenticating Requests: Using the Authorization Header"
/// of the S3 API reference.
///
/// libcurl 7.88 can also sign, but it omits `x-amz-content-sha256`, which S3 requires, and does not sort the query.
package struct S3Signature {
    private static let algorithm = "AWS4-HMAC-SHA256"
    /// SHA-256 of an empty body.
    static let emptyBody = Hexadecimal.text(SHA256.digest(of: [UInt8]()))

    private let credentials: S3Credentials
    private let region: String
    /// The time of the signature, such as `20260301T081530Z`.
    private let timestamp: String

    /// Creates a signature with credentials for one region at one time.
    package init(_ credentials: S3Credentials, region: String, at time: UnixTime) {
        self.credentials = credentials
        self.region = region
        timestamp = UTCTime(seconds: time.seconds).basic
    }

    /// Returns the header fields that a request needs in addition to `Host`.
    ///
    /// - Parameters:
    ///   - host: The value of `Host`.
    ///   - method: The method of the request.
    ///   - path: The path of the request; everything is percent-encoded except unreserved characters and slashes.
    ///   - query: The query of the request, percent-encoded in the same way. Parameters are sorted by name, and each
    ///     name is followed by `=`. Empty for none.
    ///   - others: Other fields to sign, with names in lower case.
    ///   - body: SHA-256 of the body, in hexadecimal digits.
    /// - Returns: The fields, with names in lower case.
    package func fields(
        host: String,
        method: String = "GET",
        path: String,
        query: String = "",
        others: [String: String] = [:],
        body: String = emptyBody
    ) -> [(name: String, value: String)] {
        var fields = others
        fields["x-amz-content-sha256"] = body
        fields["x-amz-date"] = timestamp
        fields["x-amz-security-token"] = credentials.sessionToken
        var signed = fields
        signed["host"] = host
        let sorted = signed.sorted { $0.key < $1.key }
        let names = sorted.map(\.key).joined(separator: ";")
        let request = [
            method, path, query, sorted.map { "\($0.key):\($0.value)\n" }.joined(), names, body,
        ].joined(separator: "\n")
        let day = String(timestamp.prefix(8))
        let scope = "\(day)/\(region)/s3/aws4_request"
        let text = [Self.algorithm, timestamp, scope, Hexadecimal.text(SHA256.digest(of: Array(request.utf8)))]
            .joined(separator: "\n")
        let key = [day, region, "s3", "aws4_request"].reduce(Array("AWS4\(credentials.secretAccessKey)".utf8)) {
            MessageDigest.sha256.authenticationCode(of: Array($1.utf8), key: $0)
        }
        let signature = Hexadecimal.text(MessageDigest.sha256.authenticationCode(of: Array(text.utf8), key: key))
        fields["authorization"] =
            "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
