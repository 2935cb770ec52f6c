import Foundation
import JobPipe
import Synchronization

/// Standard input and standard output as a pipe of jobs.
final class StandardJobStream: JobStream {
    private let isStopping = Atomic(false)
    /// Readable once reading is to end.
    private let wakeRead: Int32
    private let wakeWrite: Int32

    /// - Throws: A ``CommandFailure`` if no descriptor is left.
    init() throws(CommandFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw CommandFailure("a pipe: \(SystemError.last.reason)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (wakeRead, wakeWrite) = (ends[0], ends[1])
    }

    deinit {
        close(wakeRead)
        close(wakeWrite)
    }

    var isStopped: Bool { isStopping.load(ordering: .relaxed) }

    func stop() {
        if !isStopping.exchange(true, ordering: .relaxed) { _ = Foundation.write(wakeWrite, "x", 1) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            var ends = [wakeRead, STDIN_FILENO].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let ready = poll(&ends, nfds_t(ends.count), -1)
            if isStopped { return 0 }
            if ready > 0 {
                let count = Foundation.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
            }
            if errno != EINTR, errno != EAGAIN {
                throw CommandFailure("standard input: \(SystemError.last.reason)")
            }
        }
    }

    func write(_ bytes: [UInt8]) throws { try StandardStream.output.write(bytes) }
}
