import Dispatch
import Glibc
import Synchronization

/// What a worker process writes on standard error, which ends when the process does.
final class WorkerWords: Sendable {
    /// What a worker may say in its life; only one that is out of its mind says more.
    static let maxBytes = 4096

    private struct State {
        var isOpen = true
        var bytes: [UInt8] = []
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    // Its methods are safe on any thread.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Adopts the non-blocking end of a pipe.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        let queue = DispatchQueue(label: "headroom.worker.words")
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Listens until ``stop()``; calls back once, when nobody can write any more, or when too much was written.
    ///
    /// Not to be forgotten without ``stop()``: the source keeps it.
    func listen(_ onEnd: @escaping @Sendable () -> Void) {
        source.setEventHandler(
            handler: DispatchWorkItem { [self] in
                guard !source.isCancelled, state.withLock({ read(&$0) }) else { return }
                source.cancel()
                onEnd()
            }
        )
        source.setCancelHandler(
            handler: DispatchWorkItem { [self] in
                state.withLock { $0.isOpen = false }
                close(descriptor)
            }
        )
        source.resume()
    }

    /// Stops listening; returns everything that was said, in one line.
    func stop() -> String {
        let bytes = state.withLock { state in
            _ = read(&state)
            return state.bytes
        }
        source.cancel()
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).joined(separator: "; ")
    }

    /// Reads what there is; true when that was the last of it.
    private func read(_ state: inout State) -> Bool {
        guard state.isOpen else { return true }
        var chunk = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0 { return errno != EAGAIN && errno != EINTR }
            if count == 0 { return true }
            state.bytes += chunk[..<count]
            if state.bytes.count > Self.maxBytes {
                state.bytes.removeLast(state.bytes.count - Self.maxBytes)
                return true
            }
        }
    }
}
