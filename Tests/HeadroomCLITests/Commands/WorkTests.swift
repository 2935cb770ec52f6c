import Foundation
import TestPacing
import TestPrograms
import Testing

@Suite("headroom work", .limitedConcurrency)
struct WorkTests {
    private static let greeting = message(#"{"version": 1}"#)

    private static func message(_ header: String, _ body: [UInt8] = []) -> [UInt8] {
        let lengths = [header.utf8.count, body.count].flatMap { count in
            [24, 16, 8, 0].map { UInt8(count >> $0 & 255) }
        }
        return lengths + Array(header.utf8) + body
    }

    /// The messages of a stream.
    private static func messages(_ stream: [UInt8]) throws -> [(header: [String: Any], body: [UInt8])] {
        var messages: [(header: [String: Any], body: [UInt8])] = []
        var rest = stream[...]
        while !rest.isEmpty {
            let lengths = [rest.prefix(4), rest.dropFirst(4).prefix(4)].map { $0.reduce(0) { $0 << 8 | Int($1) } }
            rest = rest.dropFirst(8)
            let header = try JSONSerialization.jsonObject(with: Data(rest.prefix(lengths[0])))
            let body = Array(rest.dropFirst(lengths[0]).prefix(lengths[1]))
            messages.append((try #require(header as? [String: Any]), body))
            rest = rest.dropFirst(lengths[0] + lengths[1])
        }
        return messages
    }

    @Test func `jobs have the same outputs as headroom frame`() async throws {
        let folder = try Folder()
        let image = try Image.encoded()
        try folder.write(image, to: "a.jpg")
        let jobs = (0..<9).flatMap { Self.message(#"{"id":\#($0),"aspect":"1:1","plan":true}"#, image) }
        let run = try await Headroom.run(["work", "--workers", "2"], in: folder, input: Self.greeting + jobs)
        #expect(run.status == 0)
        #expect(run.error.isEmpty)
        let messages = try Self.messages(run.output)
        let greeting = try #require(messages.first?.header)
        #expect(greeting["version"] as? Int == 1)
        #expect(greeting["workers"] as? Int == 2)
        #expect(greeting["maxInFlight"] as? Int == 36)
        let frame = try await Headroom.run(["frame", "a.jpg", "--aspect", "1:1", "-o", "frame.jpg"], in: folder)
        #expect(frame.status == 0)
        let expected = try folder.read("frame.jpg")
        let responses = messages.dropFirst()
        #expect(Set(responses.compactMap { $0.header["id"] as? String }) == Set((0..<9).map { "\($0)" }))
        #expect(responses.count == 9)
        for response in responses {
            #expect(response.header["status"] as? Int == 200)
            #expect((response.header["plan"] as? [String: Any])?["crops"] != nil)
            #expect(response.body == expected)
        }
    }

    @Test func `an incomplete message is reported`() async throws {
        let job = Self.message(#"{"id":"a"}"#, [1, 2, 3])
        let run = try await Headroom.run(["work"], in: Folder(), input: Self.greeting + job + job.dropLast())
        #expect(run.status == 2)
        let responses = try Self.messages(run.output).dropFirst()
        #expect(Set(responses.compactMap { $0.header["status"] as? Int }) == [415, 400])
    }

    @Test func `each malformed job gets an error, and the next job is processed`() async throws {
        let long = String(repeating: "a", count: 257)
        let deep = String(repeating: "[", count: 30_000)
        let texts: [(String, Int)] = [
            ("", 400), ("[]", 400), ("{}", 400), (#"{"id":"a",}"#, 400), (#"{"id":"a"}x"#, 400), ("{'id':'a'}", 400),
            (#"{"id":null}"#, 400), (#"{"id":{}}"#, 400), (#"{"id":""}"#, 400), (#"{"id":"a","id":"b"}"#, 400),
            (#"{"id":"\ud800"}"#, 400), (#"{"id":"\#(long)"}"#, 400), (#"{"id":"a","plan":"yes"}"#, 400),
            (#"{"id":"a","width":[1]}"#, 400), (#"{"id":"a","width":1e400}"#, 400), (#"{"id":"a","width":"nan"}"#, 400),
            (#"{"id":"a","w":\#(deep)"#, 400), (#"{"id":"a","route":"/x"}"#, 404), (#"{"id":"a","route":""}"#, 404),
            (#"{"id":"a","url":"file:///etc/passwd"}"#, 400), (#"{"id":"a","signature":"x"}"#, 400),
        ]
        let bytes: [([UInt8], Int)] = [([0], 400), ([0x7B, 0x22, 0xFF, 0x22, 0x7D], 400)]
        let headers = texts.map { (Array($0.0.utf8), $0.1) } + bytes
        let image = try Image.encoded()
        var input = Self.greeting
        for (header, _) in headers {
            input += [24, 16, 8, 0].map { UInt8(header.count >> $0 & 255) } + [0, 0, 0, 3] + header + [1, 2, 3]
        }
        input += Self.message(#"{"id":"last","aspect":"1:1"}"#, image)
        let run = try await Headroom.run(["work", "--workers", "1"], in: Folder(), input: input)
        #expect(run.status == 0)
        let responses = try Self.messages(run.output).dropFirst()
        let failed = responses.filter { $0.header["status"] as? Int != 200 }
        // A body together with a url is also an error, and every error has an explanation.
        #expect(failed.count == headers.count)
        #expect(failed.allSatisfy { $0.body.starts(with: Array("{".utf8)) })
        let expected = headers.map(\.1).sorted()
        #expect(failed.compactMap { $0.header["status"] as? Int }.sorted() == expected)
        #expect(responses.filter { $0.header["status"] as? Int == 200 }.map { $0.header["id"] as? String } == ["last"])
    }

    private static let brokenGreetings: [[UInt8]] = [
        [1], [0, 0, 0, 5], [UInt8](repeating: 255, count: 8), Array("GET / HTTP/1.1\r\n\r\n".utf8),
        message(#"{"version": 2}"#), message("{}"), message("[1]"), message(#"{"version": 1}"#, [0]),
        message(#"{"version": 1, "version": 1}"#),
    ]

    @Test(arguments: brokenGreetings)
    func `a stream that does not start with a greeting is rejected`(input: [UInt8]) async throws {
        let run = try await Headroom.run(["work", "--workers", "1"], in: Folder(), input: input)
        #expect(run.status == 2)
        #expect(try Self.messages(run.output).map { $0.header["status"] as? Int } == [400])
    }

    @Test func `after SIGTERM the jobs that were read are finished`() async throws {
        let (input, output, process) = (Pipe(), Pipe(), Process())
        process.executableURL = try Headroom.executable()
        process.arguments = ["work", "--workers", "1"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // A third job is incomplete.
        let job = Self.message(#"{"id":"a","aspect":"1:1"}"#, try Image.encoded())
        try input.fileHandleForWriting.write(contentsOf: Data(Self.greeting + job + job + job.dropLast()))
        // The greeting precedes the first response, and both jobs are read before the second response is written.
        var received: [UInt8] = []
        while try Self.wholeMessages(received) < 3 {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            received += more
        }
        process.terminate()
        received += [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(process.terminationReason == .exit)
        #expect(try Self.messages(received).dropFirst().map { $0.header["status"] as? Int } == [200, 200])
    }

    private static func wholeMessages(_ bytes: [UInt8]) throws -> Int {
        var (count, rest) = (0, bytes[...])
        while rest.count >= 8 {
            let lengths = [rest.prefix(4), rest.dropFirst(4).prefix(4)].map { $0.reduce(0) { $0 << 8 | Int($1) } }
            guard rest.count >= 8 + lengths[0] + lengths[1] else { break }
            rest = rest.dropFirst(8 + lengths[0] + lengths[1])
            count += 1
        }
        return count
    }

    @Test func `settings are validated`() async throws {
        let run = try await Headroom.run(["work", "--workers", "0", "--max-body-bytes", "x"], in: Folder())
        #expect(run.status == 64)
        #expect(run.error.contains("workers"))
        #expect(run.error.contains("max-body-bytes"))
    }
}
