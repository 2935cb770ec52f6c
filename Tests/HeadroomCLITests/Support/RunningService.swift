import Foundation
import Testing

/// `headroom serve` on a free port, ended with its last reference.
final class RunningService: Sendable {
    /// Where it listens on 127.0.0.1.
    let port: UInt16

    /// What it had logged by then.
    let startLines: [String]

    private let process: Process
    private let lines: AsyncStream<String>
    private let end: Task<Int32, any Error>

    /// Starts the service and waits until it says where it listens.
    ///
    /// - Parameters:
    ///   - arguments: Those behind `serve`.
    ///   - environment: Additional variables.
    ///   - preparation: What a shell does before it becomes the service.
    ///   - input: What its standard input is; nothing to read by default.
    ///   - folder: Where it runs.
    /// - Throws: When it ends before it listens.
    init(
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        after preparation: String? = nil,
        input: FileHandle? = nil,
        in folder: Folder
    ) async throws {
        process = try Headroom.process(["serve"] + arguments, in: folder, environment: environment)
        if let input { process.standardInput = input }
        if let preparation {
            process.arguments =
                ["-c", #"\#(preparation); exec "$0" "$@""#, try Headroom.executable.path, "serve"] + arguments
            process.executableURL = URL(filePath: "/bin/sh")
        }
        let pipe = Pipe()
        process.standardError = pipe
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let (ends, endContinuation) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = { process in
            endContinuation.yield(process.status)
            endContinuation.finish()
        }
        try process.run()
        end = Task {
            for await status in ends { return status }
            throw CancellationError()
        }
        // Blocks until the service has ended, so not on Swift's own threads.
        DispatchQueue(label: "service.log").async {
            var rest: [UInt8] = []
            while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
                rest += data
                while let newline = rest.firstIndex(of: 0x0A) {
                    continuation.yield(String(decoding: rest[..<newline], as: UTF8.self))
                    rest.removeSubrange(...newline)
                }
            }
            continuation.finish()
        }
        var found: UInt16?
        var startLines: [String] = []
        for await line in lines {
            startLines.append(line)
            guard line.contains("listening") else { continue }
            found = Self.port(in: line)
            break
        }
        self.startLines = startLines
        port = try #require(found, "the service did not say where it listens")
    }

    /// The port that a line of the log names, in either format.
    static func port(in line: String) -> UInt16? {
        line.firstMatch(of: /address"?[=:]"?127\.0\.0\.1:([0-9]+)/).flatMap { UInt16($0.1) }
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// The number of the service's process.
    var processID: Int32 { process.processIdentifier }

    func send(signal number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for a line of the log that contains `text`; nil when the log ends without one.
    func line(containing text: String) async -> String? {
        for await line in lines where line.contains(text) { return line }
        return nil
    }

    /// Waits for the end: the exit code, or the negative number of a signal.
    func status() async throws -> Int32 { try await end.value }
}
