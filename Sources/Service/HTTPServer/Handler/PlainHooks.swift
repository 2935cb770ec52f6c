package import Admission
package import HTTPTypes

/// The hooks of a server that receives each body completely, trusts no proxy, and has no immediate responses.
package struct PlainHooks: ServerHooks {
    private let format: @Sendable (HTTPResponse.Status, _ detail: String) -> ServerResponse

    /// Creates the hooks.
    ///
    /// - Parameter format: Returns the response to a request that the server rejects; `detail` is one sentence.
    package init(_ format: @escaping @Sendable (HTTPResponse.Status, _ detail: String) -> ServerResponse) {
        self.format = format
    }

    package func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse { format(status, detail) }

    package func immediateResponse(to request: ServerRequest) -> ServerResponse? { nil }

    package func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? { nil }

    package func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? { nil }

    package func isProxy(_ peer: PeerAddress) -> Bool { false }

    package func client(of request: ServerRequest) -> Client? { request.client.client }

    package func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { nil }
}
