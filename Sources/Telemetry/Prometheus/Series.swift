import CoreMetrics
import Synchronization

/// A counter with fixed label values.
final class CounterSeries: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// A gauge with fixed label values.
final class GaugeSeries: MeterHandler {
    private let state = Mutex(0.0)

    var value: Double { state.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { state.withLock { $0 = value } }

    func increment(by amount: Double) { state.withLock { $0 += amount } }

    func decrement(by amount: Double) { state.withLock { $0 -= amount } }
}

/// A histogram with fixed label values.
///
/// As a timer it records seconds, the base unit of Prometheus.
final class HistogramSeries: RecorderHandler, TimerHandler {
    struct Snapshot {
        /// The number of observations between each bound and the previous one; the last is that above all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    let bounds: [Double]
    private let state: Mutex<Snapshot>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(Snapshot(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var snapshot: Snapshot { state.withLock { $0 } }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
