import Fetching
package import HTTPServer
import HTTPTypes

extension ServerRequest {
    /// Whether the client is on this host or in a private network.
    ///
    /// Only a trusted proxy, which reports the client's address, may have forwarded the request.
    package var isFromPrivateNetwork: Bool {
        guard proxy != nil || !HTTPField.Name.ofProxies.contains(where: headers.contains),
            let address = client.host.flatMap(IPAddress.init)
        else { return false }
        return AddressPolicy.isLocal(address)
    }
}
