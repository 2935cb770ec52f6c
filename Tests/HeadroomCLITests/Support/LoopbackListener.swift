import Foundation
import Testing

/// A socket that listens on a free port of 127.0.0.1, as a service manager opens it.
struct LoopbackListener {
    let handle: FileHandle
    let port: UInt16

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutableBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { addresses -> Int32 in
                guard bind(descriptor, addresses.baseAddress, length) == 0, listen(descriptor, 16) == 0 else {
                    return -1
                }
                return addresses.baseAddress.map { getsockname(descriptor, $0, &length) } ?? -1
            }
        }
        try #require(status == 0)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        port = UInt16(bigEndian: address.sin_port)
    }
}
