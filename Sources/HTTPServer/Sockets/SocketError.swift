import Glibc

/// A failed socket operation.
package struct SocketError: Error, Hashable, CustomStringConvertible {
    /// The attempted action, with the address: `cannot listen on 127.0.0.1:8080`.
    package let action: String

    /// The system call that failed, such as `bind`.
    package let call: String

    /// The value of `errno`; for `getaddrinfo`, which has its own numbers, the negative `EAI_` code.
    package let errno: Int32

    package init(action: String, call: String, errno: Int32) {
        self.action = action
        self.call = call
        self.errno = errno
    }

    /// The system's message for `errno`, beginning in lower case.
    package var reason: String {
        let text = errno < 0 ? String(cString: gai_strerror(errno)) : Self.systemMessage(errno)
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    package var description: String { "\(action): \(reason)" }

    private static func systemMessage(_ number: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // The XSI variant: it writes into the buffer and returns a status.
            guard let base = buffer.baseAddress, strerror_r(number, base, buffer.count) == 0 else {
                return "error \(number)"
            }
            return String(cString: base)
        }
    }
}
