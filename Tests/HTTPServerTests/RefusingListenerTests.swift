import CLinux
import Glibc
import TestHTTP
import TestPacing
import Testing

/// A listening socket with a filter that makes the kernel refuse new connections; queued connections are still
/// accepted.
@Suite(.limitedConcurrency) struct RefusingListenerTests {
    private static func listen(_ host: String) throws -> (descriptor: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST
        var list: UnsafeMutablePointer<addrinfo>?
        try #require(getaddrinfo(host, "0", &hints, &list) == 0)
        defer { freeaddrinfo(list) }
        let info = try #require(list)
        var call: UnsafePointer<CChar>?
        let descriptor = hr_listen_tcp(
            try #require(info.pointee.ai_addr),
            info.pointee.ai_addrlen,
            host == "::",
            16,
            &call
        )
        try #require(descriptor >= 0)
        return (descriptor, UInt16(hr_local_port(descriptor)))
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0", "::"])
    func `queued connections are served, and new connections are refused at once`(host: String) async throws {
        let (listener, port) = try Self.listen(host)
        defer { close(listener) }
        let queued = [try TestClient(port: port), try TestClient(port: port)]
        try await queued[0].send("before")
        hr_refuse_connections(listener)
        for _ in 0..<3 {
            // A dropped SYN would time out after minutes.
            let error = #expect(throws: (any Error).self) { try TestClient(port: port) }
            #expect("\(try #require(error))".contains("refused"))
        }
        try await queued[1].send("after")
        for text in ["before", "after"] {
            var peer = sockaddr_storage()
            let connection = hr_accept(listener, &peer)
            try #require(connection >= 0)
            defer { close(connection) }
            // Waits until the data, which were sent on this machine, arrive.
            var waiting = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            poll(&waiting, 1, -1)
            var bytes = [UInt8](repeating: 0, count: 16)
            let count = recv(connection, &bytes, bytes.count, 0)
            #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == text)
        }
        var peer = sockaddr_storage()
        #expect(hr_accept(listener, &peer) == -EAGAIN)
    }
}
