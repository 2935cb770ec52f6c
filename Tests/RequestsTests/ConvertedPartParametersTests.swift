import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct ConvertedPartParametersTests {
    private func read(_ name: String, _ value: String) throws(ParameterErrors) -> FrameParameters {
        try FrameParameters([(name: name, value: value)], known: Parameter.all)
    }

    @Test(arguments: [("1", 1), ("2", 2), ("9999", 9999)])
    func `page is a number`(text: String, page: Int) throws {
        #expect(try read("page", text).page == page)
    }

    @Test(arguments: ["0", "-1", "1.0", "01x", "10000", "", "2;id", "$(id)", "1 "])
    func `other pages are rejected`(text: String) throws {
        #expect(try #require(throws: ParameterErrors.self) { try read("page", text) }.all.count == 1)
    }

    @Test(arguments: [
        ("0s", 0), ("2.5s", 2500), ("2.05s", 2050), ("0.001s", 1), ("12s", 12_000), ("86400s", 86_400_000),
        ("86400.000s", 86_400_000), ("00001s", 1000),
    ])
    func `frame is a number of seconds`(text: String, milliseconds: Int) throws {
        #expect(try read("frame", text).frame?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "2.5", "s", ".5s", "2.s", "2.0001s", "86400.001s", "86401s", "100000s", "-1s", "1e3s", "1,5s", "1 s", "2.5S",
        "1:02s",
        "2.5s;", "٢s",
    ])
    func `other frames are rejected`(text: String) throws {
        #expect(try #require(throws: ParameterErrors.self) { try read("frame", text) }.all.count == 1)
    }

    @Test func `streams have neither pages nor frames`() {
        let parameters = Parameter.of(.stream)
        #expect(!parameters.contains(.page) && !parameters.contains(.frame))
    }
}
