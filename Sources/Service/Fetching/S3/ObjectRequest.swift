import Encodings

/// One request to the S3 service.
struct ObjectRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    var method = Method.get
    /// The object; an empty key represents the bucket itself.
    var place: ObjectPlace
    /// Names and values, not encoded.
    var query: [String: String] = [:]
    /// The body; empty with GET and DELETE.
    var body: [UInt8] = []
    /// Other header fields with names in lower case; all are signed.
    var fields: [String: String] = [:]

    /// The encoded query of the request, sorted by name.
    var encodedQuery: String {
        query.map { "\(PercentEncoding.encoded($0.key))=\(PercentEncoding.encoded($0.value))" }.sorted()
            .joined(separator: "&")
    }
}
