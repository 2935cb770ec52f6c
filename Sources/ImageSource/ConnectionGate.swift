import CCurl
import Glibc

/// Stands between libcurl and the network: makes the socket for an address, or refuses.
///
/// libcurl asks once for every address it is about to contact, after the name was resolved and with the very bytes it
/// will connect to. It goes on to the name's next address after a refusal, so private addresses among public ones are
/// skipped.
final class ConnectionGate {
    private let policy: AddressPolicy
    /// Addresses refused during this hop, with reasons.
    private(set) var refusals: [String] = []
    /// Whether any address was let through during this hop.
    private(set) var hasOpened = false

    init(policy: AddressPolicy) {
        self.policy = policy
    }

    func reset() {
        refusals = []
        hasOpened = false
    }

    func open(_ target: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        // The declared `sockaddr` is the head of as much storage as the family needs.
        guard let head = target.pointer(to: \.addr),
            let address = IPAddress(
                socketAddress: UnsafeRawBufferPointer(start: head, count: Int(target.pointee.addrlen))
            )
        else {
            refusals.append("an address that is not IP")
            return CURL_SOCKET_BAD
        }
        if let reason = policy.refusal(of: address) {
            refusals.append("\(address): \(reason)")
            return CURL_SOCKET_BAD
        }
        hasOpened = true
        let type = target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(target.pointee.family, type, target.pointee.protocol)
    }
}
