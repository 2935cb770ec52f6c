import Dispatch
import Foundation
import Synchronization

/// Calls back when the process receives one of the given signals.
///
/// It does not use `DispatchSourceSignal`: on Linux that passes a signal from thread to thread until its own one
/// receives it, and under load a SIGTERM was lost. A handler that writes to a pipe loses none, on any thread.
final class SignalListener: Sendable {
    /// The pipe's write end; valid as long as the handler is installed.
    fileprivate static let writeEnd = Atomic<Int32>(-1)

    private let numbers: [Int32]

    // Only used by the initialiser and `cancel`.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Starts listening; `onSignal` receives the signal's number on a queue of its own.
    ///
    /// Only one instance may exist at a time, because handlers are global to the process.
    ///
    /// - Throws: A ``CommandFailure`` if no descriptor is left for the pipe.
    init(_ numbers: [Int32], onSignal: @escaping @Sendable (Int32) -> Void) throws(CommandFailure) {
        self.numbers = numbers
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure("cannot listen for signals: \(SystemError.last.reason)")
        }
        // Non-blocking, so that neither the handler nor the reader waits.
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let readEnd = ends[0]
        Self.writeEnd.store(ends[1], ordering: .sequentiallyConsistent)
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "headroom.signals"))
        source.setEventHandler(
            handler: DispatchWorkItem {
                var number: UInt8 = 0
                while read(readEnd, &number, 1) == 1 { onSignal(Int32(number)) }
            }
        )
        source.resume()
        for number in numbers { signal(number, reportSignal) }
    }

    /// Stops listening: from now on these signals are ignored, because the process is about to end.
    func stop() {
        for number in numbers { signal(number, SIG_IGN) }
        source.cancel()
    }
}

/// The signal handler; it may only call functions of signal-safety(7).
private func reportSignal(_ number: Int32) {
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalListener.writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = interrupted
}
