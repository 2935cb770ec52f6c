import Foundation
import Imaging

/// A raw video, read from a file or a pipe.
final class VideoInput {
    private let descriptor: Int32
    private let name: String
    private let isOwned: Bool
    private var reader: Y4MReader
    /// The file's offset of the first byte; nil if the input cannot be read again.
    private let start: off_t?

    /// Opens the input and reads its header.
    ///
    /// - Parameter path: A file; nil for standard input.
    /// - Throws: A ``CommandFailure`` or a `VideoError`.
    init(_ path: String?) throws {
        name = path ?? "standard input"
        descriptor = if let path { open(path, O_RDONLY | O_CLOEXEC) } else { STDIN_FILENO }
        guard descriptor >= 0 else { throw CommandFailure("\(path ?? ""): \(SystemError.last.reason)") }
        isOwned = path != nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let offset = isFile ? lseek(descriptor, 0, SEEK_CUR) : -1
        start = offset >= 0 ? offset : nil
        reader = try Self.reader(descriptor, name)
    }

    deinit { if isOwned { close(descriptor) } }

    var header: Y4MHeader { reader.header }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { start != nil }

    /// The next frame; nil after the last.
    func next() throws -> RawFrame? { try reader.next() }

    /// Goes back to the first frame.
    func rewind() throws {
        guard let start, lseek(descriptor, start, SEEK_SET) == start else {
            throw CommandFailure("\(name): cannot be read twice")
        }
        reader = try Self.reader(descriptor, name)
    }

    private static func reader(_ descriptor: Int32, _ name: String) throws -> Y4MReader {
        try Y4MReader(
            ByteReader { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    if count >= 0 { return count }
                    if errno != EINTR { throw CommandFailure("\(name): \(SystemError.last.reason)") }
                }
            }
        )
    }
}
