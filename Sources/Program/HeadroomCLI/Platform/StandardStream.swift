import Glibc
import ArgumentParser
import Fetching
import Requests
import Telemetry

/// Unbuffered standard output and standard error, so that lines of both keep their order and no line is lost at exit.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all bytes.
    ///
    /// - Throws: An `ExitCode`, because further output would also fail. If the reader, for example `head`, has closed
    ///   the pipe, the code is the code of SIGPIPE, and no message is printed.
    func write(_ bytes: [UInt8]) throws {
        do throws(SystemError) {
            try FileDescriptor.write(bytes, to: rawValue)
        } catch {
            if error.number == EPIPE { throw ExitCode(128 + SIGPIPE) }
            Self.error.writeLine("Error: standard output: \(error.reason)")
            throw ExitCode.failure
        }
    }

    /// Writes text; errors are the same as for ``write(_:)-([UInt8])``.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes a value as one line of JSON; errors are the same as for ``write(_:)-([UInt8])``.
    func write(json value: some Encodable) throws { try write(JSONDocument.bytes(of: value)) }

    /// Writes a line, in which invisible characters, for example in file names, are escaped.
    ///
    /// Errors are ignored, for example if standard error is closed.
    ///
    /// - Parameters:
    ///   - line: The text of the line.
    ///   - isRedrawn: Whether the line replaces the last line of a terminal.
    func writeLine(_ line: String, isRedrawn: Bool = false) {
        let start = isRedrawn ? "\r\u{1B}[K" : ""
        try? FileDescriptor.write(Array("\(start)\(QuotedText.line(line))\n".utf8), to: rawValue)
    }
}
