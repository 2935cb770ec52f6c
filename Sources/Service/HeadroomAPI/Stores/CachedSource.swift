import Admission
import BinaryCoding
import Caching
import Cryptography
import Encodings
import Fetching
import Synchronization

/// A fetched source with the metadata of its origin's response.
struct CachedSource: Sendable {
    struct Origin: Codable, Sendable {
        /// The URL after all redirects.
        var url: String
        var etag: String?
        var lastModified: String?
        var cacheControl: String?
        /// The time when the source becomes stale, in seconds since 1970.
        var freshUntil: Int
        /// The time of the fetch or of the last revalidation, in seconds since 1970.
        var confirmedAt: Int
        var allowsStale: Bool
    }

    /// The bytes, shared by all copies of this value.
    let content: SharedBytes
    /// The bytes' share of the budget for sources in use; nil for a source in the cache, which has its own budget.
    private(set) var share: ByteShare?
    /// SHA-256 of the bytes, in hexadecimal digits.
    let digest: String
    var origin: Origin

    init(_ image: FetchedImage, _ freshness: OriginFreshness, now: UnixTime) {
        content = SharedBytes(image.bytes, share: image.share)
        share = image.share
        digest = Hexadecimal.text(SHA256.digest(of: image.bytes))
        origin = Origin(
            url: image.url.string,
            etag: image.etag,
            lastModified: image.lastModified,
            cacheControl: image.cacheControl,
            freshUntil: freshness.end(from: now).seconds,
            confirmedAt: now.seconds,
            allowsStale: freshness.allowsStale
        )
    }

    /// Returns the source, updated with a 304 of its origin.
    ///
    /// Fields that are absent from the 304 keep their values (RFC 9111 §4.3.4).
    func renewed(by image: FetchedImage, _ freshness: OriginFreshness, now: UnixTime) -> CachedSource {
        var renewed = self
        renewed.origin.etag = image.etag ?? origin.etag
        renewed.origin.lastModified = image.lastModified ?? origin.lastModified
        renewed.origin.cacheControl = image.cacheControl ?? origin.cacheControl
        renewed.origin.freshUntil = freshness.end(from: now).seconds
        renewed.origin.confirmedAt = now.seconds
        renewed.origin.allowsStale = freshness.allowsStale
        return renewed
    }

    /// Validators for a conditional request to the origin.
    var conditions: FetchConditions? {
        guard let url = try? SourceURL(origin.url) else { return nil }
        return FetchConditions(url: url, etag: origin.etag, lastModified: origin.lastModified)
    }

    /// A copy without a budget share, for the cache.
    var inCache: CachedSource {
        var source = self
        source.share = nil
        return source
    }

    /// Checks a source that may have been fetched for another client.
    ///
    /// - Throws: ``FetchError/blocked(_:)`` if redirects led to a host that the client may not use, or
    ///   ``FetchError/tooLarge(limit:)``.
    func check(_ limits: FetchLimits) throws(FetchError) {
        guard let url = try? SourceURL(origin.url) else { throw .blocked("the final URL after redirects is not valid") }
        if let reason = limits.refusal(of: url) { throw .blocked(FetchRefusal(redirectTo: url, reason)) }
        if let limit = limits.maxBytes, bytes.count > limit { throw .tooLarge(limit: limit) }
    }

    var bytes: [UInt8] { content.bytes }

    var cost: Int { bytes.count + 1024 }
}

extension CachedSource {
    /// The record of the source in a shared store; nil when encoding fails.
    var record: SharedRecord? {
        guard let head = try? BinaryCoder.bytes(of: origin) else { return nil }
        return SharedRecord(head: head, body: bytes)
    }

    /// The maximum accepted difference between the clocks of two processes.
    private static let skew = DeltaSeconds(clamping: 60)

    /// Validates a record and creates its source.
    ///
    /// Records are untrusted, and `now` limits their times.
    init?(_ record: SharedRecord, fetcher: ImageFetcher, now: UnixTime) {
        guard let origin = try? BinaryCoder.value(Origin.self, from: record.head),
            record.body.count <= fetcher.maxBytes,
            let url = try? SourceURL(origin.url), fetcher.refusal(of: url) == nil,
            [origin.etag, origin.lastModified, origin.cacheControl].allSatisfy(Self.isRepeatable),
            origin.confirmedAt >= 0, origin.confirmedAt <= (now + Self.skew).seconds, origin.freshUntil >= 0,
            origin.freshUntil <= (now + Self.skew + OriginFreshness.longest).seconds
        else { return nil }
        content = SharedBytes(record.body)
        digest = Hexadecimal.text(SHA256.digest(of: record.body))
        self.origin = origin
    }

    /// Whether a value is valid in a header field, like the values of ``FetchedImage``.
    private static func isRepeatable(_ value: String?) -> Bool {
        guard let value else { return true }
        return value.utf8.count <= 1024 && value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
    }
}

/// The bytes of a source, which the cache and jobs share.
///
/// While at least one job uses the bytes, they use one share of the budget for sources in use, regardless of the number
/// of jobs.
final class SharedBytes: Sendable {
    private struct Reference {
        weak var share: ByteShare?
    }

    let bytes: [UInt8]

    private let reference: Mutex<Reference>

    /// Creates bytes; `share` is their current share of the budget.
    init(_ bytes: [UInt8], share: ByteShare? = nil) {
        self.bytes = bytes
        reference = Mutex(Reference(share: share))
    }

    /// Returns the budget share of all jobs that use these bytes.
    ///
    /// Each job retains the share while it uses the bytes.
    ///
    /// The share counts for the client of the first job.
    ///
    /// - Returns: Nil if no job has a share and `budget` does not have enough memory left.
    func share(of budget: ByteBudget, for client: Client?) -> ByteShare? {
        reference.withLock { reference in
            if let share = reference.share { return share }
            let share = budget.take(bytes.count, for: client)
            reference.share = share
            return share
        }
    }
}
