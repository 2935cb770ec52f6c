import Glibc
package import Subprocess
package import SystemPackage

/// A program that runs beside a test; killed with the last reference to it.
///
/// Nothing of it is connected to what the tests print: whoever reads that would wait for a program that outlives them.
package final class RunningProgram: Sendable {
    /// What could not be started.
    package struct Failure: Error {
        package let program: String
    }

    /// The number of its process.
    package let processID: Int32

    /// What it writes to standard error.
    package let lines: AsyncStream<String>

    private let end: Task<Int32, any Error>

    /// Starts it.
    ///
    /// - Parameters:
    ///   - call: What to start.
    ///   - input: Its standard input; nothing to read by default.
    /// - Throws: ``Failure``.
    package init(_ call: Configuration, input: FileDescriptor? = nil) async throws {
        let (lines, lineContinuation) = AsyncStream.makeStream(of: String.self)
        let (starts, startContinuation) = AsyncStream.makeStream(of: Int32.self)
        self.lines = lines
        end = Task {
            defer {
                lineContinuation.finish()
                startContinuation.finish()
            }
            let nothing = try FileDescriptor.open("/dev/null", .readOnly)
            defer { try? nothing.close() }
            return try await Subprocess.run(
                call,
                input: .fileDescriptor(input ?? nothing, closeAfterSpawningProcess: false),
                output: .discarded,
                error: .sequence
            ) { program in
                startContinuation.yield(program.processIdentifier.value)
                for try await line in program.standardError.strings() { lineContinuation.yield(line) }
            }
            .terminationStatus.number
        }
        var starting = starts.makeAsyncIterator()
        guard let number = await starting.next() else { throw Failure(program: "\(call.executable)") }
        processID = number
    }

    // What is cancelled is killed.
    deinit { end.cancel() }

    /// Sends a signal.
    package func send(signal number: Int32) { kill(processID, number) }

    /// Waits for the end: the exit code, or the negative number of a signal.
    package func status() async throws -> Int32 { try await end.value }
}
