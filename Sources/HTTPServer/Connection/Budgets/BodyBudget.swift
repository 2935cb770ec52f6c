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
    init(_ configuration: ServerConfiguration) {
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
            if let error = refusal(of: bytes, for: network, state) { return error }
            if let network { state.perAddress[network, default: 0] += bytes }
            state.held += bytes
            return nil
        }
        if let error { throw error }
    }

    /// The error that ``reserve(_:for:)`` would throw for a body of a declared length; nil when it would succeed now.
    func refusal(ofLength length: Int, for network: PeerAddress.Network?) -> RequestError? {
        state.withLock { refusal(of: length, for: network, $0) }
    }

    private func refusal(
        of bytes: Int,
        for network: PeerAddress.Network?,
        _ state: borrowing State
    ) -> RequestError? {
        if bytes > limit - state.held { return .tooManyBodyBytes }
        guard let network, bytes > limitPerAddress - state.perAddress[network, default: 0] else { return nil }
        return .tooManyBodyBytesOfAddress
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
