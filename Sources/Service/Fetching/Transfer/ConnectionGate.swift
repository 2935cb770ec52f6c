import CCurl
import CLinux
import Glibc

/// Creates the sockets for libcurl's connections, or refuses connections by an address policy.
///
/// libcurl calls it for every address that it is about to contact, after name resolution and with the exact bytes for
/// connect(2). After a refusal, libcurl tries the next address of the name, so private addresses among public addresses
/// are skipped.
package final class ConnectionGate {
    /// The signature of socket(2).
    ///
    /// Returns the descriptor or the negated errno.
    package typealias OpenSocket = @Sendable (_ family: Int32, _ type: Int32, _ protocol: Int32) -> Int32

    private var policy: AddressPolicy
    private let openSocket: OpenSocket
    /// Addresses refused during this hop, with the reasons.
    private(set) var refusals: [String] = []
    /// The rule of the refusals.
    ///
    /// If several addresses were refused, an address that a setting can allow determines the rule.
    private(set) var cause = FetchRefusal.Cause.other
    /// Whether any address was allowed during this hop.
    private(set) var hasOpened = false
    /// The errno of a socket that could not be created during this hop for lack of resources; nil if no socket failed.
    private var shortage: Int32?

    init(policy: AddressPolicy, openSocket: @escaping OpenSocket) {
        self.policy = policy
        self.openSocket = openSocket
    }

    /// Prepares the next hop, with a policy for its addresses.
    func reset(_ policy: AddressPolicy) {
        self.policy = policy
        refusals = []
        cause = .other
        hasOpened = false
        shortage = nil
    }

    func open(_ target: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // The declared `sockaddr` is only the start of the storage that the address family needs.
        guard let head = target.pointer(to: \.addr),
            let address = IPAddress(
                socketAddress: UnsafeRawBufferPointer(start: head, count: Int(target.pointee.addrlen))
            )
        else {
            refusals.append("not an IP address")
            return CURL_SOCKET_BAD
        }
        if let reason = policy.refusal(of: address) {
            refusals.append("\(address): \(reason)")
            if cause != .privateAddress { cause = address.cause }
            return CURL_SOCKET_BAD
        }
        hasOpened = true
        let type = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return made(openSocket(target.pointee.family, type, target.pointee.protocol))
    }

    /// Finds the resource that this host lacked when a transfer failed without a response.
    ///
    /// Nil if the origin or the network caused the failure.
    ///
    /// libcurl and the resolver open their own sockets and files and only report a failure. This function therefore
    /// opens a socket. If this fails too, the state of the origin is unknown.
    func findShortage() -> String? {
        if shortage == nil {
            let descriptor = made(openSocket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
            if descriptor != CURL_SOCKET_BAD { close(descriptor) }
        }
        return shortage.map { String(cString: hr_error_text($0)) }
    }

    private func made(_ descriptor: Int32) -> curl_socket_t {
        if descriptor >= 0 { return descriptor }
        if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(-descriptor) { shortage = -descriptor }
        return CURL_SOCKET_BAD
    }

    /// The number of descriptors reserved for the rest of the process, but at most an eighth of the limit.
    ///
    /// Dispatch traps if no descriptor is free. The number is lower than the server's own reserve, so that the server
    /// stops accepting requests before fetches fail.
    private static let reservedDescriptors: Int32 = 32

    /// Calls socket(2), and fails with EMFILE before it uses the reserved descriptors.
    package static let systemSocket: OpenSocket = { family, type, number in
        let descriptor = socket(family, type, number)
        guard descriptor >= 0 else { return -errno }
        // The kernel assigns the lowest free number, so a high number means that few descriptors are free.
        let limit = hr_descriptor_limit()
        guard descriptor < limit - min(reservedDescriptors, limit / 8) else {
            close(descriptor)
            return -EMFILE
        }
        return descriptor
    }
}
