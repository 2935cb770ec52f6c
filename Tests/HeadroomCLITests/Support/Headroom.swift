import Foundation
import Subprocess
import TestPrograms
import Testing

/// The executables that were built together with these tests.
enum Headroom {
    /// An executable, which the build stores next to the test bundle.
    static func executable(_ name: String = "headroom") throws -> URL {
        let tests = URL(filePath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let executable = tests.deletingLastPathComponent().appending(path: name)
        try #require(
            FileManager.default.isExecutableFile(atPath: executable.path),
            "\(executable.path) has not been built"
        )
        return executable
    }

    /// A call in `folder` without settings from the tests' environment; a shell runs `preparation` before the
    /// executable.
    static func call(
        _ arguments: [String],
        program: String = "headroom",
        after preparation: String? = nil,
        in folder: Folder,
        environment: [String: String] = [:]
    ) throws -> Configuration {
        let settings = ProcessInfo.processInfo.environment.keys.filter { $0.hasPrefix("HEADROOM_") || $0 == "COLUMNS" }
        let cleared = Dictionary(uniqueKeysWithValues: settings.map { ($0, String?.none) })
        let environment = cleared.merging(environment.mapValues(Optional.some)) { $1 }
        let executable = try executable(program).path
        guard let preparation else {
            return .program(executable, arguments, in: folder.url, environment: environment)
        }
        let script = #"\#(preparation); exec "$0" "$@""#
        return .program("/bin/sh", ["-c", script, executable] + arguments, in: folder.url, environment: environment)
    }

    /// Runs a command until it exits.
    static func run(
        _ arguments: [String],
        program: String = "headroom",
        after preparation: String? = nil,
        in folder: Folder,
        input: [UInt8]? = nil,
        environment: [String: String] = [:]
    ) async throws -> ProgramRun {
        try await call(arguments, program: program, after: preparation, in: folder, environment: environment).run(
            input: input
        )
    }
}
