import Glibc

/// The error of a system call.
package struct SystemError: Error {
    /// The error number, as in errno(3).
    package let number: Int32

    /// An error with a number of errno(3).
    package init(number: Int32) { self.number = number }

    /// The error of the last system call of this thread.
    package static var last: SystemError { SystemError(number: errno) }

    /// The system's message, starting in lower case.
    package var reason: String { RegularFile.Failure.system(number).reason }
}
