/// Progress of a body or a response, and the deadline for further progress.
///
/// The first window starts with the transfer. A new window starts whenever the bytes of a window have been transferred;
/// additional bytes do not extend the deadline. A client that stalls is therefore disconnected within one window, and a
/// transfer of `n` bytes takes at most `n / bytesPerWindow + 1` windows.
package struct Transfer {
    private let pace: Pace
    /// The byte position at the start of the current window.
    private var mark: Int
    /// The number of bytes transferred so far, which never decreases.
    package private(set) var bytes: Int
    /// The end of the current window.
    package private(set) var deadline: ContinuousClock.Instant

    /// Creates a transfer that starts at `bytes`, which may include bytes of previous transfers.
    package init(_ pace: Pace, bytes: Int = 0, now: ContinuousClock.Instant) {
        self.pace = pace
        mark = bytes
        self.bytes = bytes
        deadline = now.later(by: pace.window)
    }

    /// Records that `total` bytes have been transferred.
    ///
    /// Returns whether a new window started.
    @discardableResult
    package mutating func advance(to total: Int, now: ContinuousClock.Instant) -> Bool {
        bytes = max(bytes, total)
        guard bytes - mark >= pace.bytesPerWindow else { return false }
        mark = bytes
        deadline = now.later(by: pace.window)
        return true
    }
}
