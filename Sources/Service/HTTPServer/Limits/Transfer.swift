/// Progress of a body or a response, and the deadline for further progress.
///
/// The first window starts with the transfer; a new window starts whenever the bytes of a window have been transferred.
/// More bytes do not extend the deadline. A client that stops is therefore disconnected within one window, and a
/// transfer of `n` bytes takes at most `n / bytesPerWindow + 1` windows.
package struct Transfer {
    private let pace: Pace
    /// The byte position at the start of the current window.
    private var mark: Int
    /// Bytes transferred so far; never decreases.
    package private(set) var bytes: Int
    /// End of the current window.
    package private(set) var deadline: ContinuousClock.Instant

    /// Creates a transfer that starts at `bytes`, which may include earlier transfers.
    package init(_ pace: Pace, bytes: Int = 0, now: ContinuousClock.Instant) {
        self.pace = pace
        mark = bytes
        self.bytes = bytes
        deadline = now.later(by: pace.window)
    }

    /// Records that `total` bytes have been transferred; returns whether a new window started.
    @discardableResult
    package mutating func advance(to total: Int, now: ContinuousClock.Instant) -> Bool {
        bytes = max(bytes, total)
        guard bytes - mark >= pace.bytesPerWindow else { return false }
        mark = bytes
        deadline = now.later(by: pace.window)
        return true
    }
}
