import CLinux
import Glibc
import Logging

/// Another process that keeps listening sockets open, so that connections wait while this process is replaced.
package struct SocketKeeper: Sendable {
    let take: @Sendable (_ key: String) -> [Int32]
    let keep: @Sendable (_ key: String, _ sockets: [Int32]) -> Int32

    /// Creates a keeper.
    ///
    /// - Parameters:
    ///   - take: Returns the sockets that a previous process stored under a key. Each socket is returned once; the
    ///   caller closes it.
    ///   - keep: Stores copies of sockets under a key. Returns 0 or the error number.
    package init(
        take: @escaping @Sendable (_ key: String) -> [Int32],
        keep: @escaping @Sendable (_ key: String, _ sockets: [Int32]) -> Int32
    ) {
        self.take = take
        self.keep = keep
    }
}
