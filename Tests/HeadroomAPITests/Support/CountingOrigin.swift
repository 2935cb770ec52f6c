import HTTPServer
import HTTPTypes
import Logging
import Synchronization

/// An origin that answers as a test says, and remembers what it was asked.
final class CountingOrigin: HTTPHandler {
    /// One request that came.
    struct Asked: Sendable {
        let path: String
        let noneMatch: String?
        let modifiedSince: String?
    }

    private let asked = Mutex<[Asked]>([])
    private let answer: Mutex<@Sendable (ServerRequest) -> ServerResponse>

    init(_ answer: @escaping @Sendable (ServerRequest) -> ServerResponse) { self.answer = Mutex(answer) }

    /// Every request so far.
    var requests: [Asked] { asked.withLock { $0 } }

    /// Answers otherwise from now on.
    func change(_ answer: @escaping @Sendable (ServerRequest) -> ServerResponse) {
        self.answer.withLock { $0 = answer }
    }

    func respond(to request: ServerRequest) async -> ServerResponse {
        asked.withLock {
            $0.append(
                Asked(
                    path: request.path,
                    noneMatch: request.headers[.ifNoneMatch],
                    modifiedSince: request.headers[.ifModifiedSince]
                )
            )
        }
        return answer.withLock { $0 }(request)
    }

    func refusal(status: HTTPResponse.Status, detail: String) -> ServerResponse { ServerResponse(status: status) }

    /// Runs while `body` runs with the origin's address, which ends before the path's slash.
    func running<Result: Sendable>(_ body: (String) async throws -> Result) async throws -> Result {
        let server = HTTPServer(handler: self, logger: Logger(label: "origin") { _ in SwiftLogNoOpLogHandler() })
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

/// A clock that a test sets, in seconds since 1970.
final class SetClock: Sendable {
    private let seconds = Atomic(1_700_000_000)

    var now: Int { seconds.load(ordering: .sequentiallyConsistent) }

    func advance(by more: Int) { seconds.add(more, ordering: .sequentiallyConsistent) }
}
