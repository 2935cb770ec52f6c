import CLinux
import Glibc

/// The service manager, usually systemd: status notifications and inherited sockets.
///
/// Implements the protocols of sd_notify(3) and sd_listen_fds(3), without libsystemd.
struct ServiceManager: Sendable {
    /// The status of the service.
    enum State {
        /// The service accepts requests.
        case ready
        /// The service reloads its settings.
        case reloading
        /// The service completes open requests and ends.
        case stopping
    }

    /// The first inherited descriptor.
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
        // The sockets may be meant for another process, such as the shell that started this one.
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
    func notify(_ state: State) {
        guard let socket else { return }
        let text =
            switch state {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)"
            case .stopping: "STOPPING=1"
            }
        // Errors are ignored: a missing service manager is no reason to stop.
        _ = text.withCString { hr_send_datagram(socket, $0, strlen($0)) }
    }

    /// The monotonic clock, which identifies a reload.
    private static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
