import Foundation
import Imaging

/// The bytes of a video: a file, or standard input.
final class VideoFile {
    let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    /// The file's offset of the first byte; nil if the input cannot be read again.
    private let start: off_t?

    /// Opens a file; nil is standard input.
    init(_ path: String?) throws(CommandFailure) {
        name = path ?? "standard input"
        descriptor = if let path { open(path, O_RDONLY | O_CLOEXEC) } else { STDIN_FILENO }
        guard descriptor >= 0 else { throw CommandFailure("\(path ?? ""): \(SystemError.last.reason)") }
        isOwned = path != nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let offset = isFile ? lseek(descriptor, 0, SEEK_CUR) : -1
        start = offset >= 0 ? offset : nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { start != nil }

    /// Goes back to the first byte.
    func rewind() throws(CommandFailure) {
        guard let start, lseek(descriptor, start, SEEK_SET) == start else {
            throw CommandFailure("\(name): cannot be read twice")
        }
    }

    /// A reader from here on.
    var reader: ByteReader {
        ByteReader { [self] buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { throw CommandFailure("\(name): \(SystemError.last.reason)") }
            }
        }
    }
}
