import Admission
@testable import Fetching
import Glibc
@testable import HeadroomAPI

extension Fuzzer {
    /// Numbers in the freshness fields of an origin's response, in any combination, and the current time; then a second
    /// response that revalidates the first.
    ///
    /// Invariant: the freshness lifetime is bounded for all dates, ages and clocks.
    static let freshness = Fuzzer(name: "freshness", maxLength: 256) {
        // Numbers at the limits of the range, in one field at a time.
        let extreme: [UInt8] = [0x00, 0]
        let (recent, long): ([UInt8], [UInt8]) = ([0x10, 0], [0x20, 0])
        return (0..<8).flatMap { (field: UInt8) -> [[UInt8]] in
            [extreme, recent, long].map { (number: [UInt8]) -> [UInt8] in
                var seed: [UInt8] = [0x10, 5, 3, field, 1]
                seed += number
                seed += [field &+ 1, 1]
                seed += extreme
                seed += [2, 0]
                seed += extreme
                seed += [1, 2]
                return seed + number
            }
        }
    } run: { input in
        var numbers = FuzzedNumbers(input)
        guard let url = try? SourceURL("http://example.com/") else { preconditionFailure("no URL") }
        var kept: CachedSource?
        for _ in 0..<2 {
            let now = UnixTime(clamping: numbers.number())
            let image = response(&numbers, url, isUnchanged: kept != nil)
            let freshness = OriginFreshness(of: image, now: now)
            precondition(freshness.lifetime.map { $0 <= OriginFreshness.longest } ?? true)
            let source = kept?.renewed(by: image, freshness, now: now) ?? CachedSource(image, freshness, now: now)
            precondition(source.origin.freshUntil - source.origin.confirmedAt <= OriginFreshness.longest.count)
            precondition(source.origin.confirmedAt <= UnixTime.latest.seconds)
            _ = source.conditions
            kept = source
        }
    }

    private static let fields = [
        "Date", "Expires", "Age", "Last-Modified", "Cache-Control: max-age=", "Cache-Control: s-maxage=", "ETag",
        "Vary",
    ]

    private static func response(_ numbers: inout FuzzedNumbers, _ url: SourceURL, isUnchanged: Bool) -> FetchedImage {
        let receiver = ResponseReceiver(maxBytes: 1 << 16, budget: ByteBudget(limit: 1 << 18))
        var lines = ["HTTP/1.1 \(isUnchanged ? 304 : 200) OK"]
        for _ in 0..<numbers.byte() & 7 {
            let field = fields[Int(numbers.byte() & 7)]
            let name = field.hasSuffix("=") ? field : "\(field): "
            switch numbers.byte() & 3 {
            case 0: lines.append("\(name)\(numbers.text())")
            case 1: lines.append("\(name)\(numbers.number())")
            case 2: lines.append("\(name)\(date(numbers.number()))")
            default: lines.append("\(name)\"\(numbers.number())\", must-revalidate")
            }
        }
        for line in lines + [""] {
            // The fuzzer `origin-header` covers line ends inside a value.
            let bytes = Array(line.utf8.filter { $0 >= 0x20 }) + Array("\r\n".utf8)
            guard bytes.withUnsafeBytes(receiver.receiveHeader) else { break }
        }
        return FetchedImage(receiver, isUnchanged: isUnchanged, url: url, redirects: 0)
    }

    /// Returns an IMF-fixdate for any second that the C library can represent.
    private static func date(_ seconds: Int) -> String {
        var (seconds, parts) = (seconds, tm())
        var text = [CChar](repeating: 0, count: 100)
        guard gmtime_r(&seconds, &parts) != nil,
            strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts) > 0
        else { return "\(seconds)" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
