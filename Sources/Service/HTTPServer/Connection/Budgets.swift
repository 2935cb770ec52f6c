package import Admission
import Synchronization

/// Counts open connections, in total and per address, and enforces the connection limits.
struct ConnectionLimiter {
    /// The decision about a new connection.
    ///
    /// Every new connection is counted.
    enum Verdict: Equatable {
        case serve
        /// Served if an idle connection can be closed instead.
        ///
        /// Otherwise it is kept open only to send the reason.
        case refuse(RequestError)
        /// Closed without a response, because too many refused connections from this address are open.
        case discard
    }

    /// Maximum number of refused connections that are open at the same time, for each limit.
    ///
    /// If the open connections exceed the total limit by this number, the server pauses accepting and the kernel queues
    /// new connections. If they exceed the limit of one address, the server continues accepting, because connections
    /// from other addresses wait in the same queue.
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

    /// Counts a new connection.
    ///
    /// Each call needs a later call to ``remove(_:)``.
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

/// Memory budget for request bodies that are being received or processed, in bytes.
///
/// A client can use at most its fair share (``ByteLedger``), but always one body of the maximum size.
final class BodyBudget: Sendable {
    private let state: Mutex<ByteLedger>

    init(_ configuration: ServerConfiguration) {
        state = Mutex(ByteLedger(limit: configuration.maxBodyBytesInFlight, minimum: configuration.maxBodyBytes))
    }

    /// The number of bytes reserved for all bodies.
    var held: Int { state.withLock { $0.used } }

    /// Reserves `bytes` for a client; nil means a client without a fair share.
    ///
    /// - Throws: ``RequestError/tooManyBodyBytes`` or ``RequestError/tooManyBodyBytesOfClient``; nothing is reserved.
    func reserve(_ bytes: Int, for client: Client?) throws(RequestError) {
        let refusal = state.withLock { state in
            let refusal = state.refusal(of: bytes, for: client)
            if refusal == nil { state.add(bytes, for: client) }
            return refusal
        }
        if let refusal { throw RequestError(refusal) }
    }

    /// Returns the error that ``reserve(_:for:)`` would throw now for a body of a declared length; nil if it would
    /// succeed.
    func refusal(ofLength length: Int, for client: Client?) -> RequestError? {
        state.withLock { $0.refusal(of: length, for: client) }.map { RequestError($0) }
    }

    /// Releases bytes that ``reserve(_:for:)`` reserved.
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
/// A response that exceeds the budget evicts other responses. The server closes the connections whose windows end
/// first, because they made the slowest progress. If it rejected the new response instead, a few clients that do not
/// read could block all other clients.
///
/// Responses of a client that uses more than three quarters of the budget are evicted first, so that this client cannot
/// evict the responses of other clients. A client may use the whole budget while there are no other clients.
///
/// Memory that responses share, for example from a cache, counts once. If a thousand slow clients read the same image,
/// its size counts once and no connection is evicted. Shared memory also counts once in the fair share of a client.
package final class UnsentBudget: Sendable {
    private struct Response {
        /// Retained, so that other allocations do not reuse these addresses while the segments are counted.
        let segments: [[UInt8]]
        let client: Client?
        var deadline: ContinuousClock.Instant
        let cutOff: @Sendable () -> Void
    }

    /// Counts the memory of responses.
    ///
    /// Each memory block counts once.
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

        /// Returns the connection of the response whose window ends first, among the responses of clients that exceed
        /// their fair share.
        ///
        /// Ignores one connection.
        func slowestOverShare(_ share: Int, except connection: ObjectIdentifier) -> ObjectIdentifier? {
            let maximum = memoryOfClients.max { $0.value.bytes < $1.value.bytes }
            guard let maximum, maximum.value.bytes > share else { return nil }
            return slowest(except: connection, of: maximum.key)
        }

        /// Returns the connection of the response whose window ends first, among the responses of one client or of all
        /// clients.
        ///
        /// Ignores one connection.
        func slowest(except connection: ObjectIdentifier, of client: Client? = nil) -> ObjectIdentifier? {
            responses.lazy.filter { $0.key != connection && (client == nil || $0.value.client == client) }
                .min { $0.value.deadline < $1.value.deadline }?.key
        }
    }

    private let limit: Int
    /// The maximum number of bytes for one client.
    private let limitPerClient: Int
    private let state = Mutex(State())

    /// Creates a budget without responses.
    ///
    /// - Parameter limit: Maximum number of bytes of all waiting responses; one client may use three quarters of this
    ///   number.
    package init(limit: Int) {
        self.limit = limit
        limitPerClient = ByteLedger(limit: limit).limitPerClient
    }

    /// The number of bytes of all waiting responses.
    package var held: Int { state.withLock { $0.memory.bytes } }

    /// End of the first response window; nil if no response waits.
    package var firstEnd: ContinuousClock.Instant? { state.withLock { $0.responses.values.map(\.deadline).min() } }

    /// Adds a response that the socket does not accept immediately.
    ///
    /// Evicts other responses until the total is within the limit.
    ///
    /// Responses of clients that exceed their fair share are evicted first, then other responses. In both groups,
    /// responses whose windows end first are evicted first.
    ///
    /// - Parameters:
    ///   - connection: A connection without another response in the budget.
    ///   - segments: The bytes to send, at most `limit` in total. A segment that occurs in several responses counts
    ///   once.
    ///   - client: The client whose fair share is used; nil for a client without a fair share.
    ///   - deadline: The end of the response's window.
    ///   - cutOff: Closes the connection if this response is still being sent; can be called from any thread.
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

    /// Sets the end of a response's new window.
    package func renew(_ connection: ObjectIdentifier, deadline: ContinuousClock.Instant) {
        state.withLock { $0.responses[connection]?.deadline = deadline }
    }

    /// Removes the response of a connection, if present.
    package func remove(_ connection: ObjectIdentifier) {
        // The memory is deallocated after the lock is released.
        _ = state.withLock { $0.removeResponse(of: connection) }
    }
}
