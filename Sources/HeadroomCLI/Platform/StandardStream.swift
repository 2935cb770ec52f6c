import ArgumentParser
import Foundation

/// Unbuffered standard output and standard error, so that lines of both keep their order and none is lost at exit.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all bytes.
    ///
    /// - Throws: An `ExitCode`, because further output would fail as well. It is that of SIGPIPE, without a message,
    ///   if the reader has closed the pipe, such as `head`.
    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) {
            try LocalFile.writeAll(bytes, to: rawValue)
        } catch {
            if error.number == EPIPE { throw ExitCode(128 + SIGPIPE) }
            Self.error.writeLine("Error: standard output: \(error.reason)")
            throw ExitCode.failure
        }
    }

    /// Writes text; errors are those of ``write(_:)-([UInt8])``.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes a line; errors are ignored, for example if standard error is closed.
    func writeLine(_ line: String) {
        try? LocalFile.writeAll(Array("\(line)\n".utf8), to: rawValue)
    }
}
