import CLinux
import Glibc

/// What started this service and waits to hear how it is, if anything does: systemd, or who speaks as it does.
///
/// The protocol is that of sd_notify(3) and sd_listen_fds(3), which is meant to be spoken without libsystemd.
struct ServiceManager: Sendable {
    /// How the service is.
    enum State {
        /// It answers requests.
        case ready
        /// It reads its settings again.
        case reloading
        /// It answers what it has, and ends.
        case stopping
    }

    /// The first of the descriptors that are passed.
    private static let firstDescriptor: Int32 = 3

    /// Sockets that listen already, for this process.
    let descriptors: [Int32]
    private let socket: String?

    /// Finds out what is there.
    ///
    /// From now on no process that this one starts inherits a socket.
    ///
    /// - Throws: A ``CommandFailure`` when it is told of sockets and cannot tell how many.
    init(environment: [String: String]) throws(CommandFailure) {
        socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        // Meant for another process, such as the shell that started this one.
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

    /// Tells how the service is; nothing happens when nobody wants to know.
    func tell(_ state: State) {
        guard let socket else { return }
        let text =
            switch state {
            case .ready: "READY=1"
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)"
            case .stopping: "STOPPING=1"
            }
        // A manager that does not listen any more is no reason to stop.
        _ = text.withCString { hr_send_datagram(socket, $0, strlen($0)) }
    }

    /// The monotonic clock, by which a manager tells answers to one reload from those to another.
    private static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
    }
}
