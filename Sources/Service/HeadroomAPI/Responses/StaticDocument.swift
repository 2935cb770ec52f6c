import Cryptography
import Encodings
package import HTTPServer
package import HTTPTypes

/// A document that is the same for every request, with its entity tag.
package final class StaticDocument: Sendable {
    package let body: [UInt8]
    private let headers: HTTPFields
    private let tag: EntityTag

    /// Creates a document; its entity tag depends on its bytes and fields.
    package init(_ body: [UInt8], _ headers: HTTPFields) {
        let lines = headers.map { "\($0.name): \($0.value)\n" }.joined()
        let tag = EntityTag(String(Hexadecimal.text(SHA256.digest(of: Array(lines.utf8) + body)).prefix(32)))
        var headers = headers
        headers[.eTag] = tag.text
        (self.headers, self.body, self.tag) = (headers, body, tag)
    }

    /// Returns the document, or 304 for a client that has it (RFC 9110 §13.1.2).
    package func response(to request: ServerRequest) -> ServerResponse {
        guard IfNoneMatch.holds(request.headers[.ifNoneMatch], for: tag) else {
            return ServerResponse(status: .ok, headers: headers, body: body)
        }
        var headers = headers
        headers[.contentType] = nil
        return ServerResponse(status: .notModified, headers: headers)
    }
}
