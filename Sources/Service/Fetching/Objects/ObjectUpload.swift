import UntrustedText
import Encodings

/// A multipart upload.
///
/// The object becomes visible when ``finish()`` is called.
///
/// If an upload is neither finished nor dropped, its parts stay in the bucket. They are invisible but cost storage.
package struct ObjectUpload: Sendable {
    /// The number of a part and its entity tag.
    private var parts: [(number: Int, etag: String)] = []
    private let store: ObjectStore
    private let place: ObjectPlace
    /// The upload's identifier (`UploadId`); a later process can pass it to ``ObjectStore/drop(_:of:)``.
    package let name: String

    /// Starts an upload with one request, and blocks.
    ///
    /// - Parameters:
    ///   - store: The store, which may serve other requests at the same time.
    ///   - place: The object, with its complete key.
    ///   - type: The media type of the object, such as `application/x-tar`.
    /// - Throws: A ``FetchError``: ``FetchError/blocked(_:)`` for a bucket that is not allowed, and
    ///   ``FetchError/storeRefused(status:reason:)`` if the service refuses.
    package init(_ store: ObjectStore, to place: ObjectPlace, type: String) throws(FetchError) {
        self.store = store
        self.place = place
        let request = ObjectRequest(method: .post, place: place, query: ["uploads": ""], fields: ["content-type": type])
        let response = try store.send(request, needing: ObjectStore.writing)
        guard let name = S3Text.element("UploadId", in: String(decoding: response.body, as: UTF8.self)[...]),
            1...1024 ~= name.utf8.count, name.utf8.allSatisfy({ 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "&") })
        else { throw .invalidResponse("the upload has no name") }
        self.name = String(name)
    }

    /// Sends the next part and blocks.
    ///
    /// A part has at least 5 MiB, except for the last part.
    package mutating func send(_ bytes: [UInt8]) throws(FetchError) {
        let number = parts.count + 1
        let request = ObjectRequest(
            method: .put,
            place: place,
            query: ["partNumber": "\(number)", "uploadId": name],
            body: bytes
        )
        guard let etag = try store.send(request, needing: ObjectStore.writing).etag,
            etag.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&") })
        else { throw .invalidResponse("a part has no entity tag") }
        parts.append((number, etag))
    }

    /// Completes the upload and makes the object visible; blocks.
    package func finish() throws(FetchError) {
        let list = parts.map { "<Part><PartNumber>\($0.number)</PartNumber><ETag>\($0.etag)</ETag></Part>" }
        let request = ObjectRequest(
            method: .post,
            place: place,
            query: ["uploadId": name],
            body: Array("<CompleteMultipartUpload>\(list.joined())</CompleteMultipartUpload>".utf8),
            fields: ["content-type": "application/xml"]
        )
        let response = try store.send(request, needing: ObjectStore.writing)
        // S3 sends status 200 before it has joined the parts, so the body can still contain an error.
        guard String(decoding: response.body, as: UTF8.self).bytes.contains("<CompleteMultipartUploadResult") else {
            throw .incomplete("the upload was not finished: \(S3Text.errorCode(in: response.body) ?? "no code")")
        }
    }
}
