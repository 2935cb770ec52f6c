import TotalFunctions

/// The minimum rate of a body or a response, as a number of bytes per time window.
package struct Pace: Sendable {
    package let window: Duration
    /// The number of bytes per window, at least 1.
    package let bytesPerWindow: Int

    /// Creates a pace of `bytesPerSecond`, measured over `window`.
    ///
    /// Values of any size are valid.
    package init(bytesPerSecond: Int, window: Duration) {
        let bytes = Double(bytesPerSecond) * (window / .seconds(1))
        self.window = window
        bytesPerWindow = Int(clamping: min(max(1, bytes), Double(Int32.max)))
    }
}
