import Encodings
import ArgumentParser
import CLinux

/// The failure of a command, in sentences for the user.
struct CommandFailure: Error {
    let reasons: [String]
    /// The exit code: `EX_USAGE` (64, sysexits.h) for invalid arguments, otherwise 1.
    let exitCode: ExitCode
}

extension CommandFailure {
    /// A failure that the arguments did not cause.
    init(_ reason: String) { self.init(reasons: [reason], exitCode: .failure) }

    static func usage(_ reasons: String...) -> CommandFailure { usage(reasons) }

    /// Invalid arguments, with one or more reasons.
    static func usage(_ reasons: [String]) -> CommandFailure {
        CommandFailure(reasons: reasons, exitCode: .validationFailure)
    }
}

enum ProgramArguments {
    /// All arguments, starting with the program's name.
    ///
    /// Swift's `CommandLine` reads /proc, and is empty if /proc is not mounted.
    static let all: [String] = {
        var count: Int32 = 0
        let values = hr_arguments(&count)
        let passed = (0..<Int(count)).compactMap { index in values[index].map { FileName.text(of: $0) } }
        // C libraries other than glibc do not pass the arguments.
        return passed.isEmpty ? CommandLine.arguments : passed
    }()
}

/// Words of a command in a message.
enum ShellWord {
    /// Text as one word for a POSIX shell: unchanged if it contains no special characters, otherwise in single quotes.
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { plain.contains($0) }
        return isPlain ? text : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,+@%-".utf8)
}
