import CLinux
import Encodings
import Glibc
import UntrustedText

/// A regular file, opened for reading.
///
/// Opening and reading never block. A named pipe, a device, a socket or a folder, or a symbolic link to one of these,
/// is refused before anything is read from it.
package struct RegularFile: ~Copyable {
    /// The reason why a file cannot be read.
    package enum Failure: Error, Sendable {
        /// A system error, with its number.
        case system(Int32)
        /// The file is not a regular file.
        case notRegular
        /// The file exceeds the size limit.
        case tooLarge(limit: Int)

        /// The reason as the predicate of a sentence, starting in lower case.
        package var reason: String {
            switch self {
            case .system(let number):
                let text = String(cString: hr_error_text(number))
                return text.prefix(1).bytes.lowercased() + text.dropFirst()
            case .notRegular: return "not a regular file"
            case .tooLarge(let limit): return "larger than \(limit) bytes"
            }
        }
    }

    /// The descriptor, which is closed when this value is destroyed.
    let descriptor: Int32
    /// Size and modification time when the file was opened.
    let description: hr_file

    /// Opens a file; symbolic links are followed.
    package init(_ path: String) throws(Failure) {
        // Checked before opening, because opening a named pipe would unblock its writer, which would then fail without
        // a reader.
        var status = stat()
        guard stat(path.systemPath, &status) == 0 else { throw .system(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
        // The path may now name a different file. With O_NONBLOCK, a named pipe without a writer is opened immediately,
        // and a device that is not ready is an error; both are refused below.
        let descriptor = open(path.systemPath, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        try self.init(taking: descriptor)
    }

    /// Takes ownership of a descriptor, which is closed even if this function throws.
    init(taking descriptor: Int32) throws(Failure) {
        do throws(Failure) {
            description = try Self.describe(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Reads the current size and modification time of the file.
    ///
    /// - Throws: ``Failure/notRegular`` for another kind of file, or a system error.
    func describe() throws(Failure) -> hr_file { try Self.describe(descriptor) }

    private static func describe(_ descriptor: Int32) throws(Failure) -> hr_file {
        var description = hr_file()
        let result = hr_describe_file(descriptor, &description)
        guard result == 0 else { throw .system(-result) }
        guard description.is_regular else { throw .notRegular }
        return description
    }

    /// Reads from the current position to the end, but at most `count` bytes.
    ///
    /// Throws a system error.
    package func read(upTo count: Int) throws(Failure) -> [UInt8] {
        // All empty arrays share their storage, and the initialiser below would write to it.
        guard count > 0 else { return [] }
        var result = 1
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, result > 0, let base = buffer.baseAddress {
                result = hr_read_file(descriptor, base + filled, count - filled)
                filled += max(0, result)
            }
        }
        guard result >= 0 else { throw .system(Int32(clamping: -result)) }
        return bytes
    }

    /// Reads all bytes of a file.
    ///
    /// - Parameters:
    ///   - path: The path; symbolic links are followed.
    ///   - limit: The maximum size of the file, in bytes.
    /// - Returns: All bytes of the file.
    /// - Throws: A ``Failure``.
    package static func bytes(of path: String, atMost limit: Int) throws(Failure) -> [UInt8] {
        let file = try RegularFile(path)
        guard file.description.size <= Int64(limit) else { throw .tooLarge(limit: limit) }
        // Files in /proc have a size of 0, and other files may grow. One byte beyond the size or the limit is read to
        // detect this.
        let start = try file.read(upTo: Int(file.description.size) + 1)
        guard start.count > Int(file.description.size) else { return start }
        let bytes = start + (try file.read(upTo: limit + 1 - start.count))
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return bytes
    }

    /// The first bytes of a regular file; fewer than `count` if it is shorter, none if it cannot be read.
    package static func beginning(of path: String, count: Int) -> [UInt8] {
        guard let file = try? RegularFile(path) else { return [] }
        return (try? file.read(upTo: count)) ?? []
    }
}
