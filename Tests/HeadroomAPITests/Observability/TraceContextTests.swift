import HTTPTypes
import HeadroomAPI
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    @Test(arguments: [
        ("00-\(trace)-\(parent)-01", "01"), ("00-\(trace)-\(parent)-00", "00"), ("00-\(trace)-\(parent)-03", "03"),
        // Unknown flags are not propagated.
        ("00-\(trace)-\(parent)-ff", "03"), ("00-\(trace)-\(parent)-fe", "02"),
        // Later versions start with the fields of this version.
        ("01-\(trace)-\(parent)-01", "01"), ("cc-\(trace)-\(parent)-01-what-the-future-brings", "01"),
        ("cc-\(trace)-\(parent)-01-", "01"),
    ])
    func `a trace continues with a new span`(text: String, flags: String) throws {
        let context = try #require(TraceContext(text))
        #expect(context.traceID == Self.trace)
        #expect(context.parentID == Self.parent)
        #expect(context.spanID != Self.parent)
        #expect(context.spanID.wholeMatch(of: /[0-9a-f]{16}/) != nil)
        #expect(context.traceParent == "00-\(Self.trace)-\(context.spanID)-\(flags)")
        #expect(TraceContext(context.traceParent)?.parentID == context.spanID)
        #expect(TraceContext(text)?.spanID != context.spanID)
    }

    @Test(arguments: [
        "", "-", "---", "00", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-", "00-\(trace)-\(parent)-0",
        "00-\(trace)-\(parent)-011", "00-\(trace)-\(parent)-01-", "00-\(trace)-\(parent)-01-more",
        "ff-\(trace)-\(parent)-01", "0-\(trace)-\(parent)-01", "000-\(trace)-\(parent)-01", "0x-\(trace)-\(parent)-01",
        "00-\(trace.uppercased())-\(parent)-01", "00-\(trace)-\(parent.uppercased())-01", "00-\(trace)-\(parent)-0A",
        "00-\(trace.dropLast())-\(parent)-01", "00-\(trace)0-\(parent)-01", "00-\(trace)-\(parent)0-01",
        "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
        " 00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01 ", "00_\(trace)_\(parent)_01",
        "00-\(trace)-\(parent)-+1",
        "01-\(trace)-\(parent)-01more", "00-\(trace.dropLast())é-\(parent)-01",
    ])
    func `an invalid traceparent yields no trace`(text: String) {
        #expect(TraceContext(text) == nil)
    }
}
