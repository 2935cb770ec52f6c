@testable import FramePipeline
@testable import HeadroomAPI
import ImageSource
import Logging
import SharedCache

extension Fuzzer {
    /// What comes back from a store that others write to: a byte that chooses what it should be, then a record with its
    /// frame, or without one, so that what is inside need not have the right checksum.
    ///
    /// What passes for a value can be used like one of the process's own, and is the same when it is told again.
    static let sharedRecord = Fuzzer(name: "shared-record", maxLength: 2048) {
        // As much as tells what it is.
        let picture = Array(SeedPictures.png()[0].prefix(40))
        let result = try TriedJob.all[0].run()
        guard let findings = result.findings, let kept = KeptPicture(result.result, route: .frame)?.record else {
            preconditionFailure("a job without a result")
        }
        let origin = KeptSource.Origin(
            url: "http://example.com/a",
            etag: "\"a\"",
            lastModified: nil,
            cacheControl: "max-age=5",
            freshUntil: now + 5,
            confirmedAt: now,
            allowsStale: true
        )
        let heads = [try WorkerWire.bytes(of: findings), kept.head, try WorkerWire.bytes(of: origin)]
        return heads.enumerated().map { [UInt8($0.offset), UInt8(picture.count)] + picture + $0.element }
            + [
                [3] + SharedRecord(head: kept.head, body: picture).framed(for: key)
            ]
    } run: { input in
        guard let kind = input.first else { return }
        let bytes = Array(input.dropFirst())
        guard kind & 3 != 3 else { return checkFrame(bytes) }
        // A body first, as long as the next byte says.
        let count = min(Int(bytes.first ?? 0), max(0, bytes.count - 1))
        let record = SharedRecord(head: Array(bytes.dropFirst(1 + count)), body: Array(bytes.dropFirst().prefix(count)))
        switch kind & 3 {
        case 0:
            let findings = FaceFindings(told: record.head, detectorName: TriedJob.detectorName, limits: TriedJob.limits)
            if let findings {
                TriedJob.all[1].frame(findings)
                precondition(findings.bytes > 0)
            }
        case 1:
            guard let picture = KeptPicture(record) else { return }
            _ = Answer.image(picture, isNegotiated: true)
            precondition(picture.record == record || picture.record.flatMap(KeptPicture.init)?.bytes == picture.bytes)
        default:
            guard let source = KeptSource(record, fetcher: fetcher, now: now) else { return }
            precondition(source.origin.freshUntil - source.origin.confirmedAt <= now + 60 + OriginFreshness.longest)
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

    /// What is in a frame is the same in a frame of its own.
    private static func checkFrame(_ bytes: [UInt8]) {
        guard let record = SharedRecord(framed: bytes, for: key) else { return }
        precondition(record.framed(for: key) == bytes, "another frame around the same record")
    }
}
