import Dispatch
import Encodings
import Synchronization

/// Lists, reads and writes objects.
///
/// It opens a connection for each concurrent request and keeps it for later requests.
///
/// Unchecked because a lock protects the list of idle connections, and only one caller uses a connection at a time.
package final class ObjectStore: @unchecked Sendable {
    private let s3: S3Configuration
    private let configuration: FetchConfiguration
    private let lock = Mutex(())
    private var idle: [ObjectConnection] = []

    /// Creates a store; nil if no S3 service is configured.
    package init?(_ configuration: FetchConfiguration) {
        guard let s3 = configuration.rules.s3 else { return nil }
        self.s3 = s3
        self.configuration = configuration
    }

    /// Returns the reason why a bucket must not be used, as the predicate of a sentence; nil if it may be used.
    package func refusal(of place: ObjectPlace) -> String? {
        s3.buckets.contains(place.bucket) ? nil : "\(place.bucket) is not an allowed bucket"
    }

    /// Lists objects whose keys start with the key of a place; blocks.
    ///
    /// - Parameters:
    ///   - place: The bucket, and the prefix of keys.
    ///   - last: The last key of the previous page; empty for the first page.
    /// - Returns: A page of at most 1000 keys.
    /// - Throws: A ``FetchError``; ``FetchError/notFound(status:)`` if the bucket does not exist.
    package func list(_ place: ObjectPlace, after last: String) throws(FetchError) -> ObjectPage {
        var query = ["list-type": "2", "encoding-type": "url", "prefix": place.key]
        if !last.isEmpty { query["start-after"] = last }
        let bucket = ObjectPlace(bucket: place.bucket, key: "")
        let response = try send(ObjectRequest(place: bucket, query: query), needing: "the permission s3:ListBucket")
        return try ObjectPage(response.body, after: last)
    }

    /// Reads a part of an object; blocks.
    ///
    /// - Parameters:
    ///   - place: The object.
    ///   - range: The byte range, at least one byte; fewer bytes are returned if the object ends earlier.
    ///   - etag: The required entity tag of the object; nil for any.
    /// - Returns: The bytes, the length of the whole object, and its entity tag; no bytes and no tag if the range
    ///   starts at or after the end.
    /// - Throws: A ``FetchError``, including if the object has a different entity tag.
    package func read(
        _ place: ObjectPlace,
        _ range: Range<Int>,
        ifMatch etag: String? = nil
    ) throws(FetchError) -> (bytes: [UInt8], length: Int, etag: String?) {
        var request = ObjectRequest(place: place)
        request.fields["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
        request.fields["if-match"] = etag
        let response: ObjectResponse
        do throws(FetchError) {
            response = try send(request, needing: "the permission s3:GetObject")
        } catch .storeRefused(status: 416, _) {
            // 416 means that the range starts at or after the end, which is true for every range of an empty object.
            return ([], range.lowerBound, nil)
        }
        guard response.status == 206, let length = response.wholeLength,
            response.body.count == min(range.upperBound, length) - range.lowerBound
        else { throw .invalidResponse("the store did not send the requested part of the object") }
        return (response.body, length, response.etag)
    }

    /// Writes an object on a background thread.
    ///
    /// An existing object is replaced atomically.
    package func put(_ bytes: [UInt8], to place: ObjectPlace, type: String) async throws(FetchError) {
        let result: Result<Void, FetchError> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(FetchError) in try self.putNow(bytes, to: place, type: type) }
                )
            }
        }
        try result.get()
    }

    /// Writes an object and blocks.
    ///
    /// An existing object is replaced atomically.
    ///
    /// - Throws: A ``FetchError``.
    package func write(_ bytes: [UInt8], to place: ObjectPlace, type: String) throws(FetchError) {
        try putNow(bytes, to: place, type: type)
    }

    /// Deletes an object and blocks.
    ///
    /// Succeeds even if the object does not exist.
    ///
    /// - Throws: A ``FetchError``.
    package func delete(_ place: ObjectPlace) throws(FetchError) {
        do throws(FetchError) {
            _ = try send(ObjectRequest(method: .delete, place: place), needing: "the permission s3:DeleteObject")
        } catch .notFound {}
    }

    func putNow(_ bytes: [UInt8], to place: ObjectPlace, type: String) throws(FetchError) {
        let request = ObjectRequest(method: .put, place: place, body: bytes, fields: ["content-type": type])
        _ = try send(request, needing: Self.writing)
    }

    static let writing = "the permission s3:PutObject"

    /// Sends a request on an idle or a new connection, and blocks.
    func send(_ request: ObjectRequest, needing permissions: String) throws(FetchError) -> ObjectResponse {
        let connection = lock.withLock { _ in idle.popLast() } ?? ObjectConnection(s3, configuration)
        defer { lock.withLock { _ in idle.append(connection) } }
        return try connection.send(request, needing: permissions)
    }
}

/// A response of the S3 service with status 200, 204 or 206.
struct ObjectResponse {
    var status: Int
    var body: [UInt8]
    /// The unchanged entity tag of the response; nil without an entity tag.
    var etag: String?
    var contentRange: String?

    /// The length of the whole object, from `Content-Range`; nil if the service does not state it.
    var wholeLength: Int? {
        guard let contentRange, let slash = contentRange.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let digits = contentRange[contentRange.index(after: slash)...]
        guard digits.utf8.count <= 15, digits.isDecimal else { return nil }
        return Int(digits)
    }
}
