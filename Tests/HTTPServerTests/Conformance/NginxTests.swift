import HTTPServer
import HTTPTypes
import Synchronization
import TestHTTP
import TestPacing
import Testing

/// nginx and the server behind it must agree on where each request ends.
@Suite(.limitedConcurrency, .enabled(if: Nginx.isInstalled, Nginx.advice))
struct NginxTests {
    @Test(arguments: [false, true])
    func `nginx and the server parse the same requests from any input`(
        streamsBodies: Bool
    ) async throws {
        let arrived = Mutex<[Nginx.Forwarded]>([])
        let id = try #require(HTTPField.Name("X-Request-ID"))
        try await withServer(on: .unix(path: temporarySocketPath())) { request in
            // If nginx did not forward a request as a separate request, the request has no ID or the ID of another
            // request.
            let entry = Nginx.Forwarded(id: request.headers[id] ?? "none", target: request.target)
            arrived.withLock { $0.append(entry) }
            return ServerResponse(text: request.target)
        } _: { _, address in
            guard case .unix(let path) = address else { return }
            let nginx = try await Nginx(before: path)
            let entrance = BoundAddress.unix(path: streamsBodies ? nginx.streamed : nginx.buffered)
            #expect(await eventually { (try? TestClient(.unix(path: nginx.patient))) != nil })
            for (number, example) in Conformance.cases.enumerated() {
                let attacker = try TestClient(entrance)
                let last = "GET /last-\(number) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
                // nginx may reject the request and close the connection before everything is sent.
                try? await attacker.send(example.bytes + Array(last.utf8))
                _ = try? await attacker.expectEnd()
                // The next request uses the same connection from nginx to the server, if it is still open.
                let victim = try TestClient(.unix(path: nginx.patient))
                try await victim.send("GET /victim-\(number) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                let reply = try await victim.reply()
                #expect(reply.status == 200 && reply.text == "/victim-\(number)", "\(example.testDescription)")
            }
            let forwarded = try await nginx.stop()
            let seen = arrived.withLock { $0 }
            #expect(seen.count > Conformance.cases.count)
            #expect(Set(seen).count == seen.count, "a request has arrived twice")
            #expect(Set(seen).subtracting(forwarded) == [], "the server received requests that nginx did not send")
        }
    }
}
