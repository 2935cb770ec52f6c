import Foundation
package import HTTPTypes
import Synchronization

/// An in-memory service for buckets.
///
/// It supports the S3 requests that Headroom sends, and does not check signatures.
package final class TestBuckets: Sendable {
    private struct State {
        var objects: [String: [UInt8]] = [:]
        var uploads: [String: [Int: [UInt8]]] = [:]
        var begun = 0
    }

    private let state = Mutex(State())
    /// Responds instead of the service, unless it returns nil.
    private let fault: Mutex<@Sendable (TestOrigin.Request) -> TestOrigin.Response?>
    private let pageKeys: Int

    /// A service whose lists have pages with this number of keys.
    package init(
        pageKeys: Int = 3,
        fault: @escaping @Sendable (TestOrigin.Request) -> TestOrigin.Response? = { _ in nil }
    ) {
        self.pageKeys = pageKeys
        self.fault = Mutex(fault)
    }

    /// Replaces the function that simulates failures.
    package func fail(_ fault: @escaping @Sendable (TestOrigin.Request) -> TestOrigin.Response?) {
        self.fault.withLock { $0 = fault }
    }

    /// All objects by `bucket/key`.
    package var objects: [String: [UInt8]] {
        get { state.withLock { $0.objects } }
        set { state.withLock { $0.objects = newValue } }
    }

    /// The names of uploads that were started and neither completed nor aborted.
    package var uploads: [String] { state.withLock { Array($0.uploads.keys) } }

    /// The origin of the service, with path-style URLs.
    package func origin() -> TestOrigin {
        TestOrigin { [self] request in
            if let response = fault.withLock({ $0 })(request) { return response }
            return state.withLock { response(to: request, &$0) }
        }
    }

    /// An error response of S3.
    package static func error(_ code: String, _ status: HTTPResponse.Status) -> TestOrigin.Response {
        .init(status: status, body: Array("<Error><Code>\(code)</Code></Error>".utf8))
    }

    private func response(to request: TestOrigin.Request, _ state: inout State) -> TestOrigin.Response {
        let place = String((request.path.removingPercentEncoding ?? "").dropFirst())
        let items = URLComponents(string: "?\(request.query)")?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        switch request.method {
        case "GET" where query["list-type"] != nil: return list(place, query, state)
        case "GET": return read(place, request, state)
        case "PUT":
            if let upload = query["uploadId"], let part = query["partNumber"].flatMap({ Int($0) }) {
                guard state.uploads[upload] != nil else { return Self.error("NoSuchUpload", .notFound) }
                state.uploads[upload]?[part] = request.body
            } else {
                state.objects[place] = request.body
            }
            return .init(status: .ok, headers: [.eTag: "\"\(request.body.count)\""])
        case "POST" where query["uploads"] != nil:
            state.begun += 1
            state.uploads["upload-\(state.begun)"] = [:]
            let text =
                "<InitiateMultipartUploadResult><UploadId>upload-\(state.begun)</UploadId></InitiateMultipartUploadResult>"
            return .init(status: .ok, body: Array(text.utf8))
        case "POST":
            guard let parts = query["uploadId"].flatMap({ state.uploads.removeValue(forKey: $0) }) else {
                return Self.error("NoSuchUpload", .notFound)
            }
            state.objects[place] = parts.sorted { $0.key < $1.key }.flatMap(\.value)
            return .init(
                status: .ok,
                body: Array("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>".utf8)
            )
        case "DELETE":
            if let upload = query["uploadId"] { state.uploads[upload] = nil }
            return .init(status: .noContent)
        default: return .init(status: .methodNotAllowed)
        }
    }

    private func list(_ bucket: String, _ query: [String: String], _ state: State) -> TestOrigin.Response {
        let prefix = "\(bucket)/\(query["prefix"] ?? "")"
        let after = "\(bucket)/\(query["start-after"] ?? "")"
        let found = state.objects.keys.filter {
            $0.utf8.starts(with: prefix.utf8) && after.utf8.lexicographicallyPrecedes($0.utf8)
        }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let keys = found.prefix(pageKeys).map { $0.dropFirst(bucket.count + 1) }.map { key in
            let encoded = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "<Contents><Key>\(encoded)</Key><Size>1</Size></Contents>"
        }
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>\(bucket)</Name>\(keys.joined())
            <IsTruncated>\(found.count > pageKeys)</IsTruncated></ListBucketResult>
            """
        return .init(status: .ok, body: Array(text.utf8))
    }

    private func read(_ place: String, _ request: TestOrigin.Request, _ state: State) -> TestOrigin.Response {
        guard let object = state.objects[place] else { return Self.error("NoSuchKey", .notFound) }
        let etag = "\"\(object.count)\""
        if let wanted = request.headers[.ifMatch], wanted != etag {
            return Self.error("PreconditionFailed", .preconditionFailed)
        }
        guard let range = request.headers[.range]?.dropFirst("bytes=".count) else { return .file(object) }
        let ends = range.split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] < object.count else { return Self.error("InvalidRange", .rangeNotSatisfiable) }
        let last = min(ends[1], object.count - 1)
        let headers: HTTPFields = [.eTag: etag, .contentRange: "bytes \(ends[0])-\(last)/\(object.count)"]
        return .init(status: .partialContent, headers: headers, body: Array(object[ends[0]...last]))
    }
}
