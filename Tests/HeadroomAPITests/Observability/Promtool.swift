import Foundation
import Subprocess
import TestPrograms
import Testing

/// Prometheus' checker of metrics and rules.
enum Promtool {
    /// The path of promtool: from PATH, or where `make promtool` stores it.
    static let executable = folders.map { $0.appending(path: "promtool") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    private static var folders: [URL] {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").map { URL(filePath: String($0)) }
            + [repository.appending(path: ".build/promtool/usr/bin")]
    }

    /// The reason for skipping tests without promtool.
    static let advice: Comment = "promtool is missing: make promtool gets it from Debian's package prometheus"

    /// The folder of the package.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// Runs promtool; status 0 means that it found no error.
    static func run(_ arguments: [String], input: String = "") async throws -> (status: Int32, output: String) {
        let call = Configuration.program(try #require(executable).path, arguments, in: repository)
        let run = try await call.run(input: Array(input.utf8))
        return (run.status, run.text + run.error)
    }
}
