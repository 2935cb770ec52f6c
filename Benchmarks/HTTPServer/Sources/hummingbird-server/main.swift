import HTTPTypes
import Hummingbird
import Logging

// Serves `/healthz` on 127.0.0.1 with the same response as `headroom serve`. The first argument is the port.
guard let port = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }) else {
    fatalError("usage: hummingbird-server PORT")
}
let router = Router()
router.get("healthz") { _, _ in
    Response(
        status: .ok,
        headers: [
            .contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        ],
        body: .init(byteBuffer: ByteBuffer(string: "ok\n"))
    )
}
var logger = Logger(label: "hummingbird-server")
logger.logLevel = .warning
let application = Application(
    router: router,
    configuration: .init(address: .hostname("127.0.0.1", port: port)),
    logger: logger
)
try await application.runService()
