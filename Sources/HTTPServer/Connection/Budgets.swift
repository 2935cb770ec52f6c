import Synchronization

/// Connection limiter: counts open connections, in total and per address, and enforces the limits.
struct ConnectionLimiter {
    /// The treatment of a new connection, which is counted in every case.
    enum Verdict: Equatable {
        case serve
        /// Served if an idle connection can be closed in its place, else kept open only to send the reason.
        case refuse(RequestError)
        /// Closed without a response, because too many refused connections of this address are open.
        case discard
    }

    /// Refused connections that are open at the same time, for each limit.
    ///
    /// When that many are open above the total limit, accepting pauses and the kernel queues further connections.
    /// Above the limit of one address accepting continues, because connections from other addresses wait in the same
    /// queue.
    private static let maxRefused = 64

    private let maxTotal: Int
    /// Limit per address; 0 disables it.
    private let maxPerAddress: Int
    private(set) var total = 0
    private var perAddress: [PeerAddress.Network: Int] = [:]

    init(_ configuration: ServerConfiguration) {
        maxTotal = configuration.maxConnections
        maxPerAddress = configuration.maxConnectionsPerAddress
    }

    /// Counts a new connection; ``remove(_:)`` is its counterpart.
    ///
    /// - Parameter network: The address whose limit applies; nil for a Unix socket and for a trusted proxy.
    mutating func admit(_ network: PeerAddress.Network?) -> Verdict {
        total += 1
        if maxPerAddress > 0, let network {
            let count = perAddress[network, default: 0] + 1
            perAddress[network] = count
            if count - Self.maxRefused > maxPerAddress { return .discard }
            if count > maxPerAddress { return .refuse(.tooManyConnectionsOfAddress(limit: maxPerAddress)) }
        }
        return total <= maxTotal ? .serve : .refuse(.tooManyConnections)
    }

    /// Whether accepting must pause until a connection is closed.
    var isFull: Bool { total - Self.maxRefused >= maxTotal }

    /// Removes a closed connection from the counts.
    mutating func remove(_ network: PeerAddress.Network?) {
        total -= 1
        guard maxPerAddress > 0, let network, let count = perAddress[network] else { return }
        perAddress[network] = count > 1 ? count - 1 : nil
    }
}

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

    private func refusal(of bytes: Int, for network: PeerAddress.Network?, _ state: borrowing State) -> RequestError? {
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

/// Memory budget for responses that wait to be sent.
///
/// A response that exceeds the budget evicts others: the connections whose windows end first, which made the least
/// progress, are closed. If the new response were refused instead, a few clients that do not read could block all
/// others.
///
/// Memory shared by responses, for example from a cache, counts once: a picture read by a thousand slow clients counts
/// with its size once and evicts no connection.
package final class UnsentBudget: Sendable {
    private struct Response {
        /// Retained, so that no other allocation reuses these addresses while they are counted.
        let segments: [[UInt8]]
        var deadline: ContinuousClock.Instant
        let cutOff: @Sendable () -> Void
    }

    private struct Block {
        let bytes: Int
        var holders = 0
    }

    private struct State {
        var held = 0
        var responses: [ObjectIdentifier: Response] = [:]
        var blocks: [UnsafeRawPointer: Block] = [:]

        mutating func insert(_ response: Response, of connection: ObjectIdentifier) {
            responses[connection] = response
            for segment in response.segments {
                segment.withUnsafeBytes { bytes in
                    guard let address = bytes.baseAddress else { return }
                    let isNew = blocks[address] == nil
                    blocks[address, default: .init(bytes: bytes.count)].holders += 1
                    if isNew { held += bytes.count }
                }
            }
        }

        mutating func removeResponse(of connection: ObjectIdentifier) -> Response? {
            guard let response = responses.removeValue(forKey: connection) else { return nil }
            for segment in response.segments {
                segment.withUnsafeBytes { bytes in
                    guard let address = bytes.baseAddress, let block = blocks[address] else { return }
                    blocks[address]?.holders -= 1
                    guard block.holders == 1 else { return }
                    blocks[address] = nil
                    held -= block.bytes
                }
            }
            return response
        }

        func slowest(except connection: ObjectIdentifier) -> ObjectIdentifier? {
            responses.lazy.filter { $0.key != connection }.min { $0.value.deadline < $1.value.deadline }?.key
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    package init(limit: Int) { self.limit = limit }

    /// Bytes of all waiting responses.
    package var held: Int { state.withLock { $0.held } }

    /// End of the first response window; nil if no response waits.
    package var firstEnd: ContinuousClock.Instant? { state.withLock { $0.responses.values.map(\.deadline).min() } }

    /// Adds a response that the socket does not accept at once, and evicts others until the total is within the limit.
    ///
    /// The connection has no other response in the budget; the segments have at most the limit in total. `cutOff`
    /// closes the connection if this response is still being sent, and is called from any thread.
    package func add(
        _ connection: ObjectIdentifier,
        segments: [[UInt8]],
        deadline: ContinuousClock.Instant,
        cutOff: @escaping @Sendable () -> Void
    ) {
        let response = Response(segments: segments, deadline: deadline, cutOff: cutOff)
        let victims: [Response] = state.withLock { state in
            state.insert(response, of: connection)
            var victims: [Response] = []
            while state.held > limit, let victim = state.slowest(except: connection) {
                victims += state.removeResponse(of: victim).map { [$0] } ?? []
            }
            return victims
        }
        for victim in victims { victim.cutOff() }
    }

    /// Sets the end of the new window of a response.
    package func renew(_ connection: ObjectIdentifier, deadline: ContinuousClock.Instant) {
        state.withLock { $0.responses[connection]?.deadline = deadline }
    }

    /// Removes the response of a connection, if there is one.
    package func remove(_ connection: ObjectIdentifier) {
        // The memory is deallocated after the lock is released.
        _ = state.withLock { $0.removeResponse(of: connection) }
    }
}
