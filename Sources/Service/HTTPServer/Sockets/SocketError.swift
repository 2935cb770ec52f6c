import UntrustedText
import CLinux
import Glibc

/// A failed socket operation.
package struct SocketError: Error, Hashable, CustomStringConvertible {
    /// The attempted action with the address, such as `cannot listen on 127.0.0.1:8080`.
    package let action: String
    /// The system call that failed, such as `bind`.
    package let call: String
    /// The value of `errno`.
    ///
    /// For `getaddrinfo`, which has its own error codes, the negative `EAI_` code.
    package let errno: Int32

    /// Creates the error for a system call that has just failed.
    ///
    /// - Parameters:
    ///   - action: The attempted action with the address, such as `cannot listen on 127.0.0.1:8080`.
    ///   - call: The name of the system call, such as `bind`.
    ///   - errno: The value of `errno`; for `getaddrinfo`, the negative `EAI_` code.
    package init(action: String, call: String, errno: Int32) {
        self.action = action
        self.call = call
        self.errno = errno
    }

    /// The system's message for `errno`, starting in lower case.
    package var reason: String {
        let text = String(cString: errno < 0 ? gai_strerror(errno) : hr_error_text(errno))
        return text.prefix(1).bytes.lowercased() + text.dropFirst()
    }

    package var description: String { "\(action): \(reason)" }
}
