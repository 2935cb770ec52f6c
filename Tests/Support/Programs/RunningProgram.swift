import Glibc
package import Subprocess
package import SystemPackage

/// A program that runs during a test; killed when the last reference is released.
///
/// The program has separate streams. Otherwise a reader of the tests' output would wait for a program that outlives the
/// tests.
package final class RunningProgram: Sendable {
    /// The program that could not be started.
    package struct Failure: Error {
        package let program: String
    }

    /// The process ID.
    package let processID: Int32

    /// The lines of standard error.
    package let lines: AsyncStream<String>

    private let end: Task<Int32, any Error>

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - call: The program, its arguments and environment.
    ///   - input: The standard input; empty by default.
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

    // Cancelling the run kills the program.
    deinit { end.cancel() }

    /// Sends a signal to the program.
    package func send(signal number: Int32) { kill(processID, number) }

    /// Waits until the program exits, and returns its exit code or the negative number of a signal.
    package func status() async throws -> Int32 { try await end.value }
}
