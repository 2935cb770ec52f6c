import HeadroomAPI
import JobPipe
import Pipeline
import Requests
import Synchronization

extension Fuzzer {
    /// Messages of `headroom work`: lengths, headers and bodies, in pieces of any length.
    static let jobMessage = Fuzzer(name: "job-message", maxLength: 4096) {
        let greeting = message(#"{"version": 1}"#)
        return [
            [200] + greeting + message(#"{"id":"a","aspect":"1:1","plan":true}"#, [1, 2, 3]),
            [1] + greeting + message(#"{"id":7,"route":"/faces","url":"https://h/a.jpg","width":4e2}"#),
            [9] + message(#"{"id":null,"aspect":"1:1,16:9"}"#) + message("[]", [0]),
            [255] + [0, 1, 0, 1, 0, 0, 0, 0], [255] + [UInt8](repeating: 255, count: 8),
        ]
    } run: { input in
        // The first byte determines the length of pieces.
        let piece = Int(input.first ?? 0) + 1
        let bytes = Array(input.dropFirst())
        let position = Atomic(0)
        let reader = MessageReader { buffer in
            let start = position.load(ordering: .relaxed)
            let count = min(piece, buffer.count, bytes.count - start)
            for index in 0..<count { buffer[index] = bytes[start + index] }
            position.store(start + count, ordering: .relaxed)
            return count
        }
        while let (header, length) = try? reader.header() {
            precondition(header.count <= PipeLimits.maxHeaderBytes, "a header beyond its limit")
            _ = Greeting.refusal(of: header, bodyLength: length)
            // A body that is longer than the input is not allocated.
            guard length <= bytes.count, let body = try? reader.body(length) else { return }
            precondition(body.count == length, "a body with other bytes")
            guard let job = try? PipeJob(header) else { continue }
            precondition(1...PipeLimits.maxIDBytes ~= job.id.utf8.count, "an ID beyond its limit")
            precondition(job.parameters.allSatisfy { !["id", "route", "plan"].contains($0.name) })
            _ = try? PipeRequest(path: job.route, parameters: job.parameters, bytes: SourceBytes(body))
        }
    }

    private static func message(_ header: String, _ body: [UInt8] = []) -> [UInt8] {
        [0, 0, 0, UInt8(header.utf8.count), 0, 0, 0, UInt8(body.count)] + Array(header.utf8) + body
    }
}
