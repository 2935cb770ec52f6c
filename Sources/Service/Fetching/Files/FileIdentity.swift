import Encodings
import Glibc

/// The identity of a file or folder, independent of its path.
package struct FileIdentity: Hashable, Sendable {
    private let device: UInt
    private let number: UInt

    /// Reads the identity; nil if the file does not exist.
    package init?(_ path: String) {
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
