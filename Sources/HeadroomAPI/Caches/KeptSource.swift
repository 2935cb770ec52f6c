import FramePipeline
import Framing
import ImageSource
import SharedCache

/// A source that was fetched, and what its origin said of it.
struct KeptSource: Sendable {
    /// What goes beside the bytes.
    struct Origin: Codable, Sendable {
        /// Where the bytes came from, after all redirects.
        var url: String
        var etag: String?
        var lastModified: String?
        var cacheControl: String?
        /// Until when it is used without asking, in seconds since 1970.
        var freshUntil: Int
        /// When the origin last said that these are the bytes.
        var confirmedAt: Int
        var allowsStale: Bool
    }

    let bytes: [UInt8]
    /// SHA-256 of the bytes, in hexadecimal digits.
    let digest: String
    var origin: Origin

    /// A fetched source.
    init(_ image: FetchedImage, _ freshness: OriginFreshness, now: Int) {
        bytes = image.bytes
        digest = Hexadecimal.text(SHA256.digest(of: image.bytes))
        origin = Origin(
            url: image.url.string,
            etag: image.etag,
            lastModified: image.lastModified,
            cacheControl: image.cacheControl,
            freshUntil: now + (freshness.seconds ?? 0),
            confirmedAt: now,
            allowsStale: freshness.allowsStale
        )
    }

    /// The same source after its origin said that nothing has changed; fields that it left out hold on (RFC 9111 §4.3.4).
    func renewed(by image: FetchedImage, _ freshness: OriginFreshness, now: Int) -> KeptSource {
        var renewed = self
        renewed.origin.etag = image.etag ?? origin.etag
        renewed.origin.lastModified = image.lastModified ?? origin.lastModified
        renewed.origin.cacheControl = image.cacheControl ?? origin.cacheControl
        renewed.origin.freshUntil = now + (freshness.seconds ?? 0)
        renewed.origin.confirmedAt = now
        renewed.origin.allowsStale = freshness.allowsStale
        return renewed
    }

    /// What the origin need not send again.
    var conditions: FetchConditions? {
        guard let url = try? SourceURL(origin.url) else { return nil }
        return FetchConditions(url: url, etag: origin.etag, lastModified: origin.lastModified)
    }

    /// What it takes in memory.
    var cost: Int { bytes.count + 1024 }
}

extension KeptSource {
    /// The record of the source in a shared store; nil when it cannot be told.
    var record: SharedRecord? {
        guard let head = try? WorkerWire.bytes(of: origin) else { return nil }
        return SharedRecord(head: head, body: bytes)
    }

    /// The source of a record, which may be anybody's.
    ///
    /// - Parameters:
    ///   - record: Out of a shared store.
    ///   - fetcher: Tells what may be fetched here: another process may have been allowed more.
    ///   - now: Seconds since 1970.
    init?(_ record: SharedRecord, fetcher: ImageFetcher, now: Int) {
        guard let origin = try? WorkerWire.value(Origin.self, from: record.head),
            record.body.count <= fetcher.maxBytes,
            let url = try? SourceURL(origin.url), fetcher.refusal(of: url) == nil,
            [origin.etag, origin.lastModified, origin.cacheControl].allSatisfy(Self.isRepeatable),
            (0...now + 60).contains(origin.confirmedAt),
            (0...now + 60 + OriginFreshness.longest).contains(origin.freshUntil)
        else { return nil }
        bytes = record.body
        digest = Hexadecimal.text(SHA256.digest(of: record.body))
        self.origin = origin
    }

    /// Whether a field's value may stand in a header, as ``FetchedImage`` promises.
    private static func isRepeatable(_ value: String?) -> Bool {
        guard let value else { return true }
        return value.utf8.count <= 1024 && value.utf8.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x09 }
    }
}
