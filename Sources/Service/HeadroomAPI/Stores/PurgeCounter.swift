import Synchronization

/// The number of purges of a service.
///
/// Work that began before a purge compares it, because its result must not be stored.
final class PurgeCounter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .acquiring) }

    /// Counts a purge, before values are removed.
    func add() { value.add(1, ordering: .acquiringAndReleasing) }
}
