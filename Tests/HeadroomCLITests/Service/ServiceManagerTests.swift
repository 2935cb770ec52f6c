import Foundation
import SystemPackage
import TestHTTP
import TestPacing
import TestPrograms
import Testing

@Suite("headroom serve under a service manager", .limitedConcurrency)
struct ServiceManagerTests {
    /// A Unix socket address.
    private func withAddress<Result>(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result?
    {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                addresses.baseAddress.map { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
            }
        }
    }

    @Test func `an inherited socket replaces the address`() async throws {
        let listener = try LoopbackListener()
        let (handle, port) = (listener.handle, listener.port)
        // The client connects before the service starts and still gets a response.
        let early = try TestClient(port: port)
        try await early.send("GET", "/healthz", headers: [("Connection", "close")])
        let service = try await RunningService(
            ["--host", "203.0.113.1", "--workers", "1"],
            after: "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS",
            input: FileDescriptor(rawValue: handle.fileDescriptor),
            in: Folder()
        )
        #expect(service.port == port)
        #expect(try await early.reply().status == 200)
        let later = try TestClient(port: port)
        try await later.send("GET", "/healthz", headers: [("Connection", "close")])
        #expect(try await later.reply().status == 200)
        withExtendedLifetime(service) {}
    }

    @Test func `sockets that were passed to another process are not used`() async throws {
        let environment = ["LISTEN_PID": "1", "LISTEN_FDS": "1"]
        let service = try await RunningService(["--port", "0"], environment: environment, in: Folder())
        let client = try TestClient(port: service.port)
        try await client.send("GET", "/healthz", headers: [("Connection", "close")])
        #expect(try await client.reply().status == 200)
        withExtendedLifetime(service) {}
    }

    @Test(arguments: [
        ("LISTEN_FDS=many", 64, "LISTEN_FDS=many is not valid: expected a whole number from 0 to 1024."),
        ("LISTEN_FDS=1; exec 3</dev/null", 1, "cannot listen on descriptor 3: socket operation on non-socket"),
    ])
    func `an invalid inherited socket is reported`(
        preparation: String,
        status: Int32,
        expected: String
    ) async throws {
        let folder = try Folder()
        let run = try await Headroom.run(
            ["serve"],
            after: "\(preparation); LISTEN_PID=$$; export LISTEN_PID LISTEN_FDS",
            in: folder
        )
        #expect(run.status == status)
        #expect(run.error == "Error: \(expected)\n")
        #expect(try folder.files() == [])
    }

    @Test func `the service notifies its manager when it is ready, reloads and stops`() async throws {
        let folder = try Folder()
        let path = folder.url.appending(path: "notify").path
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(withAddress(path) { bind(descriptor, $0, $1) } == 0)
        // The timeout makes the test fail instead of hanging.
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let queue = DispatchQueue(label: "notify")
        func next() async -> String {
            await withCheckedContinuation { continuation in
                queue.async {
                    var bytes = [UInt8](repeating: 0, count: 512)
                    let count = recv(descriptor, &bytes, bytes.count, 0)
                    continuation.resume(returning: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
                }
            }
        }
        let service = try await RunningService(["--port", "0"], environment: ["NOTIFY_SOCKET": path], in: folder)
        #expect(await next() == "READY=1")
        service.send(signal: SIGHUP)
        #expect(await next().wholeMatch(of: /RELOADING=1\nMONOTONIC_USEC=[0-9]+/) != nil)
        #expect(await next() == "READY=1")
        service.send(signal: SIGTERM)
        #expect(await next() == "STOPPING=1")
        #expect(try await service.status() == 0)
    }
}
