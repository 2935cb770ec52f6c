import Admission
import CLinux
import Glibc

/// The content of a local file.
struct LocalFile {
    let bytes: [UInt8]
    /// The memory of the bytes.
    let share: ByteShare?
    /// Time of modification and size.
    let etag: String

    /// Reads a regular file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - folder: The folder of local files.
    ///   - known: The entity tag of known bytes; the content is not read if the file has the same.
    ///   - maxBytes: The size of the largest accepted file.
    ///   - budget: Memory for the content.
    /// - Returns: Nil if the file has the known tag.
    /// - Throws: ``FetchError/notFound(status:)``; ``FetchError/blocked(_:)`` for what is no regular file below the folder
    ///   or may not be read; ``FetchError/tooLarge(limit:)``; ``FetchError/overBudget(limit:)``.
    static func read(
        _ url: LocalURL,
        below folder: LocalFolder,
        unless known: String?,
        atMost maxBytes: Int,
        _ budget: ByteBudget
    ) throws(FetchError) -> LocalFile? {
        let file: Int32
        do {
            file = try folder.open(url.path)
        } catch {
            throw failure(error.number)
        }
        defer { close(file) }
        let description = try describe(file)
        guard description.is_regular else { throw .blocked("not a regular file") }
        guard let size = Int(exactly: description.size), size <= maxBytes else { throw .tooLarge(limit: maxBytes) }
        let etag = tag(of: description)
        if etag == known { return nil }
        guard let share = budget.take(size) else { throw .overBudget(limit: budget.limit) }
        let bytes = try content(of: file, count: size)
        guard tag(of: try describe(file)) == etag else { throw .incomplete("the file changed while it was read") }
        return LocalFile(bytes: bytes, share: share, etag: etag)
    }

    private static func describe(_ file: Int32) throws(FetchError) -> hr_file {
        var description = hr_file()
        let result = hr_describe_file(file, &description)
        guard result == 0 else { throw failure(-result) }
        return description
    }

    private static func tag(of file: hr_file) -> String {
        let time = String(file.modified_seconds, radix: 16) + "." + String(file.modified_nanoseconds)
        return "\"\(time)-\(file.size)\""
    }

    private static func content(of file: Int32, count size: Int) throws(FetchError) -> [UInt8] {
        var result = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let base = buffer.baseAddress {
                result = hr_read_file(file, base + count, size - count)
                guard result > 0 else { return }
                count += result
            }
        }
        guard result >= 0 else { throw failure(Int32(clamping: -result)) }
        guard bytes.count == size else { throw .incomplete("the file became shorter while it was read") }
        return bytes
    }

    private static func failure(_ number: Int32) -> FetchError {
        let text = String(cString: hr_error_text(number))
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG: return .notFound(status: 404)
        case EXDEV: return .blocked("the path leads out of the folder of local files")
        // ENXIO: a Unix socket, or a device that is not there.
        case EACCES, EPERM, ELOOP, ENXIO, ENODEV: return .blocked(text)
        case EMFILE, ENFILE, ENOMEM: return .exhausted(text)
        default: return .unreachable(text)
        }
    }
}
