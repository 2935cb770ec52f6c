import ArgumentParser
import Foundation

/// Standard output and standard error without a buffer between, so that lines of both come in the order they were
/// written, and none is lost however the process ends.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes everything.
    ///
    /// - Throws: An `ExitCode`, for whatever comes next cannot be written either. It is that of SIGPIPE, without a word,
    ///   when nobody reads any more, as behind `head`.
    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) {
            try LocalFile.writeAll(bytes, to: rawValue)
        } catch {
            if error.number == EPIPE { throw ExitCode(128 + SIGPIPE) }
            Self.error.writeLine("Error: standard output: \(error.reason)")
            throw ExitCode.failure
        }
    }

    /// Writes text; throws as ``write(_:)-([UInt8])`` does.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes a line; what cannot be written is lost, as on a standard error that was closed.
    func writeLine(_ line: String) {
        try? LocalFile.writeAll(Array("\(line)\n".utf8), to: rawValue)
    }
}
