import Foundation
import Glibc

/// A minimal server on the loopback interface that handles one request at a time; replace it with your server.
final class SmallServer: Sendable {
    struct Response: Sendable {
        var status: String
        var type = "text/plain; charset=utf-8"
        var body: [UInt8]

        init(status: String, type: String, body: [UInt8]) { (self.status, self.type, self.body) = (status, type, body) }
        init(status: String, text: String) { (self.status, body) = (status, Array("\(text)\n".utf8)) }
    }

    struct NoSocket: Error {}

    private static let maxBytes = 20 << 20
    let port: UInt16
    private let listener: Int32

    init(port: UInt16) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.port = port
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        let isBound = withUnsafeBytes(of: &address) { bytes in
            bind(listener, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
        }
        guard isBound, listen(listener, 64) == 0 else { throw NoSocket() }
        signal(SIGPIPE, SIG_IGN)
    }

    /// Handles requests forever.
    func run(_ response: @escaping @Sendable ([UInt8]) async -> Response) async {
        while true {
            let connection = FileHandle(fileDescriptor: accept(listener, nil, nil), closeOnDealloc: true)
            Task {
                guard let body = Self.body(of: connection) else { return }
                let response = await response(body)
                let head =
                    "HTTP/1.1 \(response.status)\r\nContent-Type: \(response.type)\r\n"
                    + "Content-Length: \(response.body.count)\r\nConnection: close\r\n\r\n"
                try? connection.write(contentsOf: Data(head.utf8) + Data(response.body))
            }
        }
    }

    /// Returns the body of a request with `Content-Length`; nil for a request without `Content-Length`.
    private static func body(of connection: FileHandle) -> [UInt8]? {
        var received = Data()
        var head: Range<Data.Index>?
        while head == nil {
            let more = connection.availableData
            guard !more.isEmpty, received.count < 65_536 else { return nil }
            received += more
            head = received.range(of: Data("\r\n\r\n".utf8))
        }
        guard let head else { return nil }
        let lines = String(decoding: received[..<head.lowerBound], as: UTF8.self).lowercased().split(separator: "\r\n")
        guard let length = lines.first(where: { $0.hasPrefix("content-length:") })?.dropFirst(15),
            let count = Int(length.trimmingCharacters(in: .whitespaces)), (1...maxBytes).contains(count)
        else { return nil }
        if lines.contains("expect: 100-continue") {
            try? connection.write(contentsOf: Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        }
        var body = received[head.upperBound...]
        while body.count < count {
            let more = connection.availableData
            guard !more.isEmpty else { return nil }
            body += more
        }
        return [UInt8](body.prefix(count))
    }
}
