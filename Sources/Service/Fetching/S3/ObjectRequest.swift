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
    /// The object; an empty key stands for the bucket itself.
    var place: ObjectPlace
    /// Names and values, not encoded.
    var query: [String: String] = [:]
    /// The bytes that are sent; none with GET and DELETE.
    var body: [UInt8] = []
    /// Further header fields, names in lower case, which are signed.
    var fields: [String: String] = [:]

    /// The query as it is sent: sorted by name, encoded.
    var encodedQuery: String {
        query.map { "\(PercentEncoding.encoded($0.key))=\(PercentEncoding.encoded($0.value))" }.sorted()
            .joined(separator: "&")
    }
}
