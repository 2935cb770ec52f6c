import Dispatch
import Foundation
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Imaging
import JobPipe
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency)
struct JobPipeTests {
    private static func image(_ number: Int = 0) throws -> [UInt8] {
        try DrawnImage(width: 64, height: 32, faces: [DrawnFace(x: 2 + number, y: 2, side: 12)]).png()
    }

    @Test func `every job gets one response with the same bytes as from the service`() async throws {
        let pipe = TestPipe()
        let jobs = try (0..<40).map { number in
            NaiveMessage(header: #"{"id":\#(number),"aspect":"1:1","width":16}"#, body: try Self.image(number))
        }
        let (end, responses) = try await pipe.run(jobs)
        #expect(end == .complete)
        let handler = try pipe.handler()
        var numbers: Set<Int> = []
        for message in responses {
            let reply = try NaiveResponse(message)
            let number = try #require(reply.id.flatMap(Int.init))
            numbers.insert(number)
            let target = "/frame?aspect=1:1&width=16"
            let request = ServerRequest(method: .post, target: target, body: try Self.image(number))
            let response = await handler.respond(to: request)
            #expect(message.body == response.body)
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"] == response.headers[.contentType])
            #expect(reply.headers["headroom-decision"] == "faces")
            #expect(reply.headers["cache-control"] == nil)
        }
        #expect(responses.count == 40)
        #expect(numbers == Set(0..<40))
    }

    @Test func `a response contains the plan if the job requests it`() async throws {
        let pipe = TestPipe()
        let body = try Self.image()
        let (_, responses) = try await pipe.run([
            NaiveMessage(header: #"{"id":"a","aspect":"1:1","plan":true}"#, body: body),
            NaiveMessage(header: #"{"id":"b","aspect":"1:1,2:1","format":"json"}"#, body: body),
            NaiveMessage(header: #"{"id":"c","route":"/faces"}"#, body: body),
        ])
        let texts = Dictionary(uniqueKeysWithValues: try responses.map { (try NaiveResponse($0).id ?? "", $0) })
        let target = "/frame?aspect=1:1&format=json"
        let request = ServerRequest(method: .post, target: target, body: body)
        let plan = String(decoding: (try await pipe.handler().respond(to: request)).body.dropLast(), as: UTF8.self)
        // The times of two detections differ.
        let times = /"milliseconds":[0-9.]+/
        let header = try #require(texts["a"]?.header).replacing(times, with: "")
        #expect(header.contains(#""plan":\#(plan.replacing(times, with: ""))"#))
        #expect(texts["a"]?.body.starts(with: [0x89, 0x50]) == true)
        #expect(texts["b"]?.header.contains(#""plan""#) == false)
        let crops = String(decoding: texts["b"]?.body ?? [], as: UTF8.self)
        #expect(crops.contains(#""crops""#))
        let faces = String(decoding: texts["c"]?.body ?? [], as: UTF8.self)
        #expect(faces.contains(#""faces""#))
    }

    @Test func `an error in a job is its response, and the next job runs`() async throws {
        let body = try Self.image()
        let cases: [(NaiveMessage, id: String?, status: Int, kind: String)] = [
            (.init(header: "nonsense", body: body), nil, 400, "invalid-request"),
            (.init(header: #"{"id":"a","widht":1}"#, body: body), "a", 400, "invalid-parameter"),
            (.init(header: #"{"id":"b","width":1,"width":2}"#, body: body), "b", 400, "invalid-parameter"),
            (.init(header: #"{"id":"c"}"#), "c", 400, "invalid-parameter"),
            (.init(header: #"{"id":"d","url":"https://h/a"}"#, body: body), "d", 400, "invalid-parameter"),
            (.init(header: #"{"id":"e","route":"/metrics"}"#, body: body), "e", 404, "not-found"),
            (.init(header: #"{"id":"f"}"#, body: [1, 2, 3]), "f", 415, "unsupported-image"),
            (.init(header: #"{"id":"g"}"#, body: Array(body.prefix(60))), "g", 422, "unreadable-image"),
            (.init(header: #"{"id":"h"}"#, body: [UInt8](repeating: 0, count: 5000)), "h", 413, "too-large"),
            (.init(header: #"{"id":"i","url":"http://127.0.0.1:1/"}"#), "i", 404, "source-not-found"),
        ]
        let last = NaiveMessage(header: #"{"id":"last"}"#, body: body)
        let limits = PipeLimits(inWork: 4, maxBodyBytes: 4096)
        let (end, responses) = try await TestPipe().run(cases.map(\.0) + [last], limits: limits)
        #expect(end == .complete)
        #expect(responses.count == cases.count + 1)
        for (_, id, status, kind) in cases {
            let message = try #require(try responses.first { try NaiveResponse($0).id == id })
            let response = try NaiveResponse(message)
            #expect(response.status == status, "\(message)")
            #expect(response.headers["content-type"] == "application/problem+json")
            let problem = try JSONDecoder().decode(NaiveResponse.Problem.self, from: Data(message.body))
            #expect(problem.type == "urn:headroom:problem:\(kind)")
        }
        #expect(try responses.contains { try NaiveResponse($0).id == "last" && NaiveResponse($0).status == 200 })
    }

    @Test(arguments: [[0], [0, 0, 0, 9, 0, 0, 0, 0, 1], [255, 255, 255, 255, 0, 0, 0, 0]] as [[UInt8]])
    func `a broken message ends the pipe after the previous jobs`(rest: [UInt8]) async throws {
        let job = NaiveMessage(header: #"{"id":"a"}"#, body: try Self.image())
        let (end, responses) = try await TestPipe().run([job], then: rest)
        #expect(end == .broken)
        #expect(responses.count == 2)
        #expect(try responses.map { try NaiveResponse($0) }.contains { $0.id == "a" && $0.status == 200 })
        #expect(try responses.map { try NaiveResponse($0) }.contains { $0.id == nil && $0.status == 400 })
    }

    @Test func `an unsupported version is rejected`() async throws {
        let stream = TestStream(NaiveMessage(header: #"{"version":2}"#).bytes + [1, 2, 3])
        let limits = PipeLimits(inWork: 1, maxBodyBytes: 1)
        let pipe = JobPipe(stream, handler: try TestPipe().images(), workers: 1, limits: limits)
        #expect(try await pipe.run() == .broken)
        let responses = try #require(NaiveMessage.all(in: stream.output))
        #expect(try responses.map { try NaiveResponse($0).status } == [400])
    }

    @Test func `the pipe reads no more messages than may be in progress`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let pipe = TestPipe(gate: gate)
        let jobs = try (0..<6).map { NaiveMessage(header: #"{"id":\#($0)}"#, body: try Self.image($0)) }
        let stream = TestPipe.stream(jobs)
        let limits = PipeLimits(inWork: 2, maxBodyBytes: 1 << 20)
        let run = JobPipe(stream, handler: try pipe.images(), workers: 2, limits: limits)
        async let end = run.run()
        #expect(await eventually { pipe.searches == 2 })
        #expect(stream.unread == jobs[2...].map(\.bytes.count).reduce(0, +))
        gate.signal()
        #expect(try await end == .complete)
        #expect(NaiveMessage.all(in: stream.output)?.count == 7)
    }

    @Test func `a stop finishes the jobs that were read`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let pipe = TestPipe(gate: gate)
        let jobs = try (0..<6).map { NaiveMessage(header: #"{"id":\#($0)}"#, body: try Self.image($0)) }
        let stream = TestPipe.stream(jobs)
        let limits = PipeLimits(inWork: 2, maxBodyBytes: 1 << 20)
        let run = JobPipe(stream, handler: try pipe.images(), workers: 2, limits: limits)
        async let end = run.run()
        #expect(await eventually { pipe.searches == 2 })
        stream.stop()
        gate.signal()
        #expect(try await end == .complete)
        #expect(NaiveMessage.all(in: stream.output)?.count == 3)
    }

    @Test func `a client that disconnects ends the pipe`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let pipe = TestPipe(gate: gate)
        let stream = TestPipe.stream([NaiveMessage(header: #"{"id":"a"}"#, body: try Self.image())])
        let limits = PipeLimits(inWork: 2, maxBodyBytes: 1 << 20)
        let run = JobPipe(stream, handler: try pipe.images(), workers: 2, limits: limits)
        let end = Task { try await run.run() }
        #expect(await eventually { pipe.searches == 1 })
        stream.close()
        gate.signal()
        await #expect(throws: TestStream.Closed.self) { try await end.value }
        #expect(stream.isStopped)
    }
}
