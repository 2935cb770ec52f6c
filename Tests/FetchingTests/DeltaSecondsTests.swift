import Fetching
import TestHTTP
import Testing

/// Every number is clamped to a valid duration and time, and sums do not overflow.
struct DeltaSecondsTests {
    private static let numbers = [
        Int.min, -(1 << 40), -1, 0, 1, 1 << 31, (1 << 31) + 1, 253_402_300_799, 1 << 62, .max,
    ]

    @Test(arguments: [
        ("0", 0), ("60", 60), ("2147483648", 1 << 31), ("2147483649", 1 << 31), ("9223372036854775807", 1 << 31),
        ("9223372036854775808", 1 << 31), (String(repeating: "9", count: 1000), 1 << 31), ("", nil), ("-1", nil),
        ("+1", nil), ("1.5", nil), ("1, 2", nil), ("٣", nil),
    ])
    func `digits are parsed up to the maximum length`(text: String, seconds: Int?) {
        #expect(DeltaSeconds(digits: text)?.count == seconds)
    }

    @Test func `sums and differences of seconds never overflow`() {
        for left in Self.numbers {
            for right in Self.numbers {
                let (time, delta) = (UnixTime(clamping: left), DeltaSeconds(clamping: right))
                #expect((UnixTime(clamping: 0)...UnixTime.latest).contains(time + delta))
                #expect((0...1 << 31).contains((time - UnixTime(clamping: right)).count))
                #expect((0...1 << 31).contains((DeltaSeconds(clamping: left) - delta).count))
            }
        }
        #expect(UnixTime(clamping: 5) - UnixTime(clamping: 2) == DeltaSeconds(clamping: 3))
        #expect(UnixTime(clamping: 2) - UnixTime(clamping: 5) == DeltaSeconds(clamping: 0))
        #expect(UnixTime.latest + .longest == .latest)
    }

    /// Headers of an origin, and the parsed values of `Date`, `Expires` and `Age`.
    @Test(
        arguments: [
            (["Age: 9223372036854775807"], nil, nil, 1 << 31),
            (["Age: 99999999999999999999"], nil, nil, 1 << 31),
            (["Age: -5"], nil, nil, nil),
            (["Expires: Fri, 31 Dec 9999 23:59:59 GMT"], nil, 253_402_300_799, nil),
            (["Expires: Sat, 31 Dec 2147483647 23:59:59 GMT", "Date: Mon, 01 Jan 0001 00:00:00 GMT"], nil, nil, nil),
        ] as [([String], Int?, Int?, Int?)]
    )
    func `an origin's numbers are clamped when they are parsed`(
        fields: [String],
        date: Int?,
        expires: Int?,
        age: Int?
    ) async throws {
        let origin = try OriginServer(answering: response("200 OK", fields, body: "bytes"))
        let image = try await ImageFetcher.local().fetch(origin.url())
        if let expires { #expect(image.expires?.seconds == expires) }
        #expect(image.expires.map { $0 <= .latest } ?? true)
        #expect(image.date.map { $0 <= .latest } ?? true)
        #expect(image.date?.seconds == date || image.date == UnixTime(clamping: 0) || date == nil)
        #expect(image.age?.count == age)
    }
}
