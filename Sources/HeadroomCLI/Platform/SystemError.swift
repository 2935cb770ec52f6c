import CLinux
import Glibc

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
