import Admission
import BinaryCoding
import Caching
@testable import Fetching
import Framing
import Geometry
@testable import HeadroomAPI
import Imaging
import Logging
@testable import Pipeline
import Requests

extension Fuzzer {
    /// Numbers in an otherwise valid record of a shared store.
    ///
    /// The record is either a source or a set of detections. The times of a source are compared, revalidated and
    /// limited at any time; detections are framed.
    static let sharedNumbers = Fuzzer(name: "shared-numbers", maxLength: 256) {
        // A recent time, which is valid, and numbers at the limits of the range.
        let (recent, maximum, minimum): ([UInt8], [UInt8], [UInt8]) = ([0x10, 0], [0x00, 0], [0x08, 0])
        let sources = [recent, maximum, minimum].flatMap { (first: [UInt8]) -> [[UInt8]] in
            [recent, maximum, minimum].map { (second: [UInt8]) -> [UInt8] in
                joined([[0], first, second, recent, recent, [2, 5, 1, 0x10, 5]])
            }
        }
        // An image with a face and its head, and the same image with impossible rectangles.
        let (sizes, numbers) = (small([90, 80]), small([200, 3, 4, 20, 20, 0, 1]))
        let (box, head) = (small([10, 10, 30, 30]), small([5, 5, 40, 40]))
        let boxes = [box, joined([maximum, maximum, maximum, maximum]), joined([minimum, minimum, maximum, maximum])]
        return sources + boxes.map { joined([[1], sizes, $0, box, head, numbers]) }
    } run: { input in
        var numbers = FuzzedNumbers(input)
        if numbers.byte() & 1 == 0 { trySource(&numbers) } else { tryFindings(&numbers) }
    }

    private static func joined(_ pieces: [[UInt8]]) -> [UInt8] { Array(pieces.joined()) }

    /// Numbers of one byte, in the encoding of ``FuzzedNumbers``.
    private static func small(_ numbers: [UInt8]) -> [UInt8] { numbers.flatMap { [0x28, $0] } }

    private static let fetcher = ImageFetcher(
        configuration: .init(userAgent: "fuzzer"),
        logger: Logger(label: "fuzzer")
    )

    private static func trySource(_ numbers: inout FuzzedNumbers) {
        let now = UnixTime(clamping: numbers.number())
        let origin = CachedSource.Origin(
            url: "http://example.com/a",
            etag: "\"a\"",
            lastModified: nil,
            cacheControl: "max-age=\(numbers.number())",
            freshUntil: numbers.number(),
            confirmedAt: numbers.number(),
            allowsStale: true
        )
        guard let head = try? BinaryCoder.bytes(of: origin),
            let source = CachedSource(SharedRecord(head: head, body: [1, 2, 3]), fetcher: fetcher, now: now)
        else { return }
        // Uses the cached source at another time, with a response of its origin at this time.
        let later = UnixTime(clamping: numbers.number())
        let age = later - UnixTime(clamping: source.origin.confirmedAt)
        precondition(age <= .longest)
        let line = Array("Age: \(numbers.number())\r\n".utf8)
        let receiver = ResponseReceiver(maxBytes: 1, budget: ByteBudget(limit: 1 << 18))
        for line in [Array("HTTP/1.1 304 OK\r\n".utf8), line, Array("\r\n".utf8)] {
            _ = line.withUnsafeBytes(receiver.receiveHeader)
        }
        guard let url = try? SourceURL(source.origin.url) else { preconditionFailure("no URL") }
        let image = FetchedImage(receiver, isUnchanged: true, url: url, redirects: 0)
        let renewed = source.renewed(by: image, OriginFreshness(of: image, now: later), now: later)
        precondition(renewed.origin.freshUntil - renewed.origin.confirmedAt <= OriginFreshness.longest.count)
        _ = CachingPolicy(followsOrigin: true).value(
            FreshnessRules(),
            isVersioned: false,
            origin: source.origin.cacheControl
        )
        precondition(renewed.record != nil)
    }

    private static func tryFindings(_ numbers: inout FuzzedNumbers) {
        guard var findings = TriedJob.all[0].run().findings, var face = findings.faces.first else {
            preconditionFailure("a job without a face")
        }
        let size = PixelSize(width: numbers.number(), height: numbers.number())
        face.box = rect(&numbers)
        face.subject.face = rect(&numbers)
        face.subject.head = rect(&numbers)
        face.subject.reliability = numbers.number()
        face.subject.tolerance = numbers.number()
        face.confidence = Double(bitPattern: UInt64(bitPattern: Int64(numbers.number())))
        if var pass = findings.passes.first {
            pass.turn = numbers.number()
            pass.found = numbers.number()
            pass.workingSize.width = numbers.number()
            findings.passes = [pass]
        }
        findings.faces = [face, face]
        // The size of the job's image, or an arbitrary size.
        let isOther = numbers.byte() & 1 != 0
        var told = DetectionResult(size: isOther ? size : findings.size, detectorName: findings.detectorName)
        (told.faces, told.ignored, told.passes) = (findings.faces, findings.ignored, findings.passes)
        guard let bytes = try? BinaryCoder.bytes(of: told),
            let known = DetectionResult(decoding: bytes, detectorName: TriedJob.detectorName, limits: TriedJob.limits)
        else { return }
        precondition(known.bytes > 0 && known.duration >= .zero)
        for job in TriedJob.all { job.frame(known) }
    }

    private static func rect(_ numbers: inout FuzzedNumbers) -> PixelRect {
        PixelRect(x: numbers.number(), y: numbers.number(), width: numbers.number(), height: numbers.number())
    }
}
