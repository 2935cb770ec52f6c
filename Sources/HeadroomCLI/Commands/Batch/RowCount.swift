import Batch
import Dispatch
import Synchronization

/// Counts the rows of a run beside it, for the time that is left.
final class RowCount: Sendable {
    private let count = Atomic(-1)

    /// Begins to count; standard input cannot be read twice, and archives in buckets cost as much as the run.
    init(_ settings: BatchSettings) {
        guard settings.isCountable else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            var rows = settings.inputs
            var found = 0
            // The run itself reports what cannot be read.
            while (try? rows.next()) != nil { found += 1 }
            count.store(found, ordering: .relaxed)
        }
    }

    /// All rows; nil until they are counted.
    var value: Int? {
        let count = count.load(ordering: .relaxed)
        return count < 0 ? nil : count
    }
}
