import CLinux
import CSupervisor
import Dispatch
import Fetching
import Glibc

/// Calls back when the process receives one of the given signals.
///
/// It does not use `DispatchSourceSignal`, which on Linux forwards a signal between threads until its own thread
/// receives it, and can lose a SIGTERM under load. A handler that writes to a pipe works on any thread.
final class SignalListener: Sendable {
    private let numbers: [Int32]

    // Only used by the initialiser and `stop()`.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Starts listening.
    ///
    /// Only one instance may exist at a time, because handlers are global to the process.
    ///
    /// - Parameters:
    ///   - numbers: The signals.
    ///   - onSignal: Receives the signal's number on a separate queue, and whether the signal is a request to this
    ///     process. In a service with a ``Supervisor``, only the signals that the parent forwards are requests.
    /// - Throws: A ``CommandFailure`` if no descriptor is available for the pipe.
    init(_ numbers: [Int32], onSignal: @escaping @Sendable (Int32, Bool) -> Void) throws(CommandFailure) {
        self.numbers = numbers
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw CommandFailure("cannot listen for signals: \(SystemError.last.reason)")
        }
        // Non-blocking, so that neither the handler nor the reader waits.
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let readEnd = ends[0]
        source = DispatchSource.makeReadSource(fileDescriptor: readEnd, queue: DispatchQueue(label: "headroom.signals"))
        source.setEventHandler(
            handler: DispatchWorkItem {
                var byte: UInt8 = 0
                while read(readEnd, &byte, 1) == 1 { onSignal(Int32(byte & 127), byte > 127) }
            }
        )
        source.resume()
        // The pipe's write end is never closed, so that the handler may always write to it.
        hr_report_signals(numbers, Int32(numbers.count), ends[1])
    }

    /// Stops listening: afterwards these signals are ignored, because the process is about to end.
    func stop() {
        for number in numbers { signal(number, SIG_IGN) }
        source.cancel()
    }
}

/// The service manager, usually systemd: status notifications and inherited sockets.
///
/// Implements the protocols of sd_notify(3) and sd_listen_fds(3), without libsystemd.
struct ServiceManager: Sendable {
    enum State {
        case ready, reloading, stopping
    }

    private static let firstDescriptor: Int32 = 3

    /// Listening sockets passed to this process.
    let descriptors: [Int32]
    private let socket: String?

    /// Reads the environment of the service manager.
    ///
    /// Marks the sockets close-on-exec, so that no child process inherits them.
    ///
    /// - Throws: A ``CommandFailure`` if LISTEN_FDS is invalid.
    init(environment: [String: String]) throws(CommandFailure) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        // The sockets may be for another process, for example the shell that started this process.
        guard let text = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(getpid())" else {
            descriptors = []
            return
        }
        guard let count = Int32(text), (0...1024).contains(count) else {
            throw .usage("LISTEN_FDS=\(text) is not valid: expected a whole number from 0 to 1024.")
        }
        descriptors = (0..<count).map { Self.firstDescriptor + $0 }
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Sends the status; does nothing without a service manager.
    ///
    /// The parent of the service sends it, because a service manager accepts it only from the process that it started.
    func notify(_ state: State) {
        guard let socket else { return }
        let text =
            switch state {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)"
            case .stopping: "STOPPING=1"
            }
        if Supervisor.isPresent { return hr_report_status(text) }
        // Errors are ignored, so that a missing service manager does not stop the service.
        _ = text.withCString { hr_send_datagram(socket, $0, strlen($0)) }
    }

    /// The monotonic clock in microseconds; systemd requires it with `RELOADING=1`.
    private static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
