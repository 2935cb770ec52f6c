import ArgumentParser
import CLinux
import Glibc

/// The failure of a command, in sentences for the user.
struct CommandFailure: Error {
    /// One sentence for each error.
    let reasons: [String]
    /// The exit code: `EX_USAGE` (64, sysexits.h) for invalid arguments, else 1.
    let exitCode: ExitCode

    /// A failure that is not caused by the arguments.
    init(_ reason: String) {
        reasons = [reason]
        exitCode = .failure
    }

    private init(usage reasons: [String]) {
        self.reasons = reasons
        exitCode = .validationFailure
    }

    /// Invalid arguments.
    static func usage(_ reasons: String...) -> CommandFailure { CommandFailure(usage: reasons) }

    /// Invalid arguments, with one or more reasons.
    static func usage(_ reasons: [String]) -> CommandFailure { CommandFailure(usage: reasons) }
}

/// The error of a system call.
struct SystemError: Error {
    let number: Int32

    /// The error of the last call.
    static var last: SystemError { SystemError(number: errno) }

    /// The system's message, beginning in lower case.
    var reason: String {
        let text = String(cString: hr_error_text(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
