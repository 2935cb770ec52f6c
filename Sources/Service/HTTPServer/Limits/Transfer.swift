/// Progress of a body or a response, and the deadline for further progress.
///
/// The first window begins with the transfer; a new one begins whenever the bytes of a window have been transferred.
/// Bytes beyond these do not extend the deadline. A client that stops is therefore disconnected within one window, and
/// a transfer of `n` bytes takes at most `n / bytesPerWindow + 1` windows.
package struct Transfer {
    private let pace: Pace
    /// Byte position at which the current window began.
    private var mark: Int
    /// Bytes transferred so far; never decreases.
    package private(set) var bytes: Int
    /// End of the current window.
    package private(set) var deadline: ContinuousClock.Instant

    /// A transfer that starts at `bytes`, which may count earlier transfers.
    package init(_ pace: Pace, bytes: Int = 0, now: ContinuousClock.Instant) {
        self.pace = pace
        mark = bytes
        self.bytes = bytes
        deadline = now.later(by: pace.window)
    }

    /// Records that `total` bytes have been transferred; returns whether a new window began.
    @discardableResult
    package mutating func advance(to total: Int, now: ContinuousClock.Instant) -> Bool {
        bytes = max(bytes, total)
        guard bytes - mark >= pace.bytesPerWindow else { return false }
        mark = bytes
        deadline = now.later(by: pace.window)
        return true
    }
}
