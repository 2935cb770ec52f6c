import Fetching
import Glibc

/// The reason why a run cannot start or continue, as a sentence for the user.
package struct BatchError: Error, Equatable {
    package let reason: String
    /// Whether the cause is an argument, not a file or the system.
    package let isUsage: Bool
    /// `errno` of a failed system call; 0 for other errors.
    let number: Int32

    /// A failure whose cause is not an argument.
    package init(_ reason: String, number: Int32 = 0) {
        self.reason = reason
        self.number = number
        isUsage = false
    }

    /// An error in the arguments (``isUsage``), as a sentence for the user.
    package init(usage reason: String) {
        self.reason = reason
        number = 0
        isUsage = true
    }

    /// The failure of the last system call with a file.
    static func system(_ path: String, _ number: Int32 = errno) -> BatchError {
        BatchError("\(path): \(RegularFile.Failure.system(number).reason)", number: number)
    }
}
