package import HTTPTypes

/// A response to a request.
///
/// The server adds Date, Content-Length and Connection, and sends no body where HTTP allows none (HEAD, 204, 304).
package struct ServerResponse: Sendable {
    /// A final status, 200 to 599.
    package var status: HTTPResponse.Status

    /// The fields to send.
    ///
    /// `Connection: close` closes the connection after the response. Other connection and framing fields are set by
    /// the server and dropped here.
    package var headers: HTTPFields

    package var body: [UInt8]

    /// A body that is produced while it is sent, instead of ``body``; nil for none.
    package var stream: ResponseStream?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
