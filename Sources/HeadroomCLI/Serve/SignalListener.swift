import Dispatch
import Foundation
import Synchronization

/// Calls back when the process gets one of some signals.
///
/// Not a `DispatchSourceSignal`: on Linux that one hands a signal from thread to thread until its own gets it, and under
/// load a SIGTERM has been seen to vanish on the way. A handler that writes to a pipe loses none, whichever thread it
/// interrupts.
final class SignalListener: Sendable {
    /// Where the handler writes; the number stays valid for as long as the handler is installed.
    fileprivate static let writeEnd = Atomic<Int32>(-1)

    private let numbers: [Int32]

    // Never touched again after the initialiser, except to cancel it.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Listens for the signals from now on; `onSignal` gets the signal's number on a queue of its own.
    ///
    /// One of these at a time, for handlers belong to the process.
    ///
    /// - Throws: A ``CommandFailure`` when there is no descriptor left for the pipe.
    init(_ numbers: [Int32], onSignal: @escaping @Sendable (Int32) -> Void) throws(CommandFailure) {
        self.numbers = numbers
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure("cannot listen for signals: \(SystemError.last.reason)")
        }
        // So that neither a handler nor the loop that reads ever waits.
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

    /// Stops listening: from now on these signals are ignored, for the process is about to end by itself.
    func stop() {
        for number in numbers { signal(number, SIG_IGN) }
        source.cancel()
    }
}

/// Runs in the middle of whatever the thread was doing, so it may call nothing that is not in signal-safety(7).
private func reportSignal(_ number: Int32) {
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: number)
    _ = write(SignalListener.writeEnd.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = interrupted
}
