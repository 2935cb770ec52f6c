import CLinux
import Dispatch
import Glibc
import HTTPTypes

extension Connection {
    /// How many full reads one event may do before other connections get their turn.
    private static let maxReadsPerEvent = 16

    /// The most that is discarded after a refusal, in bytes.
    private static let maxLingerBytes = 64 * 1024 * 1024

    /// A refused body of at most this many bytes is let go by: to receive it costs less than another connection.
    private static let maxSkippedBytes = 64 * 1024

    private enum ReadResult {
        /// `isFull` when there may be more.
        case bytes(isFull: Bool)
        case wouldBlock
        case end
        case failed
    }

    /// Reads what has arrived and goes as far as it lets.
    func readable() {
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
                // A reset: the client is gone, and so is the use of its answer.
                close()
                return
            }
        }
        // Not left to the poller, which has told of these bytes.
        guard phase != .closed, !hasEnded else { return }
        loop.queue.async { self.readable() }
    }

    private func receive() -> ReadResult {
        guard let base = loop.scratch.baseAddress else { return .failed }
        let count = hr_receive(channel.descriptor, base, loop.scratch.count)
        guard count > 0 else {
            return count == 0 ? .end : count == Int(-EAGAIN) ? .wouldBlock : .failed
        }
        if phase == .lingering {
            transfer.bytes += count
            if transfer.bytes > Self.maxLingerBytes { return .failed }
        } else {
            if stage == .body { transfer.bytes += count }
            input.append(UnsafeRawBufferPointer(start: base, count: count))
        }
        return .bytes(isFull: count == loop.scratch.count)
    }

    private func ended() {
        hasEnded = true
        channel.pauseReading()
        switch phase {
        case .reading: advance()
        case .handling: deadline = .now + configuration.halfCloseGrace
        case .lingering: close()
        case .writing, .closed: break
        }
    }

    /// Parses what has been read until a request is complete or more is needed.
    func advance() {
        while phase == .reading {
            do throws(RequestError) {
                switch try parser.next(&input) {
                case .incomplete:
                    awaitMore()
                    return
                case .head(let head): begin(head)
                case .body(let body):
                    guard let head else { return close() }
                    if let refusal {
                        self.refusal = nil
                        closesAfterAnswer = !head.isPersistent
                        answer(refusal)
                    } else {
                        handle(head, body: body)
                    }
                }
            } catch {
                refuse(error)
            }
        }
    }

    private func begin(_ head: RequestHead) {
        self.head = head
        headCompletedAt = arrivedAt
        stage = .body
        transfer = Transfer(bytes: input.count)
        if head.framing != .none, let refusal = refusal(of: head) {
            guard case .length(...Self.maxSkippedBytes) = head.framing, !head.expectsContinue else {
                closesAfterAnswer = true
                input.removeAll()
                return answer(refusal)
            }
            self.refusal = refusal
            return parser.skipBody()
        }
        // A client that has begun to send the body does not wait for it (RFC 9110 §10.1.1).
        guard head.expectsContinue, input.isEmpty else { return }
        output.append(ResponseHead.proceed)
        flush()
    }

    private func refusal(of head: RequestHead) -> ServerResponse? {
        let length: Int? = if case .length(let length) = head.framing { length } else { nil }
        return loop.context.handler.refusal(ofHead: request(head, body: []), bodyLength: length)
    }

    private func awaitMore() {
        let newStage = parser.stage(input)
        if newStage == .idle, hasEnded || loop.isDraining { return close() }
        if hasEnded { return refuse(.incomplete) }
        switch newStage {
        case .idle: break
        case .head where stage != .head: deadline = .now + configuration.headerTimeout
        case .head: break
        case .body:
            guard refusal != nil || hold(transfer.bytes) else { return refuse(.tooManyBodyBytes) }
            deadline = transfer.deadline(
                timeout: configuration.bodyTimeout,
                bytesPerSecond: configuration.minBytesPerSecond
            )
        }
        stage = newStage
    }

    /// Lets what has arrived be served, and closes when that is nothing.
    func drain() {
        guard phase == .reading else { return }
        readable()
    }

    /// Whether more requests wait behind the one that is being answered.
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
