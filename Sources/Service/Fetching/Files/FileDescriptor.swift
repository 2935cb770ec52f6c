import Glibc

/// Operations on file descriptors.
package enum FileDescriptor {
    /// Writes all bytes to a descriptor that blocks.
    ///
    /// - Throws: The error of write(2); some bytes may have been written.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw .last
            }
        }
    }
}
