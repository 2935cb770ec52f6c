/// The clock of a run; tests replace it.
package struct BatchClock: Sendable {
    package var now: @Sendable () -> ContinuousClock.Instant
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> ContinuousClock.Instant,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The clock of the system.
    package static let system = BatchClock(now: { .now }, sleep: { try await Task.sleep(for: $0) })
}
