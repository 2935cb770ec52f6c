extension ContinuousClock.Instant {
    /// Upper bound of all timeouts.
    ///
    /// A larger value could overflow the instant, which traps.
    private static let longest = Duration.seconds(100 * 365 * 86_400)

    /// Returns this instant plus a configured duration, which is clamped to 0 and a hundred years.
    func later(by duration: Duration) -> Self { self + min(max(duration, .zero), Self.longest) }

    /// Returns this instant minus a configured duration, which is clamped to 0 and a hundred years.
    func earlier(by duration: Duration) -> Self { self - min(max(duration, .zero), Self.longest) }
}
