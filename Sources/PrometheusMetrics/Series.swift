import CoreMetrics
import Synchronization

/// One counter with certain values of its labels.
final class CounterSeries: CounterHandler {
    private let count = Atomic<Int64>(0)

    var value: Int64 { count.load(ordering: .relaxed) }

    func increment(by amount: Int64) { count.add(amount, ordering: .relaxed) }

    func reset() { count.store(0, ordering: .relaxed) }
}

/// One gauge with certain values of its labels.
final class GaugeSeries: MeterHandler {
    private let state = Mutex(0.0)

    var value: Double { state.withLock { $0 } }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { state.withLock { $0 = value } }

    func increment(by amount: Double) { state.withLock { $0 += amount } }

    func decrement(by amount: Double) { state.withLock { $0 -= amount } }
}

/// One histogram with certain values of its labels.
///
/// As a timer it counts seconds, which is Prometheus' unit of time.
final class HistogramSeries: RecorderHandler, TimerHandler {
    struct Snapshot {
        /// How many observations fell between each bound and the one before it; the last are those above all bounds.
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
