import Admission
import CLinux
import Glibc

/// The content of a local file.
struct LocalFile {
    let bytes: [UInt8]
    /// The bytes' share of the memory budget.
    let share: ByteShare?
    /// An entity tag made from the modification time and the size.
    let etag: String

    /// Reads a regular file; nil if its entity tag is `known`.
    ///
    /// - Throws: ``FetchError/notFound(status:)``; ``FetchError/blocked(_:)`` for a path that is not a regular file
    ///   below the folder, or that may not be read; ``FetchError/tooLarge(limit:)``; ``FetchError/overBudget(limit:)``.
    static func read(
        _ url: LocalURL,
        below folder: LocalFolder,
        unless known: String?,
        atMost maxBytes: Int,
        _ budget: ByteBudget,
        for client: Client?
    ) throws(FetchError) -> LocalFile? {
        let descriptor: Int32
        do {
            descriptor = try folder.open(url.path)
        } catch {
            throw failure(error.number)
        }
        let outcome: Result<LocalFile?, FetchError>
        do throws(RegularFile.Failure) {
            outcome = try read(RegularFile(taking: descriptor), unless: known, atMost: maxBytes, budget, for: client)
        } catch {
            throw failure(error)
        }
        return try outcome.get()
    }

    private static func read(
        _ file: consuming RegularFile,
        unless known: String?,
        atMost maxBytes: Int,
        _ budget: ByteBudget,
        for client: Client?
    ) throws(RegularFile.Failure) -> Result<LocalFile?, FetchError> {
        guard let size = Int(exactly: file.description.size), size <= maxBytes else {
            return .failure(.tooLarge(limit: maxBytes))
        }
        let etag = tag(of: file.description)
        if etag == known { return .success(nil) }
        guard let share = budget.take(size, for: client) else { return .failure(.overBudget(limit: budget.limit)) }
        let bytes = try file.read(upTo: size)
        guard bytes.count == size else {
            return .failure(.incomplete("the file became shorter while it was read"))
        }
        guard tag(of: try file.describe()) == etag else {
            return .failure(.incomplete("the file changed while it was read"))
        }
        return .success(LocalFile(bytes: bytes, share: share, etag: etag))
    }

    private static func tag(of file: hr_file) -> String {
        let time = String(file.modified_seconds, radix: 16) + "." + String(file.modified_nanoseconds)
        return "\"\(time)-\(file.size)\""
    }

    private static func failure(_ failure: RegularFile.Failure) -> FetchError {
        switch failure {
        case .system(let number): self.failure(number)
        case .notRegular: .blocked(FetchRefusal(failure.reason))
        case .tooLarge(let limit): .tooLarge(limit: limit)
        }
    }

    private static func failure(_ number: Int32) -> FetchError {
        let text = String(cString: hr_error_text(number))
        switch number {
        case ENOENT, ENOTDIR, ENAMETOOLONG: return .notFound(status: 404)
        case EXDEV: return .blocked("the path is outside --local-root")
        // ENXIO means a Unix socket, or a device that does not exist.
        case EACCES, EPERM, ELOOP, ENXIO, ENODEV: return .blocked(FetchRefusal(text))
        case EMFILE, ENFILE, ENOMEM: return .exhausted(text)
        default: return .unreachable(text)
        }
    }
}
