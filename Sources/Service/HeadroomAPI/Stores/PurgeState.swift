import Caching
import Fetching
import Synchronization

/// The state that purges of a service need: their number, and the contents of recently used URLs.
///
/// Results and detection results are cached by content, so that equal bytes at several URLs share them. A purge names a
/// URL, and removes the values of the contents that were read there.
final class PurgeState: Sendable {
    /// The memory for contents in bytes: about 7,000 URLs.
    private static let budget = 4 << 20

    /// The maximum number of contents of one URL: earlier contents can only be read again if the origin returns them.
    private static let maxContents = 4

    private let value = Atomic(0)
    private let contents = ByteCache<SourceTag, [String]>(budget: PurgeState.budget)

    /// The number of purges.
    ///
    /// Work that began before a purge compares it, because its result must not be stored.
    var count: Int { value.load(ordering: .acquiring) }

    /// Counts a purge, before values are removed.
    func add() { value.add(1, ordering: .acquiringAndReleasing) }

    /// Remembers the digest of the bytes that were read at a URL, so that a purge of the URL finds their results.
    func remember(_ digest: String, at url: SourceURL) {
        let tag = SourceTag(url)
        let known = digests(at: tag)
        guard known.last != digest else { return }
        let digests = Array((known.filter { $0 != digest } + [digest]).suffix(Self.maxContents))
        contents.store(digests, for: tag, bytes: digests.count * digest.utf8.count)
    }

    /// Returns the digests of the bytes that were read at a URL, the most recent last.
    func digests(at tag: SourceTag) -> [String] { contents.value(for: tag) ?? [] }
}
