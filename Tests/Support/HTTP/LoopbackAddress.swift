package import Glibc

/// 127.0.0.1 and a port, in the form that `connect` and `bind` need.
package struct LoopbackAddress {
    private var address = sockaddr_in()

    package init(port: UInt16) {
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    }

    /// Calls `body` with the address and its length in bytes.
    package func with(_ call: (UnsafePointer<sockaddr>?, socklen_t) -> Int32) -> Int32 {
        withUnsafeBytes(of: address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                call($0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
