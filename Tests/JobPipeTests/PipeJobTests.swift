import HeadroomAPI
import JobPipe
import Requests
import Testing

@Suite struct PipeJobTests {
    @Test func `a header contains an ID, a route, plan, and parameters`() throws {
        let header = #"{"id":7,"aspect":"1:1","width":400.0,"plan":true,"enlarge":false,"route":"/faces","url":null}"#
        let job = try PipeJob(Array(header.utf8))
        #expect(job.id == "7")
        #expect(job.route == "/faces")
        #expect(job.wantsPlan)
        #expect(job.parameters.map(\.name) == ["aspect", "width", "enlarge"])
        #expect(job.parameters.map(\.value) == ["1:1", "400", "false"])
        let minimum = try PipeJob(Array(#"{"id":"a"}"#.utf8))
        #expect(minimum.route == "/frame")
        #expect(!minimum.wantsPlan)
    }

    @Test(arguments: [
        "0", "-0", "9007199254740993", "9007199254740992.0", "12345678901234567890", "12345678901234567891", "1e30",
        "1.0e30", "1e400", "0.10000000000000000001", "4e2", "400",
    ])
    func `a numeric ID keeps its digits`(id: String) throws {
        #expect(try PipeJob(Array("{\"id\":\(id)}".utf8)).id == id)
    }

    @Test(
        arguments: [
            ("", nil, "not a JSON object"), ("[]", nil, "not a JSON object"), (#"{"id":{}}"#, nil, "not a JSON object"),
            ("{}", nil, "requires one id"), (#"{"id":""}"#, nil, "requires one id"),
            (#"{"id":null}"#, nil, "requires one id"),
            (#"{"id":"a","id":"b"}"#, nil, "requires one id"),
            (#"{"id":"a","plan":1}"#, "a", "plan must be true or false"),
            (#"{"id":"a","plan":true,"plan":true}"#, "a", "Duplicate member plan"),
            (#"{"id":"a","route":"/frame","route":"/frame"}"#, "a", "Duplicate member route"),
        ] as [(String, String?, String)]
    )
    func `an invalid header is rejected`(header: String, id: String?, reason: String) {
        let refusal = #expect(throws: PipeJob.Refusal.self) { try PipeJob(Array(header.utf8)) }
        #expect(refusal?.id == id)
        #expect(refusal?.problem.detail.contains(reason) == true)
    }

    @Test func `the maximum length of an ID is 256 bytes`() throws {
        let id = String(repeating: "é", count: 128)
        #expect(try PipeJob(Array(#"{"id":"\#(id)"}"#.utf8)).id == id)
        #expect(throws: PipeJob.Refusal.self) { try PipeJob(Array(#"{"id":"\#(id)x"}"#.utf8)) }
    }

    @Test(arguments: [
        (#"{"version": 1}"#, 0, true), (#"{"version": "1"}"#, 0, true), (#"{"version": 2}"#, 0, false),
        ("{}", 0, false), ("", 0, false), (#"{"version": 1}"#, 1, false), (#"{"version": 1, "a": 2}"#, 0, false),
    ])
    func `a greeting contains the version`(header: String, length: Int, isAccepted: Bool) {
        #expect((Greeting.refusal(of: Array(header.utf8), bodyLength: length) == nil) == isAccepted)
    }
}
