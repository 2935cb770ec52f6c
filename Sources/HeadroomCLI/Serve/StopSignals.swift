import Dispatch
import Foundation

/// Calls back when the process is asked to stop.
final class StopSignals: Sendable {
    // Never touched again after the initialiser, except to cancel them.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Listens for SIGTERM and SIGINT from now on; `onSignal` gets the signal's number on a queue of its own.
    init(onSignal: @escaping @Sendable (Int32) -> Void) {
        let queue = DispatchQueue(label: "headroom.signals")
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: DispatchWorkItem { onSignal(number) })
            source.resume()
            return source
        }
    }

    /// Stops listening.
    func stop() {
        for source in sources { source.cancel() }
    }
}
