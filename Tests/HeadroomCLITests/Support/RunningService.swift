import Foundation
import SystemPackage
import TestPrograms
import Testing

/// `headroom serve`, with its parent, on a free port; stopped when the last reference is released.
final class RunningService: Sendable {
    /// The port on 127.0.0.1.
    let port: UInt16

    /// The log lines up to the line with the address.
    let startLines: [String]

    private let program: RunningProgram

    /// Starts the service and waits until it logs its address.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after `serve`.
    ///   - name: The name of the executable.
    ///   - environment: Additional variables.
    ///   - preparation: Shell commands that run before the service.
    ///   - input: The standard input; empty by default.
    ///   - folder: The working directory.
    /// - Throws: An error if the service exits before it listens.
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
        port = try #require(found, "the service did not log its address")
    }

    /// The port in a log line, which may have either format.
    static func port(in line: String) -> UInt16? {
        line.firstMatch(of: /address"?[=:]"?(?:127\.0\.0\.1|\[::\]|0\.0\.0\.0):([0-9]+)/).flatMap { UInt16($0.1) }
    }

    /// The process ID of the service, which is the child of the parent.
    var processID: Int32 {
        get throws {
            let process = try ChildProcesses.of(parentID).first
            return try #require(process, "the service has no process")
        }
    }

    /// The process ID of the parent.
    var parentID: Int32 { program.processID }

    /// Sends a signal to the parent.
    func send(signal number: Int32) { program.send(signal: number) }

    /// Waits for a log line that contains `text`; nil if the log ends first.
    func line(containing text: String) async -> String? {
        for await line in program.lines where line.contains(text) { return line }
        return nil
    }

    /// Waits until the service exits, and returns the exit code or the negative number of a signal.
    func status() async throws -> Int32 { try await program.status() }
}
