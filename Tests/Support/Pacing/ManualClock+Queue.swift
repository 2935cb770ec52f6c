package import Admission

extension ManualClock {
    /// This clock for a ``DeadlineQueue``.
    package var queueTime: QueueTime { QueueTime(now: { self.now }, call: { self.call(at: $0, $1) }) }
}
