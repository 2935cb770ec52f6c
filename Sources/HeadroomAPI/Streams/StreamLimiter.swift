package import HTTPServer
import Synchronization

package struct StreamConfiguration: Sendable {
    /// Streams at the same time; 0 turns the route off.
    package var maxStreams = 4
    /// Streams at the same time of one IPv4 address, or one IPv6 /64.
    package var maxStreamsPerAddress = 3
    /// Streams at the same time with one key or secret, if there are several.
    package var maxStreamsPerKey = 3
    package var maxTime = Duration.seconds(3600)
    /// The longest time without a complete frame, also before the first one.
    package var idleTime = Duration.seconds(10)
    /// The most bytes that a stream may receive.
    package var maxBytes = 8 << 30
    /// The least bytes per second that must arrive in each ``window``; 0 for none.
    package var minBytesPerSecond = 4096
    /// The time over which the rate is measured.
    package var window = Duration.seconds(30)
    /// The most bytes of one frame of the result; a larger one is not shown.
    package var maxResultBytes = 8 << 20
    /// The longest time from the arrival of a frame until work on it begins; an older frame is dropped.
    package var maxDelay = Duration.seconds(1)

    /// The most bytes of one frame of the source.
    package static let maxFrameBytes = 4 << 20
    /// The most bytes of the frames that wait for the end of their look-ahead; a frame beyond them is not shown.
    package static let maxWaitingBytes = 16 << 20

    package init() {}

    /// The share of one client or key: three quarters of all streams, at least one, like the share of an address in the
    /// memory of request bodies.
    package static func share(of streams: Int) -> Int { max(1, streams * 3 / 4) }
}

/// Limits how many streams run at once: in total, for one client, and with one key or secret.
package final class StreamLimiter: Sendable {
    /// The client and the credential of a stream.
    package struct Holder: Hashable, Sendable {
        /// The client; nil for a Unix socket, which has no limit per address.
        let network: PeerAddress.Network?
        /// The key or the secret, such as `key 1`; nil if the service has only one.
        let credential: String?

        package init(network: PeerAddress.Network?, credential: String? = nil) {
            self.network = network
            self.credential = credential
        }
    }

    /// A limit that is reached.
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

    package init(_ configuration: StreamConfiguration) { self.configuration = configuration }

    package var taken: Int { state.withLock(\.count) }

    /// Takes a place, which ``release(_:)`` returns.
    ///
    /// - Returns: The limit that is reached; nil if the place was taken.
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
