import Admission
import Synchronization

/// The bytes of a source, shared by the cache and by jobs.
///
/// While any job uses the bytes, they take one share of the budget for sources in use, however many jobs there are.
final class SharedBytes: Sendable {
    private struct Reference {
        weak var share: ByteShare?
    }

    /// The bytes.
    let bytes: [UInt8]

    private let reference: Mutex<Reference>

    /// Creates bytes; `share` is the share that they take already.
    init(_ bytes: [UInt8], share: ByteShare? = nil) {
        self.bytes = bytes
        reference = Mutex(Reference(share: share))
    }

    /// The share of all jobs with these bytes; each job retains it while it uses the bytes.
    ///
    /// - Returns: Nil when no job has a share and `budget` has no room.
    func share(of budget: ByteBudget) -> ByteShare? {
        reference.withLock { reference in
            if let share = reference.share { return share }
            let share = budget.take(bytes.count)
            reference.share = share
            return share
        }
    }
}
