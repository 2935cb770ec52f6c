package import HTTPServer
import Synchronization

/// Limits the number of concurrent streams: in total, per client, and per key or secret.
package final class StreamLimiter: Sendable {
    /// The client and the credential of a stream.
    package struct Holder: Hashable, Sendable {
        /// The client; nil for a Unix socket, which has no limit per address.
        let network: PeerAddress.Network?
        /// The key or the secret, such as `key 1`; nil if the service has only one.
        let credential: String?

        /// The holder of one stream.
        ///
        /// - Parameters:
        ///   - network: The client; nil for a Unix socket, which has no limit per address.
        ///   - credential: The name of the key or secret, such as `key 1`; nil if the service has only one.
        package init(network: PeerAddress.Network?, credential: String? = nil) {
            self.network = network
            self.credential = credential
        }
    }

    /// The limit that rejected a stream.
    package enum Refusal: Equatable, Sendable {
        case all(Int)
        case address(Int)
        case credential(Int)
    }

    private struct State {
        var count = 0
        var perAddress: [PeerAddress.Network: Int] = [:]
        var perCredential: [String: Int] = [:]
    }

    package let configuration: StreamConfiguration
    private let state = Mutex(State())

    /// A limiter without streams.
    package init(_ configuration: StreamConfiguration) { self.configuration = configuration }

    /// The number of running streams.
    package var taken: Int { state.withLock(\.count) }

    /// Takes a place for a stream; ``release(_:)`` returns the place.
    ///
    /// - Returns: The limit that rejects the stream; nil if the stream got a place.
    package func take(_ holder: Holder) -> Refusal? {
        state.withLock { state in
            if state.count >= configuration.maxStreams { return .all(configuration.maxStreams) }
            let (perAddress, perKey) = (configuration.maxStreamsPerAddress, configuration.maxStreamsPerKey)
            if let network = holder.network, state.perAddress[network, default: 0] >= perAddress {
                return .address(perAddress)
            }
            if let credential = holder.credential, state.perCredential[credential, default: 0] >= perKey {
                return .credential(perKey)
            }
            state.count += 1
            if let network = holder.network { state.perAddress[network, default: 0] += 1 }
            if let credential = holder.credential { state.perCredential[credential, default: 0] += 1 }
            return nil
        }
    }

    /// Returns a place that the same holder took with ``take(_:)``.
    package func release(_ holder: Holder) {
        state.withLock { state in
            state.count -= 1
            if let network = holder.network, let count = state.perAddress[network] {
                state.perAddress[network] = count > 1 ? count - 1 : nil
            }
            if let credential = holder.credential, let count = state.perCredential[credential] {
                state.perCredential[credential] = count > 1 ? count - 1 : nil
            }
        }
    }
}
