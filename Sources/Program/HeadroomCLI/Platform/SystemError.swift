import Fetching
import Glibc

/// The error of a system call.
struct SystemError: Error {
    let number: Int32

    static var last: SystemError { SystemError(number: errno) }

    /// The system's message, starting in lower case.
    var reason: String { RegularFile.Failure.system(number).reason }
}
