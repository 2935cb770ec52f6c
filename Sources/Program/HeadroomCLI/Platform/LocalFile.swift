import Encodings
import Fetching
import FoundationEssentials
import Glibc

enum LocalFile {
    /// The maximum size of a file in bytes.
    ///
    /// It exceeds every image within the pixel limit, and prevents a file from exhausting memory.
    static let maxBytes = 256 << 20

    /// The bytes of a file or a pipe, or of standard input for nil.
    ///
    /// - Throws: A ``CommandFailure`` that starts with the file's name and contains the system's message.
    static func read(_ path: String?) throws(CommandFailure) -> [UInt8] {
        let name = path ?? "standard input"
        let descriptor = if let path { open(path.systemPath, O_RDONLY | O_CLOEXEC) } else { STDIN_FILENO }
        guard descriptor >= 0 else { throw CommandFailure("\(name): \(SystemError.last.reason)") }
        defer { if path != nil { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        while bytes.count <= maxBytes {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk[..<count]
            } else if errno != EINTR {
                throw CommandFailure("\(name): \(SystemError.last.reason)")
            }
        }
        throw CommandFailure("\(name): larger than \(maxBytes >> 20) MiB")
    }

    /// Writes a file atomically, and creates its folder.
    ///
    /// An existing file that is not regular (a device, a pipe, a link) is written to, not replaced.
    ///
    /// - Throws: A ``CommandFailure`` that starts with the file's name.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let folder = PathParts.folder(of: path)
        if !folder.isEmpty, !PathParts.createFolder(folder) {
            throw CommandFailure("\(folder): the folder cannot be created")
        }
        var status = stat()
        let isThere = lstat(path.systemPath, &status) == 0
        let part = "\(folder.isEmpty ? "." : folder)/.headroom-\(getpid())-\(UUID()).part"
        do throws(SystemError) {
            if isThere, status.st_mode & S_IFMT != S_IFREG { return try create(path, bytes, flags: O_TRUNC) }
            try create(part, bytes, flags: O_EXCL)
            guard rename(part.systemPath, path.systemPath) == 0 else { throw SystemError.last }
        } catch {
            unlink(part.systemPath)
            throw CommandFailure("\(path): \(error.reason)")
        }
    }

    private static func create(_ path: String, _ bytes: [UInt8], flags: Int32) throws(SystemError) {
        let descriptor = open(path.systemPath, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0o666)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        try FileDescriptor.write(bytes, to: descriptor)
    }
}
