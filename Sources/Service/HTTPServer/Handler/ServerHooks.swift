package import Admission
package import HTTPTypes

/// Decisions of an application before, or instead of, ``HTTPHandler/respond(to:)``.
///
/// All are called on event loops, so they must be fast. ``PlainHooks`` is for applications that need none of them.
package protocol ServerHooks: Sendable {
    /// Returns a response that is available without waiting, or nil to call ``HTTPHandler/respond(to:)``.
    ///
    /// Called for a complete request of up to 4 KiB.
    func immediateResponse(to request: ServerRequest) -> ServerResponse?

    /// Returns a response that rejects a request before its body is received, or nil to receive the body.
    ///
    /// Called after the head of a request with a body. `bodyLength` is nil for a chunked body. After a rejection, a body
    /// of up to 64 KiB is skipped. If the body is larger or chunked, the input is discarded and the connection is closed.
    /// A client that waits for `100 Continue` does not send the body.
    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse?

    /// Returns the client that a trusted proxy reports in the fields of a request; nil if `peer` itself is the client.
    ///
    /// Called after each head. Limits per address then apply to the returned client.
    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress?

    /// Whether connections from an address come from a trusted proxy.
    ///
    /// A trusted proxy is exempt from the limit per address.
    func isProxy(_ peer: PeerAddress) -> Bool

    /// Returns the client whose fair shares a request uses, in the budgets for bodies and for unsent responses.
    ///
    /// Nil for a client without fair shares.
    ///
    /// Called for a request with a body, and for a response that the socket does not accept immediately.
    func client(of request: ServerRequest) -> Client?

    /// Returns a receiver for a request's body, which receives the body while it arrives.
    ///
    /// Nil to collect the whole body first.
    ///
    /// Called after ``refusal(ofHead:bodyLength:)``. Then ``HTTPHandler/respond(to:)`` is called immediately, with an
    /// empty body and with the receiver. The connection is closed after the response.
    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)?

    /// Returns the response to a request that the server itself rejects, in the application's format.
    ///
    /// The connection is closed after the response. The status is 400,
    /// 408, 413, 414, 417, 422 (response too large), 431, 500, 501, 505, or 503 (connection or memory limit reached).
    /// `detail` is one sentence.
    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse
}
