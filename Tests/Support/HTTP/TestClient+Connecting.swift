import Glibc

extension TestClient {
    /// A descriptor connected to a port of a host.
    static func connect(
        toHost host: String,
        port: UInt16,
        from source: String?,
        receiveBuffer: Int32?
    ) throws -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let info = list else {
            throw Failure("no such host \(host)")
        }
        defer { freeaddrinfo(list) }
        return try connected(info.pointee.ai_family, info.pointee.ai_addr, info.pointee.ai_addrlen) { descriptor in
            if var receiveBuffer {
                setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
            }
            if let source { try bind(descriptor, to: source) }
            var on: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// A descriptor connected to a Unix socket.
    static func connect(toPath path: String) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return try withUnsafeBytes(of: &address) { bytes in
            try bytes.withMemoryRebound(to: sockaddr.self) {
                try connected(AF_UNIX, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_un>.size)) { _ in }
            }
        }
    }

    /// A port of 127.0.0.1 that is currently free, for a program that cannot let the system choose one.
    ///
    /// The port is below the ephemeral ports of Linux (32768 to 60999, ip(7)), so no connection can take it before the
    /// program starts.
    package static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        defer { close(descriptor) }
        for _ in 0..<100 {
            let port = UInt16.random(in: 20_000..<32_768)
            if LoopbackAddress(port: port).with({ Glibc.bind(descriptor, $0, $1) }) == 0 { return port }
        }
        throw Failure(call: "bind")
    }

    private static func connected(
        _ family: Int32,
        _ address: UnsafePointer<sockaddr>?,
        _ length: socklen_t,
        prepare: (Int32) throws -> Void
    ) throws -> Int32 {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(call: "socket") }
        do {
            try prepare(descriptor)
            guard Glibc.connect(descriptor, address, length) == 0 else { throw Failure(call: "connect") }
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func bind(_ descriptor: Int32, to source: String) throws {
        var local = sockaddr_in()
        local.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, source, &local.sin_addr)
        let status = withUnsafeBytes(of: &local) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Glibc.bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(call: "bind") }
    }
}
