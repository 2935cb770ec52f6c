package import Admission
import Synchronization

/// Connection limiter: counts open connections, in total and per address, and enforces the limits.
struct ConnectionLimiter {
    /// The treatment of a new connection, which is counted in every case.
    enum Verdict: Equatable {
        case serve
        /// Served if an idle connection can be closed instead; otherwise kept open only to send the reason.
        case refuse(RequestError)
        /// Closed without a response, because too many refused connections of this address are open.
        case discard
    }

    /// Maximum number of refused connections that are open at the same time, for each limit.
    ///
    /// When this many are open above the total limit, accepting pauses and the kernel queues more connections. Above
    /// the limit of one address accepting continues, because connections from other addresses wait in the same queue.
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
    /// - Returns: Whether the connection is within the limits.
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

/// Memory budget for request bodies that are received or processed, in bytes.
///
/// A client holds at most its fair share (``ByteLedger``), and always one body of the maximum size.
final class BodyBudget: Sendable {
    private let state: Mutex<ByteLedger>

    init(_ configuration: ServerConfiguration) {
        state = Mutex(ByteLedger(limit: configuration.maxBodyBytesInFlight, minimum: configuration.maxBodyBytes))
    }

    /// Bytes reserved for all bodies.
    var held: Int { state.withLock { $0.used } }

    /// Reserves `bytes` for a client; nil is a client without a fair share.
    ///
    /// - Throws: ``RequestError/tooManyBodyBytes`` or ``RequestError/tooManyBodyBytesOfClient``, without a reservation.
    func reserve(_ bytes: Int, for client: Client?) throws(RequestError) {
        let refusal = state.withLock { state in
            let refusal = state.refusal(of: bytes, for: client)
            if refusal == nil { state.add(bytes, for: client) }
            return refusal
        }
        if let refusal { throw RequestError(refusal) }
    }

    /// Returns the error that ``reserve(_:for:)`` would throw for a body of a declared length; nil if it would succeed
    /// now.
    func refusal(ofLength length: Int, for client: Client?) -> RequestError? {
        state.withLock { $0.refusal(of: length, for: client) }.map { RequestError($0) }
    }

