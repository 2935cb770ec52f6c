import Foundation
import SystemPackage
import TestPrograms
import Testing

/// `headroom serve` on a free port, ended with its last reference.
final class RunningService: Sendable {
    /// Where it listens on 127.0.0.1.
    let port: UInt16

    /// What it had logged by then.
    let startLines: [String]

    private let program: RunningProgram

    /// Starts the service and waits until it says where it listens.
    ///
    /// - Parameters:
    ///   - arguments: Those behind `serve`.
    ///   - name: The executable.
    ///   - environment: Additional variables.
    ///   - preparation: What a shell does before it becomes the service.
    ///   - input: What its standard input is; nothing to read by default.
    ///   - folder: Where it runs.
    /// - Throws: When it ends before it listens.
    init(
        _ arguments: [String] = [],
        program name: String = "headroom",
        environment: [String: String] = [:],
        after preparation: String? = nil,
        input: FileDescriptor? = nil,
        in folder: Folder
    ) async throws {
        let call = try Headroom.call(
            ["serve"] + arguments,
            program: name,
            after: preparation,
            in: folder,
            environment: environment
        )
        program = try await RunningProgram(call, input: input)
        var found: UInt16?
        var startLines: [String] = []
        for await line in program.lines {
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

    /// The number of the service's process.
    var processID: Int32 { program.processID }

    func send(signal number: Int32) { program.send(signal: number) }

    /// Waits for a line of the log that contains `text`; nil when the log ends without one.
    func line(containing text: String) async -> String? {
        for await line in program.lines where line.contains(text) { return line }
        return nil
    }

    /// Waits for the end: the exit code, or the negative number of a signal.
    func status() async throws -> Int32 { try await program.status() }
}
