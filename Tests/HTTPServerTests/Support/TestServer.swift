import Admission
import HTTPServer
import HTTPTypes
import Logging
import TestHTTP

/// A handler composed of closures.
struct ClosureHandler: HTTPHandler, ServerHooks {
    let body: @Sendable (ServerRequest) async -> ServerResponse
    var headRefusal: @Sendable (ServerRequest, Int?) -> ServerResponse? = { _, _ in nil }
    var receiver: @Sendable (ServerRequest) -> (any BodyReceiver)? = { _ in nil }
    var immediate: @Sendable (ServerRequest) -> ServerResponse? = { _ in nil }
    /// Whether the field `X-Client` of a request names its client.
    var trustsProxies = false
    var owner: @Sendable (ServerRequest) -> Client? = { $0.client.client }

    func client(behind peer: PeerAddress, _ headers: HTTPFields) -> PeerAddress? {
        guard trustsProxies, let name = HTTPField.Name("X-Client") else { return nil }
        return headers[name].map { PeerAddress(host: $0) }
    }

    func isProxy(_ peer: PeerAddress) -> Bool { trustsProxies }

    func client(of request: ServerRequest) -> Client? { owner(request) }

    func immediateResponse(to request: ServerRequest) -> ServerResponse? { immediate(request) }

    func bodyReceiver(for request: ServerRequest) -> (any BodyReceiver)? { receiver(request) }

    func respond(to request: ServerRequest) async -> ServerResponse { await body(request) }

    func refusal(ofHead request: ServerRequest, bodyLength: Int?) -> ServerResponse? {
        headRefusal(request, bodyLength)
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse {
        ServerResponse(status: status, headers: [.contentType: "text/plain"], body: Array(detail.utf8))
    }
}

/// A server that echoes requests.
func echoServer(_ logger: Logger = Logger(label: "test")) -> HTTPServer {
    let application = ClosureHandler(body: echo)
    return HTTPServer(handler: application, hooks: application, logger: logger)
}

extension ServerResponse {
    init(text: String, status: HTTPResponse.Status = .ok) {
        self.init(status: status, body: Array(text.utf8))
    }
}

/// A response that describes the request: `METHOD target authority body`.
@Sendable
func echo(_ request: ServerRequest) async -> ServerResponse {
    let body = String(decoding: request.body, as: UTF8.self)
    return ServerResponse(text: "\(request.method) \(request.target) \(request.authority ?? "-") \(body)")
}

extension ServerConfiguration {
    /// The default configuration with changes, and with long timeouts: hundreds of tests share the processors, so a
    /// client may wait a long time for a processor.
    static func with(_ change: (inout Self) -> Void = { _ in }) -> Self {
        var configuration = Self()
        configuration.headerTimeout = .seconds(300)
        configuration.idleTimeout = .seconds(300)
        configuration.idleGrace = .seconds(300)
        // Handshakes on the local machine complete at once.
        configuration.handshakeGrace = .zero
        change(&configuration)
        return configuration
    }
}

/// Runs a server on a free port while `body` runs, and shuts it down.
func withServer<Result: Sendable>(
    _ configuration: ServerConfiguration = .with(),
    on address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
    handler: @escaping @Sendable (ServerRequest) async -> ServerResponse = echo,
    headRefusal: @escaping @Sendable (ServerRequest, Int?) -> ServerResponse? = { _, _ in nil },
    receiver: @escaping @Sendable (ServerRequest) -> (any BodyReceiver)? = { _ in nil },
    immediate: @escaping @Sendable (ServerRequest) -> ServerResponse? = { _ in nil },
    trustsProxies: Bool = false,
    owner: @escaping @Sendable (ServerRequest) -> Client? = { $0.client.client },
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    _ body: (HTTPServer, BoundAddress) async throws -> Result
) async throws -> Result {
    let application = ClosureHandler(
        body: handler,
        headRefusal: headRefusal,
        receiver: receiver,
        immediate: immediate,
        trustsProxies: trustsProxies,
        owner: owner
    )
    let server = HTTPServer(
        configuration: configuration,
        handler: application,
        hooks: application,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        now: now
    )
    let bound = try server.bind(to: address)
    async let run: Void = server.run()
    do {
        let result = try await body(server, bound)
        server.shutdown()
        await run
        return result
    } catch {
        server.shutdown()
        await run
        throw error
    }
}

extension TestClient {
    /// Connects to a server's address, or to `host` at its port.
    convenience init(
        _ address: BoundAddress,
        host: String? = nil,
        from source: String? = nil,
        receiveBuffer: Int32? = nil
    ) throws {
        let peer: Peer =
            switch address {
            case .tcp(let bound, let port): .tcp(host: host ?? bound, port: port)
            case .unix(let path): .unix(path: path)
            case .inherited(let number): preconditionFailure("descriptor \(number) is not a bound address")
            }
        try self.init(to: peer, from: source, receiveBuffer: receiveBuffer)
    }
}