    /// Releases bytes reserved by ``reserve(_:for:)``.
    func release(_ bytes: Int, for client: Client?) { state.withLock { $0.remove(bytes, for: client) } }
}

extension RequestError {
    fileprivate init(_ refusal: ByteLedger.Refusal) {
        self =
            switch refusal {
            case .all: .tooManyBodyBytes
            case .client: .tooManyBodyBytesOfClient
            }
    }
}

/// Memory budget for responses that wait to be sent.
///
/// A response that exceeds the budget evicts others: the connections whose windows end first, because they made the
/// slowest progress, are closed. If the new response were rejected instead, a few clients that do not read could block
/// all others.
///
/// Responses of a client with more than three quarters of the budget are evicted first, so that this client cannot
/// cause the eviction of other clients' responses. A client may use the whole budget while there are no other clients.
///
/// Memory shared by responses, for example from a cache, counts once: an image read by a thousand slow clients counts
/// with its size once and does not evict connections. Within the fair share of a client it also counts once.
package final class UnsentBudget: Sendable {
    private struct Response {
        /// Retained, so that no other allocation reuses these addresses while they are counted.
        let segments: [[UInt8]]
        let client: Client?
        var deadline: ContinuousClock.Instant
        let cutOff: @Sendable () -> Void
    }

    /// Counts the memory of responses; each block counts once.
    private struct Memory {
        private struct Block {
            let bytes: Int
            var holders = 0
        }

        private(set) var bytes = 0
        private var blocks: [UnsafeRawPointer: Block] = [:]

        mutating func add(_ segments: [[UInt8]]) {
            for segment in segments {
                segment.withUnsafeBytes { bytes in
                    guard let address = bytes.baseAddress else { return }
                    if blocks[address] == nil { self.bytes += bytes.count }
                    blocks[address, default: .init(bytes: bytes.count)].holders += 1
                }
            }
        }

        mutating func remove(_ segments: [[UInt8]]) {
            for segment in segments {
                segment.withUnsafeBytes { bytes in
                    guard let address = bytes.baseAddress, let block = blocks[address] else { return }
                    blocks[address]?.holders -= 1
                    guard block.holders == 1 else { return }
                    blocks[address] = nil
                    self.bytes -= block.bytes
                }
            }
        }
    }

    private struct State {
        var memory = Memory()
        var memoryOfClients: [Client: Memory] = [:]
        var responses: [ObjectIdentifier: Response] = [:]

        mutating func insert(_ response: Response, of connection: ObjectIdentifier) {
            responses[connection] = response
            memory.add(response.segments)
            if let client = response.client { memoryOfClients[client, default: Memory()].add(response.segments) }
        }

        mutating func removeResponse(of connection: ObjectIdentifier) -> Response? {
            guard let response = responses.removeValue(forKey: connection) else { return nil }
            memory.remove(response.segments)
            if let client = response.client {
                memoryOfClients[client]?.remove(response.segments)
                if memoryOfClients[client]?.bytes == 0 { memoryOfClients[client] = nil }
            }
            return response
        }

        /// Returns the response whose window ends first, among clients that exceed their fair share and except for one
        /// connection.
        func slowestOverShare(_ share: Int, except connection: ObjectIdentifier) -> ObjectIdentifier? {
            let maximum = memoryOfClients.max { $0.value.bytes < $1.value.bytes }
            guard let maximum, maximum.value.bytes > share else { return nil }
            return slowest(except: connection, of: maximum.key)
        }

        /// Returns the response whose window ends first, except for one connection; among the responses of one client,
        /// or of all clients.
        func slowest(except connection: ObjectIdentifier, of client: Client? = nil) -> ObjectIdentifier? {
            responses.lazy.filter { $0.key != connection && (client == nil || $0.value.client == client) }
                .min { $0.value.deadline < $1.value.deadline }?.key
        }
    }

    private let limit: Int
    /// The maximum number of bytes of a client.
    private let limitPerClient: Int
    private let state = Mutex(State())

    /// Creates a budget without responses.
    ///
    /// - Parameter limit: Maximum number of bytes of all waiting responses together; a client may hold three quarters
    ///   of it.
    package init(limit: Int) {
        self.limit = limit
        limitPerClient = ByteLedger(limit: limit).limitPerClient
    }

    /// Bytes of all waiting responses.
    package var held: Int { state.withLock { $0.memory.bytes } }

    /// End of the first response window; nil if no response waits.
    package var firstEnd: ContinuousClock.Instant? { state.withLock { $0.responses.values.map(\.deadline).min() } }

    /// Adds a response that the socket does not accept immediately, and evicts others until the total is within the
    /// limit.
    ///
    /// It evicts the responses of clients above their fair share, then other responses; among these, first the
    /// responses whose window ends first.
    ///
    /// - Parameters:
    ///   - connection: A connection without another response in the budget.
    ///   - segments: The bytes to send, at most the limit in total; a segment in several responses counts once.
    ///   - client: The client whose fair share is used; nil for a client without a fair share.
    ///   - deadline: The end of the response's window.
    ///   - cutOff: Closes the connection if this response is still being sent; called from any thread.
    package func add(
        _ connection: ObjectIdentifier,
        segments: [[UInt8]],
        for client: Client? = nil,
        deadline: ContinuousClock.Instant,
        cutOff: @escaping @Sendable () -> Void
    ) {
        let response = Response(segments: segments, client: client, deadline: deadline, cutOff: cutOff)
        let victims: [Response] = state.withLock { state in
            state.insert(response, of: connection)
            var victims: [Response] = []
            while state.memory.bytes > limit,
                let victim = state.slowestOverShare(limitPerClient, except: connection)
                    ?? state.slowest(except: connection)
            {
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

    /// Removes the response of a connection, if present.
    package func remove(_ connection: ObjectIdentifier) {
        // The memory is deallocated after the lock is released.
        _ = state.withLock { $0.removeResponse(of: connection) }
    }
}
