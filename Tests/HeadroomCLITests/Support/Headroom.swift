import Foundation
import Testing

/// The executable that was built together with these tests.
enum Headroom {
    /// How a run ended, and what it wrote.
    struct Run: Sendable {
        /// The exit code; the negative number of the signal when one ended it.
        var status: Int32
        var output: [UInt8]
        var error: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] { text.split(separator: "\n").map(String.init) }
        var errorLines: [String] { error.split(separator: "\n").map(String.init) }
    }

    /// The product, which the build puts beside the bundle of the tests.
    static var executable: URL {
        get throws {
            let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            let executable = tests.deletingLastPathComponent().appending(path: "headroom")
            try #require(
                FileManager.default.isExecutableFile(atPath: executable.path),
                "\(executable.path) has not been built"
            )
            return executable
        }
    }

    /// A process that has not been started, in `folder`, without any setting from the environment of the tests.
    static func process(_ arguments: [String], in folder: Folder, environment: [String: String] = [:]) throws -> Process
    {
        let process = Process()
        process.executableURL = try executable
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment
            .filter { !$0.key.hasPrefix("HEADROOM_") && $0.key != "COLUMNS" }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        return process
    }

    /// Runs a command to its end.
    static func run(
        _ arguments: [String],
        in folder: Folder,
        input: [UInt8]? = nil,
        environment: [String: String] = [:]
    ) async throws -> Run {
        // Files in place of pipes: nothing can block, whatever is written.
        let streams = try Folder()
        let process = try process(arguments, in: folder, environment: environment)
        if let input {
            try streams.write(input, to: "input")
            process.standardInput = try FileHandle(forReadingFrom: streams.url.appending(path: "input"))
        }
        try streams.write([], to: "output")
        try streams.write([], to: "error")
        process.standardOutput = try FileHandle(forWritingTo: streams.url.appending(path: "output"))
        process.standardError = try FileHandle(forWritingTo: streams.url.appending(path: "error"))
        let status = try await process.runToEnd()
        return Run(
            status: status,
            output: try streams.read("output"),
            error: String(decoding: try streams.read("error"), as: UTF8.self)
        )
    }
}

extension Process {
    /// Runs, and returns the exit code, or the negative number of the signal that ended it.
    func runToEnd() async throws -> Int32 {
        try await withCheckedThrowingContinuation { continuation in
            terminationHandler = { process in continuation.resume(returning: process.status) }
            do {
                try run()
            } catch {
                terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }

    var status: Int32 { terminationReason == .exit ? terminationStatus : -terminationStatus }
}
