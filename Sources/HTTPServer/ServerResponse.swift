package import HTTPTypes

/// The answer to a request.
///
/// The server adds Date, Content-Length and Connection, and sends no body where HTTP allows none (HEAD, 204, 304).
package struct ServerResponse: Sendable {
    /// A final status, 200 to 599.
    package var status: HTTPResponse.Status

    /// The fields to send.
    ///
    /// `Connection: close` closes the connection after the answer; other fields that describe the
    /// connection or the message's framing are the server's own and are left out.
    package var headers: HTTPFields

    package var body: [UInt8]

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
