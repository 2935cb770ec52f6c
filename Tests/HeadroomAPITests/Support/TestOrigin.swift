import HTTPServer
import HTTPTypes
import Logging

/// A server that images are fetched from.
struct TestOrigin: HTTPHandler {
    private let answers: [String: ServerResponse]
    private let onSilence: @Sendable () -> Void

    func respond(to request: ServerRequest) async -> ServerResponse {
        if request.path == "/silence" {
            onSilence()
            // Until the client leaves.
            try? await Task.sleep(for: .seconds(60))
        }
        return answers[request.path] ?? ServerResponse(status: .notFound)
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse { ServerResponse(status: status) }

    /// Runs an origin while `body` runs with its address, which ends before the path's slash.
    ///
    /// It answers the given paths, `/silence` never, of which `onSilence` is told, and all others with 404.
    static func running<Result: Sendable>(
        _ answers: [String: ServerResponse],
        onSilence: @escaping @Sendable () -> Void = {},
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await running(TestOrigin(answers: answers, onSilence: onSilence), body)
    }

    /// Runs an origin that answers with a handler of the test's own.
    static func running<Result: Sendable>(
        _ handler: some HTTPHandler,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let server = HTTPServer(
            handler: handler,
            logger: Logger(label: "origin") { _ in SwiftLogNoOpLogHandler() }
        )
        let address = try server.bind(to: .tcp(host: "127.0.0.1", port: 0))
        async let run: Void = server.run()
        do {
            let result = try await body("http://\(address)")
            server.shutdown()
            await run
            return result
        } catch {
            server.shutdown()
            await run
            throw error
        }
    }
}

extension ServerResponse {
    /// A picture as an origin sends it, with the type that hardly matters.
    static func file(_ bytes: [UInt8]) -> ServerResponse {
        ServerResponse(status: .ok, headers: [.contentType: "application/octet-stream"], body: bytes)
    }
}
