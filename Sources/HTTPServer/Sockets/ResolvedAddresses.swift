import CLinux
import Glibc

/// The socket addresses of a host name or a numeric address.
struct ResolvedAddresses {
    /// One IPv4 or IPv6 address.
    struct Entry {
        fileprivate var storage: sockaddr_storage
        fileprivate var length: socklen_t

        /// Calls `body` with the address, its port replaced.
        func withPort<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
            var copy = storage
            return withUnsafeMutableBytes(of: &copy) { bytes in
                // The port is the 16 bits after the family, in sockaddr_in and sockaddr_in6.
                bytes.storeBytes(of: port.bigEndian, toByteOffset: 2, as: UInt16.self)
                return bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                    // Never nil: sockaddr_storage has a size.
                    addresses.baseAddress.map { body($0, length) }
                }
            } ?? body([sockaddr()], 0)
        }
    }

    let entries: [Entry]

    /// Resolves a host with getaddrinfo(3).
    ///
    /// - Parameters:
    ///   - host: A name or a numeric address.
    ///   - port: The port of all entries.
    ///   - action: The attempted action, for the error text.
    /// - Throws: ``SocketError`` if the host does not resolve.
    init(host: String, port: UInt16, action: String) throws(SocketError) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            let isSystem = status == EAI_SYSTEM
            throw SocketError(action: action, call: "getaddrinfo", errno: isSystem ? errno : status)
        }
        defer { freeaddrinfo(list) }
        var entries: [Entry] = []
        var next = list
        while let info = next?.pointee {
            next = info.ai_next
            guard let address = info.ai_addr, info.ai_family == AF_INET || info.ai_family == AF_INET6 else { continue }
            var storage = sockaddr_storage()
            withUnsafeMutableBytes(of: &storage) { bytes in
                bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
            }
            // /etc/hosts often lists an address twice.
            let isKnown = entries.contains { known in
                withUnsafeBytes(of: known.storage) { known in
                    withUnsafeBytes(of: storage) { known.elementsEqual($0) }
                }
            }
            if !isKnown { entries.append(Entry(storage: storage, length: info.ai_addrlen)) }
        }
        self.entries = entries
    }
}
