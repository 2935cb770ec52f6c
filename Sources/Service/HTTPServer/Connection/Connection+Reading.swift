import CLinux
import Dispatch
import Glibc
import HTTPTypes

extension Connection {
    /// Maximum number of full reads per event.
    ///
    /// After these reads, the loop serves other connections.
    private static let maxReadsPerEvent = 16

    /// Maximum number of bytes discarded after a rejection.
    private static let maxLingerBytes = 64 * 1024 * 1024

    /// Maximum size, in bytes, of a rejected body that is skipped instead of closing the connection.
    ///
    /// Receiving this many bytes costs less than a new connection.
    private static let maxSkippedBytes = 64 * 1024

    private enum ReadResult {
        /// `isFull` means that the read filled the buffer, so more bytes may be available.
        case bytes(isFull: Bool)
        case wouldBlock
        case end
        case failed
    }

    /// Reads available bytes and parses them.
    func readable() {
        immediateResponses = 0
        for _ in 0..<Self.maxReadsPerEvent where phase != .closed && !hasEnded {
            guard input.count < configuration.maxPipelinedBytes || phase != .handling && phase != .writing else {
                channel.pauseReading()
                return
            }
            switch receive() {
            case .bytes(let isFull):
                advance()
                guard isFull || channel.hasEnded else { return }
            case .end:
                ended()
                return
            case .wouldBlock:
                advance()
                return
            case .failed:
                // The connection was reset, so the client can no longer receive a response.
                close()
                return
            }
        }
        // Parsed here, because the edge-triggered poller reports these bytes only once.
        guard phase != .closed, !hasEnded else { return }
        loop.poller.perform { self.readable() }
    }

    private func receive() -> ReadResult {
        guard let base = loop.scratch.baseAddress else { return .failed }
        let count = hr_receive(channel.descriptor, base, loop.scratch.count)
        guard count > 0 else {
            return count == 0 ? .end : count == Int(-EAGAIN) ? .wouldBlock : .failed
        }
        isFresh = false
        if phase == .lingering {
            discardedBytes += count
            if discardedBytes > Self.maxLingerBytes { return .failed }
        } else {
            if phase == .reading, incoming.stage == .body {
                incoming.upload.advance(to: incoming.upload.bytes + count, now: now)
            }
            input.append(UnsafeRawBufferPointer(start: base, count: count))
        }
        return .bytes(isFull: count == loop.scratch.count)
    }

    private func ended() {
        hasEnded = true
        channel.pauseReading()
        passBody()
        switch phase {
        case .reading: advance()
        case .handling: deadline = now.later(by: configuration.halfCloseGrace)
        case .lingering: close()
        case .writing, .closed: break
        }
    }

    /// Parses the received bytes until a request is complete or more bytes are needed.
    func advance() {
        // An immediately sent response calls this function again; the loop that is already running continues.
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while phase == .reading {
            do throws(RequestError) {
                switch try parser.next(&input) {
                case .incomplete:
                    awaitMore()
                    return
                case .head(let head): try begin(head)
                case .body(let body):
                    guard let head = incoming.head else { return close() }
                    if let refusal = incoming.refusal {
                        incoming.refusal = nil
                        outgoing.closesConnection = !head.isPersistent
                        send(refusal)
                    } else {
                        handle(head, body: body)
                    }
                }
            } catch {
                refuse(error)
            }
        }
        passBody()
    }

    private func begin(_ head: RequestHead) throws(RequestError) {
        incoming.head = head
        incoming.clientBehindProxy = loop.context.hooks.client(behind: peer, head.headers)
        loop.idle.remove(self)
        incoming.headCompletedAt = arrivedAt
        incoming.stage = .body
        incoming.upload = Transfer(loop.context.bodyPace, bytes: input.count, now: now)
        if head.framing != .none, let refusal = refusal(of: head) {
            guard case .length(...Self.maxSkippedBytes) = head.framing, !head.expectsContinue else {
                outgoing.closesConnection = true
                input.removeAll()
                return send(refusal)
            }
            incoming.refusal = refusal
            return parser.skipBody()
        }
        try checkRoom(for: head.framing)
        // A client that has already sent a part of the body does not wait for 100 Continue (RFC 9110 §10.1.1).
        if head.expectsContinue, input.isEmpty {
            output.append(ResponseHead.proceed)
            flush()
        }
        guard head.framing != .none, phase == .reading,
            let receiver = loop.context.hooks.bodyReceiver(for: request(head, body: []))
        else { return }
        incoming.receiver = receiver
        handle(head, body: [])
    }

    private func refusal(of head: RequestHead) -> ServerResponse? {
        let length: Int? = if case .length(let length) = head.framing { length } else { nil }
        return loop.context.hooks.refusal(ofHead: request(head, body: []), bodyLength: length)
    }

    private func awaitMore() {
        let newStage = parser.stage(input)
        // The client of a new connection is about to send its first request, and may be unable to retry it.
        if newStage == .idle, hasEnded || loop.isDraining && !isFresh { return close() }
        if hasEnded { return refuse(.incomplete) }
        if newStage != .idle { loop.idle.remove(self) }
        switch newStage {
        case .idle: loop.idle.add(self, at: now)
        case .head where incoming.stage != .head: deadline = now.later(by: configuration.headerTimeout)
        case .head: break
        case .body:
            do throws(RequestError) {
                if incoming.refusal == nil { try hold(incoming.upload.bytes) }
            } catch {
                return refuse(error)
            }
            deadline = incoming.upload.deadline
        }
        incoming.stage = newStage
    }

    /// Serves requests that have arrived.
    ///
    /// Closes the connection if none have arrived, but lets a new connection send its first request.
    func drain() {
        outgoing.stream?.finish()
        guard phase == .reading else { return }
        readable()
        guard phase == .reading, isFresh else { return }
        let end = now.later(by: configuration.firstRequestGrace)
        deadline = deadline.map { min($0, end) } ?? end
    }

    /// Whether pipelined requests follow the current one.
    func hasMoreRequests() -> Bool {
        if input.isEmpty, !hasEnded {
            switch receive() {
            case .bytes, .wouldBlock: break
            case .end: hasEnded = true
            case .failed: close()
            }
        }
        return !input.isEmpty
    }
}
