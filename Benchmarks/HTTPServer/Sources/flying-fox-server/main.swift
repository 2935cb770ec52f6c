import FlyingFox
import Foundation
import Glibc

// Serves `/healthz` on 127.0.0.1 with the same response as `headroom serve`. The first argument is the port.
guard let port = CommandLine.arguments.dropFirst().first.flatMap({ UInt16($0) }) else {
    fatalError("usage: flying-fox-server PORT")
}
let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: port), logger: .disabled)
let body = Data("ok\n".utf8)
await server.appendRoute("GET /healthz") { _ in
    HTTPResponse(
        statusCode: .ok,
        headers: [
            .contentType: "text/plain; charset=utf-8",
            HTTPHeader("Cache-Control"): "no-store",
            HTTPHeader("X-Content-Type-Options"): "nosniff",
        ],
        body: body
    )
}
let running = Task { try await server.run() }
try await server.waitUntilListening()

// FlyingFox sends header and body separately, and Nagle's algorithm delays the body until the client has acknowledged
// the header. This limits every host to 700 requests per second. Connections inherit TCP_NODELAY from the listening
// socket, so that the benchmark measures the work of the server.
for descriptor in Int32(3)..<256 {
    var listens: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0, listens != 0 else { continue }
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, length)
}
try await running.value
