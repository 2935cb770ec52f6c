import Foundation
import Testing

/// Prometheus' own checker of metrics and rules.
enum Promtool {
    /// Where it is: on the PATH, or where `make promtool` puts it.
    static let executable = folders.map { $0.appending(path: "promtool") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static var folders: [URL] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)) }
            + [repository.appending(path: ".build/promtool/usr/bin")]
    }

    /// What tests that need it say when they are skipped.
    static let advice: Comment = "promtool is missing: make promtool gets it from Debian's package prometheus"

    /// The folder of the package.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// Runs it; status 0 means that it found nothing.
    static func run(_ arguments: [String], input: String = "") async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = repository
        // A file, for a pipe would have to be written and read at the same time.
        let file = FileManager.default.temporaryDirectory.appending(path: "promtool-\(UUID().uuidString)")
        try Data(input.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        let ended = AsyncStream<Void> { continuation in
            process.terminationHandler = { _ in continuation.finish() }
        }
        try process.run()
        let reader = Task.detached { output.fileHandleForReading.readDataToEndOfFile() }
        for await _ in ended {}
        return (process.terminationStatus, String(decoding: await reader.value, as: UTF8.self))
    }
}
