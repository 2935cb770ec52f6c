package import Foundation
package import Subprocess
import SystemPackage

/// The result of a program's run: its exit status and output.
package struct ProgramRun: Sendable {
    /// The exit code, or the negative number of the signal that ended the program.
    package let status: Int32
    package let output: [UInt8]
    package let error: String

    package var text: String { String(decoding: output, as: UTF8.self) }
    package var lines: [String] { text.split(separator: "\n").map(String.init) }
    package var errorLines: [String] { error.split(separator: "\n").map(String.init) }

    fileprivate init(_ result: borrowing ExecutionResult<Void, BytesOutput, BytesOutput>) {
        status = result.terminationStatus.number
        output = result.standardOutput
        error = String(decoding: result.standardError, as: UTF8.self)
    }
}

extension Configuration {
    /// The program at a path, with a working folder and with changes to the tests' environment; nil removes a variable.
    package static func program(
        _ path: String,
        _ arguments: [String],
        in folder: URL? = nil,
        environment: [String: String?] = [:]
    ) -> Configuration {
        let variables = environment.compactMap { name, value in Environment.Key(rawValue: name).map { ($0, value) } }
        return Configuration(
            executable: .path(FilePath(path)),
            arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            workingDirectory: folder.map { FilePath($0.path) }
        )
    }

    /// Runs the program until it exits; without `input`, standard input is empty.
    package func run(input: [UInt8]? = nil) async throws -> ProgramRun {
        let output = BytesOutput.bytes(limit: 64 << 20)
        guard let input else {
            return ProgramRun(try await Subprocess.run(self, input: .none, output: output, error: output))
        }
        return ProgramRun(try await Subprocess.run(self, input: .array(input), output: output, error: output))
    }
}

extension TerminationStatus {
    /// The exit code, or the negative number of the signal that ended a process.
    var number: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
    }
}
