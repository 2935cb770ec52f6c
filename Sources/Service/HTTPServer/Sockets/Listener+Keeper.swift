import CLinux
import Logging

extension Listener {
    /// Returns the listeners that a previous process stored for an address; nil if there are none.
    static func take(_ address: ListenAddress, from keeper: SocketKeeper, logger: Logger) -> [Listener]? {
        guard let key = key(of: address) else { return nil }
        let listeners = keeper.take(key).compactMap { descriptor -> Listener? in
            let bound: BoundAddress =
                switch address {
                case .tcp(let host, let port):
                    .tcp(host: host, port: UInt16(exactly: hr_local_port(descriptor)) ?? port)
                case .unix, .inherited: address
                }
            return Listener(
                adopting: descriptor,
                address: bound,
                unixSocket: UnixSocketFile(of: address),
                logger: logger
            )
        }
        return listeners.isEmpty ? nil : listeners
    }

    /// Stores the sockets of an address for the next process.
    static func keep(_ listeners: [Listener], of address: ListenAddress, in keeper: SocketKeeper, logger: Logger) {
        guard let key = key(of: address) else { return }
        let status = keeper.keep(key, listeners.map(\.descriptor))
        guard status != 0 else { return }
        logger.warning(
            "waiting connections will be lost if the service process is replaced",
            metadata: ["address": "\(address)", "error": "\(String(cString: hr_error_text(status)))"]
        )
    }

    /// Returns a keeper's key for the sockets of an address; nil if they are not stored.
    ///
    /// The key contains the identity of a Unix socket's file, because a socket whose file was removed or replaced can
    /// no longer be reached.
    private static func key(of address: ListenAddress) -> String? {
        switch address {
        case .tcp: "\(address)"
        case .unix: UnixSocketFile(of: address).map { "\(address) \($0.identity)" }
        // The service manager keeps these sockets open.
        case .inherited: nil
        }
    }
}

extension UnixSocketFile {
    /// Finds the file of a Unix socket; nil for other addresses, or if the file does not exist.
    fileprivate init?(of address: ListenAddress) {
        guard case .unix(let path) = address else { return nil }
        self.init(path: path)
    }
}
