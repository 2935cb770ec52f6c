import Encodings
import Fetching
import Glibc

/// The bytes of a video: a file, or standard input.
final class VideoFile {
    let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    /// The file's offset of the first byte; nil if the input cannot be read again.
    private let start: off_t?

    init(_ path: String?) throws(ReframeFailure) {
        name = path ?? "standard input"
        descriptor = if let path { open(path.systemPath, O_RDONLY | O_CLOEXEC) } else { STDIN_FILENO }
        guard descriptor >= 0 else { throw .file(path ?? "", reason: SystemError.last.reason) }
        isOwned = path != nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let offset = isFile ? lseek(descriptor, 0, SEEK_CUR) : -1
        start = offset >= 0 ? offset : nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { start != nil }

    /// Moves back to the first byte.
    func rewind() throws(ReframeFailure) {
        guard let start, lseek(descriptor, start, SEEK_SET) == start else {
            throw .file(name, reason: "cannot be read twice")
        }
    }

    var reader: ByteReader {
        ByteReader { [self] buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { throw ReframeFailure.file(name, reason: SystemError.last.reason) }
            }
        }
    }
}
