package import HTTPTypes

/// A response to a request.
///
/// The server adds Date, Content-Length and Connection, and does not send a body where HTTP forbids it (HEAD, 204,
/// 304).
package struct ServerResponse: Sendable {
    /// A final status, 200 to 599.
    package var status: HTTPResponse.Status
    /// The fields to send.
    ///
    /// `Connection: close` closes the connection after the response. The server sets all other connection and framing
    /// fields and drops them from these fields.
    package var headers: HTTPFields
    package var body: [UInt8]
    /// A body that is produced while it is sent, instead of ``body``; nil for none.
    package var stream: ResponseStream?

    /// A serialised head that is sent before ``headers``, with its variable value; nil to serialise the head.
    let preparedHead: (head: PreparedHead, value: String)?

    /// Creates a response with a complete body.
    ///
    /// - Parameters:
    ///   - status: A final status, 200 to 599.
    ///   - headers: Without Date, Content-Length and framing fields, which the server adds.
    ///   - body: The whole body, without transfer coding.
    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        preparedHead = nil
    }

    /// Creates a response with a prepared head; `value` is its variable value.
    package init(_ head: PreparedHead, value: String, body: [UInt8]) {
        status = head.status
        headers = [:]
        self.body = body
        preparedHead = (head, value)
    }
}
