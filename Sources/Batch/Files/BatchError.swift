import CLinux
import Glibc

/// The reason why a run cannot begin or go on, as a sentence for the user.
package struct BatchError: Error, Equatable {
    /// The sentence.
    package let reason: String
    /// Whether the arguments have to be changed.
    package let isUsage: Bool
    /// The number of the system's error; 0 for other errors.
    let number: Int32

    /// A reason that other arguments do not change.
    package init(_ reason: String) {
        self.reason = reason
        isUsage = false
        number = 0
    }

    /// Arguments that cannot be used.
    package init(usage reason: String) {
        self.reason = reason
        isUsage = true
        number = 0
    }

    private init(_ reason: String, number: Int32) {
        self.reason = reason
        isUsage = false
        self.number = number
    }

    /// The failure of the last system call with a file.
    static func system(_ path: String, _ number: Int32 = errno) -> BatchError {
        let text = String(cString: hr_error_text(number))
        return BatchError("\(path): \(text.prefix(1).lowercased() + text.dropFirst())", number: number)
    }
}
