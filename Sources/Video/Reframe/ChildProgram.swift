import CLinux
import Dispatch
import Encodings
import Fetching
import Glibc
import Synchronization
import Threads

/// A running program, such as ffmpeg, with pipes to its standard input and from its standard output.
///
/// It is found on the path, started without a shell, and inherits no other descriptors of this process. It is killed
/// when the object is released.
final class ChildProgram {
    /// The program's standard error, which a thread reads.
    private final class Words: Sendable {
        /// The number of bytes that are kept at the end of the output.
        private static let maximum = 2048
        private let bytes = Mutex<[UInt8]>([])
        private let isComplete = DispatchSemaphore(value: 0)

        /// Reads a descriptor to its end, and closes it.
        func collect(_ descriptor: Int32) {
            defer {
                close(descriptor)
                isComplete.signal()
            }
            var chunk = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                bytes.withLock { $0 = Array(($0 + chunk[..<count]).suffix(Self.maximum)) }
            }
        }

        /// The last non-blank line of standard error, without control characters, after the program has ended.
        ///
        /// Waits until standard error is closed, but for at most a second, because a child of the program may keep it
        /// open.
        func lastLine() -> String {
            guard isComplete.wait(timeout: .now() + 1) == .success else { return text() }
            isComplete.signal()
            return text()
        }

        private func text() -> String {
            let line =
                bytes.withLock { $0 }.split(separator: UInt8(ascii: "\n")).last { $0.contains { $0 > 0x20 } } ?? []
            let scalars = String(decoding: line, as: UTF8.self).unicodeScalars
            return String(String.UnicodeScalarView(scalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
        }
    }

    private let name: String
    private let path: String
    /// The end to write to; nil if its standard input is empty.
    private var input: Int32?
    /// The end to read from; nil if its standard output is not read.
    private var output: Int32?
    private let process: Int32
    private var status: Int32?
    /// Whether its standard output was read to the end.
    private var isReadToEnd = false
    private let words = Words()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - name: Its name, looked up on the path.
    ///   - arguments: Its arguments, without its name.
    ///   - path: The file that it processes, for messages about its end.
    ///   - writes: Whether ``write(_:)`` is used.
    ///   - reads: Whether ``reader`` is used.
    /// - Throws: A ``ReframeFailure`` without the file if the program is missing or cannot be started.
    init(
        _ name: String,
        _ arguments: [String],
        for path: String,
        writes: Bool = false,
        reads: Bool = false
    ) throws(ReframeFailure) {
        (self.name, self.path) = (name, path)
        // A write to an ended program fails with EPIPE instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = []
        defer { for end in ends { close(end) } }
        func pipe() throws(ReframeFailure) -> (read: Int32, write: Int32) {
            var pair: [Int32] = [0, 0]
            let error = hr_open_pipe(&pair)
            guard error == 0 else { throw ReframeFailure.program(name, reason: SystemError(number: -error).reason) }
            ends += pair
            return (pair[0], pair[1])
        }
        let incoming = writes ? try pipe() : nil
        let outgoing = reads ? try pipe() : nil
        let messages = try pipe()
        let texts = ([name] + arguments).map { strdup($0.systemPath) } + [nil]
        defer { for text in texts { free(text) } }
        let process = hr_start_program(name, texts, [incoming?.read ?? -1, outgoing?.write ?? -1, messages.write])
        guard process > 0 else {
            guard process == -ENOENT else { throw .program(name, reason: SystemError(number: -process).reason) }
            throw .missingProgram(name)
        }
        self.process = process
        input = incoming?.write
        output = outgoing?.read
        ends.removeAll { $0 == incoming?.write || $0 == outgoing?.read || $0 == messages.read }
        DetachedThread.start { [words] in words.collect(messages.read) }
    }

    deinit {
        stop()
    }

    var reader: ByteReader {
        ByteReader { [self] buffer in
            guard let output else { return 0 }
            while true {
                let count = read(output, buffer.baseAddress, buffer.count)
                if count == 0, !buffer.isEmpty { isReadToEnd = true }
                if count >= 0 { return count }
                if errno != EINTR { throw ReframeFailure.program(name, reason: SystemError.last.reason) }
            }
        }
    }

    /// Writes all bytes to its standard input.
    ///
    /// - Throws: A ``ReframeFailure`` with the file, and with its last message if it has ended.
    func write(_ bytes: [UInt8]) throws(ReframeFailure) {
        guard let input else { return }
        do throws(SystemError) {
            try FileDescriptor.write(bytes, to: input)
        } catch {
            try finish()
            throw .file(path, reason: "\(name): \(error.reason)")
        }
    }

    /// Ends the program immediately if it still runs, regardless of its input and output.
    func stop() {
        closePipes()
        guard status == nil else { return }
        kill(process, SIGKILL)
        status = hr_wait_for_program(process)
    }

    /// Ends the program after an error in its output.
    ///
    /// If the program has written all of its output, waits for its end, because its message states the cause of a
    /// failure. Otherwise the program is stopped, because it may wait until its output is read.
    ///
    /// - Throws: The ``ReframeFailure`` of ``finish()``; if there is none, the given error.
    func fail(with error: any Error) throws -> Never {
        if isReadToEnd { try finish() } else { stop() }
        throw error
    }

    private func closePipes() {
        for pipe in [input, output].compactMap(\.self) { close(pipe) }
        (input, output) = (nil, nil)
    }

    /// Closes both pipes, and waits for the program's end.
    ///
    /// - Throws: A ``ReframeFailure`` with the file and its last message if it failed or was killed.
    func finish() throws(ReframeFailure) {
        // The pipes are closed first, because a program that writes to an unread pipe never ends.
        closePipes()
        let status = status ?? hr_wait_for_program(process)
        self.status = status
        guard status != 0 else { return }
        throw .endedProgram(name, file: path, status: status, message: words.lastLine())
    }
}
