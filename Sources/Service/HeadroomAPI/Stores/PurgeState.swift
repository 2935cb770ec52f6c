import Caching
import Fetching
import Synchronization

/// The state that purges need: the number of purges, and the content digests of recently used URLs.
///
/// Results and detection results are cached by content, so that URLs with equal bytes share them. A purge names a URL
/// and removes the results for all contents that were read at this URL.
final class PurgeState: Sendable {
    /// The memory limit for content digests, in bytes; enough for about 7,000 URLs.
    private static let budget = 4 << 20

    /// The maximum number of content digests for one URL.
    ///
    /// Earlier contents can be read again only if the origin returns them again.
    private static let maxContents = 4

    private let value = Atomic(0)
    private let contents = ByteCache<SourceTag, [String]>(budget: PurgeState.budget)

    /// The number of purges.
    ///
    /// Work compares this number before and after, because a result of work that began before a purge must not be
    /// stored.
    var count: Int { value.load(ordering: .acquiring) }

    /// Counts a purge before its values are removed.
    func add() { value.add(1, ordering: .acquiringAndReleasing) }

    /// Stores the digest of the bytes that were read at a URL, so that a purge of the URL finds their results.
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
