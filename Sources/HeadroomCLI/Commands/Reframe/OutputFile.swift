import ArgumentParser
import Foundation

/// A result that is written piece by piece, to a file or to standard output.
final class OutputFile {
    private let descriptor: Int32
    private let path: String?

    /// Opens a file, which is emptied; nil is standard output.
    init(_ path: String?) throws(CommandFailure) {
        self.path = path
        guard let path else {
            descriptor = STDOUT_FILENO
            return
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CommandFailure("\(path): \(SystemError.last.reason)") }
    }

    deinit { if path != nil { close(descriptor) } }

    /// Writes all bytes.
    ///
    /// - Throws: A ``CommandFailure``, or the `ExitCode` of a closed standard output.
    func write(_ bytes: [UInt8]) throws {
        guard let path else { return try StandardStream.output.write(bytes) }
        do throws(SystemError) {
            try LocalFile.writeAll(bytes, to: descriptor)
        } catch {
            throw CommandFailure("\(path): \(error.reason)")
        }
    }
}
