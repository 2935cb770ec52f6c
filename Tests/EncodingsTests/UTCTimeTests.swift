import Encodings
import Testing

@Suite struct UTCTimeTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT", "19700101T000000Z", "1970-01-01T00:00:00"),
        // The example of RFC 9110.
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT", "19941106T084937Z", "1994-11-06T08:49:37"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT", "20000228T235959Z", "2000-02-28T23:59:59"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT", "20000229T000000Z", "2000-02-29T00:00:00"),
    ])
    func `a time is formatted for HTTP and ISO 8601`(seconds: Int, http: String, basic: String, extended: String) {
        let time = UTCTime(seconds: seconds)
        #expect(time.httpDate == http)
        #expect(time.basic == basic)
        #expect(time.extended == extended)
    }

    // The last second whose year the C library can represent, and times beyond it.
    @Test(arguments: [67_768_036_191_676_799, Int.min, Int.max])
    func `a time outside the calendar is written without a crash`(seconds: Int) {
        #expect(!UTCTime(seconds: seconds).httpDate.isEmpty)
    }
}
