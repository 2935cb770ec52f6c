import Synchronization

/// Memory budget for responses that wait to be sent.
///
/// A response that exceeds the budget evicts others: the connections whose windows end first, which made the least
/// progress, are closed. If the new response were refused instead, a few clients that do not read could block all
/// others.
///
/// Memory shared by responses, for example from a cache, counts once: a picture read by a thousand slow clients counts
/// with its size once and evicts no connection.
package final class UnsentBudget: Sendable {
    fileprivate struct Response {
        /// Retained, so that no other allocation reuses these addresses while they are counted.
        let segments: [[UInt8]]
        var deadline: ContinuousClock.Instant
        let cutOff: @Sendable () -> Void
    }

    fileprivate struct Block {
        let bytes: Int
        var holders = 0
    }

    fileprivate struct State {
        var held = 0
        var responses: [ObjectIdentifier: Response] = [:]
        var blocks: [UnsafeRawPointer: Block] = [:]
    }

    private let limit: Int
    private let state = Mutex(State())

    /// A budget of `limit` bytes.
    package init(limit: Int) { self.limit = limit }

    /// Bytes of all waiting responses.
    package var held: Int { state.withLock { $0.held } }

    /// End of the first response window; nil if no response waits.
    package var firstEnd: ContinuousClock.Instant? { state.withLock { $0.responses.values.map(\.deadline).min() } }

    /// Adds a response that the socket does not accept at once, and evicts others until the total is within the limit.
    ///
    /// - Parameters:
    ///   - connection: The connection of the response; it has no other response in the budget.
    ///   - segments: The bytes of the response, in total at most the limit.
    ///   - deadline: The end of the response's current window.
    ///   - cutOff: Closes the connection if this response is still being sent; called from any thread.
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

extension UnsentBudget.State {
    fileprivate mutating func insert(_ response: UnsentBudget.Response, of connection: ObjectIdentifier) {
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

    fileprivate mutating func removeResponse(of connection: ObjectIdentifier) -> UnsentBudget.Response? {
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

    fileprivate func slowest(except connection: ObjectIdentifier) -> ObjectIdentifier? {
        responses.lazy.filter { $0.key != connection }.min { $0.value.deadline < $1.value.deadline }?.key
    }
}
