import Synchronization

/// Memory budget for request bodies that are received or processed, per server and per client address, in bytes.
final class BodyBudget: Sendable {
    private struct State {
        var held = 0
        var perAddress: [PeerAddress.Network: Int] = [:]
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let state = Mutex(State())

    /// A single address may use three quarters of the budget, and always at least one body of the maximum size.
    init(_ configuration: HTTPServer.Configuration) {
        limit = configuration.maxBodyBytesInFlight
        limitPerAddress = max(limit / 4 * 3, min(limit, configuration.maxBodyBytes))
    }

    /// Bytes reserved for all bodies.
    var held: Int { state.withLock { $0.held } }

    /// Reserves `bytes` for an address; nil stands for a Unix socket, which has no limit per address.
    ///
    /// - Throws: ``RequestError/tooManyBodyBytes`` or ``RequestError/tooManyBodyBytesOfAddress``; nothing is reserved
    ///   then.
    func reserve(_ bytes: Int, for network: PeerAddress.Network?) throws(RequestError) {
        let error: RequestError? = state.withLock { state in
            guard bytes <= limit - state.held else { return .tooManyBodyBytes }
            if let network {
                let held = state.perAddress[network, default: 0]
                guard bytes <= limitPerAddress - held else { return .tooManyBodyBytesOfAddress }
                state.perAddress[network] = held + bytes
            }
            state.held += bytes
            return nil
        }
        if let error { throw error }
    }

    /// Releases bytes reserved by ``reserve(_:for:)``.
    func release(_ bytes: Int, for network: PeerAddress.Network?) {
        state.withLock { state in
            state.held -= bytes
            guard let network, let held = state.perAddress[network] else { return }
            state.perAddress[network] = held > bytes ? held - bytes : nil
        }
    }
}
