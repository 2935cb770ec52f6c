import BinaryCoding
import Caching
import Fetching
@testable import HeadroomAPI
import Logging
@testable import Pipeline
import Requests
import TestImages

extension Fuzzer {
    /// Values from an untrusted shared store: a byte that selects the kind, then a record, with or without its frame.
    ///
    /// A record without a frame has no checksum, so its content is always read.
    ///
    /// Invariants: a decoded record can be used like the process's own values, and encodes to an equal record.
    static let sharedRecord = Fuzzer(name: "shared-record", maxLength: 2048) {
        // The first bytes, which identify the format.
        let image = Array(SeedImages.png()[0].prefix(40))
        let outcome = TriedJob.all[0].run()
        guard let findings = outcome.findings, let kept = CachedImage(try outcome.result.get(), route: .frame)?.record
        else {
            preconditionFailure("a job without a result")
        }
        let origin = CachedSource.Origin(
            url: "http://example.com/a",
            etag: "\"a\"",
            lastModified: nil,
            cacheControl: "max-age=5",
            freshUntil: now + 5,
            confirmedAt: now,
            allowsStale: true
        )
        let heads = [try BinaryCoder.bytes(of: findings), kept.head, try BinaryCoder.bytes(of: origin)]
        return heads.enumerated().map { [UInt8($0.offset), UInt8(image.count)] + image + $0.element }
            + [
                [3] + SharedRecord(head: kept.head, body: image).framed(for: key)
            ]
    } run: { input in
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        guard kind & 3 != 3 else { return checkFrame(bytes) }
        // The body comes first; the first byte is its length.
        let count = min(Int(bytes.first ?? 0), max(0, bytes.count - 1))
        let record = SharedRecord(head: Array(bytes.dropFirst(1 + count)), body: Array(bytes.dropFirst().prefix(count)))
        switch kind & 3 {
        case 0:
            let findings = DetectionResult(
                decoding: record.head,
                detectorName: TriedJob.detectorName,
                limits: TriedJob.limits
            )
            if let findings {
                TriedJob.all[1].frame(findings)
                precondition(findings.bytes > 0)
            }
        case 1:
            guard let image = CachedImage(record) else { return }
            _ = ImageResult(image, .cached(.shared)).fields
            precondition(image.record == record || image.record.flatMap(CachedImage.init)?.bytes == image.bytes)
        default:
            guard let source = CachedSource(record, fetcher: fetcher, now: UnixTime(clamping: now)) else { return }
            precondition(source.origin.freshUntil <= now + 60 + OriginFreshness.longest.count)
            _ = source.conditions
            _ = source.origin.cacheControl.flatMap(OriginDirectives.value)
        }
    }

    private static let key = "key"
    private static let now = 1_700_000_000
    private static let fetcher = ImageFetcher(
        configuration: .init(userAgent: "fuzzer"),
        logger: Logger(label: "fuzzer")
    )

    /// Traps unless a record that was read from a frame encodes to an equal frame.
    private static func checkFrame(_ bytes: [UInt8]) {
        guard let record = SharedRecord(framed: bytes, for: key) else { return }
        precondition(record.framed(for: key) == bytes, "another frame around the same record")
    }
}
