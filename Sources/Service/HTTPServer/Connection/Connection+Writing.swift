import UntrustedText
import CLinux
import Dispatch
import HTTPTypes

extension Connection {
    /// Sends a response, then continues with the next request or closes the connection.
    func send(_ response: ServerResponse) {
        let closes =
            outgoing.closesConnection || response.wantsClose || response.stream != nil || incoming.receiver != nil
            || isLastRequest()
        // The check for pipelined requests may have detected a connection reset.
        guard phase != .closed else { return }
        outgoing.closesConnection = closes
        let method = incoming.head?.line.method ?? parser.method
        let isOld = incoming.head?.line.minorVersion == 0
        let isAnnounced = isOld || incoming.head?.namesKeepAlive == true
        let bytes = ResponseHead.serialize(
            response,
            to: method,
            persistence: closes
                ? .close : isAnnounced ? .announced(idleSeconds: configuration.announcedIdleSeconds) : .byDefault,
            date: loop.date.now(),
            isChunked: !isOld
        )
        let hasBody = ResponseHead.allowsBody(response.status, to: method)
        output.append(head: bytes, body: hasBody ? response.body : [])
        phase = .writing
        release()
        outgoing.number += 1
        if let stream = response.stream {
            if hasBody { begin(stream, isChunked: !isOld) } else { stream.close() }
        }
        flush()
    }

    /// Sends bytes until the socket accepts no more.
    func flush() {
        switch output.flush(to: channel.descriptor, sentBytes: &sentBytes) {
        case .failed: close()
        case .sent:
            channel.stopAwaitingWritable()
            guard phase == .writing else { return }
            if outgoing.stream == nil { responseSent() } else { requestPiece() }
        case .blocked:
            channel.awaitWritable { self.flush() }
            beginDelivery()
        }
    }

    /// Starts the time limit for a response that the client has not completely received.
    func beginDelivery() {
        guard phase == .writing, outgoing.delivery == nil else { return }
        let delivery = Transfer(loop.context.responsePace, bytes: acknowledgedBytes(), now: now)
        outgoing.delivery = delivery
        deadline = delivery.deadline
        count(until: delivery.deadline)
    }

    /// Starts another window for a response if the client has received enough bytes.
    func checkDelivery(_ now: ContinuousClock.Instant) {
        guard phase == .writing, outgoing.delivery?.advance(to: acknowledgedBytes(), now: now) == true,
            let delivery = outgoing.delivery
        else {
            return
        }
        deadline = delivery.deadline
        loop.context.unsentBudget.renew(ObjectIdentifier(self), deadline: delivery.deadline)
    }

    /// Removes the current response from the unsent budget.
    func stopCounting() {
        guard outgoing.delivery != nil else { return }
        outgoing.delivery = nil
        loop.context.unsentBudget.remove(ObjectIdentifier(self))
    }

    private func count(until deadline: ContinuousClock.Instant) {
        let number = outgoing.number
        let segments = output.segments
        let (connection, client) = (ObjectIdentifier(self), client)
        loop.context.unsentBudget.add(connection, segments: segments, for: client, deadline: deadline) { [weak self] in
            guard let self else { return }
            loop.poller.perform {
                guard self.phase == .writing, self.outgoing.number == number else { return }
                self.cutOff("unsent responses exceed the memory limit")
            }
        }
    }

    /// Returns the number of response bytes that have reached the client's host or, over a Unix socket, the client
    /// itself.
    private func acknowledgedBytes() -> Int { sentBytes - channel.unacknowledgedBytes() }

    /// Whether the connection closes after this response because of a shutdown.
    ///
    /// This is the case after the last request that it has received.
    private func isLastRequest() -> Bool {
        if hasEnded { return input.isEmpty }
        return loop.isDraining && !hasMoreRequests()
    }

    private func responseSent() {
        endBody(isComplete: false)
        incoming.head = nil
        stopCounting()
        guard !outgoing.closesConnection else { return linger() }
        phase = .reading
        incoming.stage = .idle
        deadline = now.later(by: configuration.idleTimeout)
        if !hasEnded { channel.resumeReading() }
        advance()
    }

    /// Closes the connection in two steps.
    ///
    /// Closing a socket with unread bytes sends a reset, which may destroy the response before the client has read it
    /// (RFC 9112 §9.6).
    private func linger() {
        guard !hasEnded else { return close() }
        hr_finish_sending(channel.descriptor)
        phase = .lingering
        input.removeAll()
        // The received part of a refused body is discarded.
        parser = RequestParser(limits: configuration)
        discardedBytes = 0
        deadline = now.later(by: configuration.lingerTimeout)
        channel.resumeReading()
    }
}

extension ServerResponse {
    fileprivate var wantsClose: Bool {
        headers[values: .connection].contains { $0.listElements.contains { $0.bytes.matches("close") } }
    }
}

/// Streamed bodies: responses that are produced while they are sent, and request bodies that are passed on while they
/// arrive.
extension Connection {
    /// Maximum number of unacknowledged bytes when the next piece is requested.
    ///
    /// With more bytes, the client would fall behind.
    private static let maxUnacknowledged = 64 * 1024
    /// The same limit as a number of pieces, which matters for small pieces.
    private static let maxUnacknowledgedPieces = 4

    /// Starts the body of the queued response.
    func begin(_ stream: ResponseStream, isChunked: Bool) {
        outgoing.stream = stream
        outgoing.isChunked = isChunked
        // A client that connects during shutdown gets the end of the stream immediately.
        if loop.isDraining { stream.finish() }
    }

    /// Requests the next piece if the client has received the previous pieces.
    ///
    /// Called when all pieces have been sent.
    func requestPiece() {
        guard let stream = outgoing.stream, outgoing.pieceTask == nil else { return }
        let maximum = min(Self.maxUnacknowledged, Self.maxUnacknowledgedPieces * max(1, outgoing.pieceBytes))
        guard channel.unacknowledgedBytes() <= maximum else {
            outgoing.awaitsAcknowledgement = true
            beginDelivery()
            return
        }
        outgoing.awaitsAcknowledgement = false
        stopCounting()
        // The stream has its own time limits.
        deadline = nil
        outgoing.pieceTask = Task.detached(executorPreference: loop) {
            // Resumes on the loop's queue.
            self.received(await stream.next())
        }
    }

    private func received(_ piece: [UInt8]?) {
        guard phase == .writing else { return }
        outgoing.pieceTask = nil
        if let piece {
            outgoing.pieceBytes = piece.count
            output.append(outgoing.isChunked ? Self.chunk(piece) : piece)
        } else {
            if outgoing.isChunked { output.append(Array("0\r\n\r\n".utf8)) }
            endStream()
        }
        flush()
    }

    /// Ends the stream of the response, if there is one.
    func endStream() {
        outgoing.pieceTask?.cancel()
        outgoing.pieceTask = nil
        outgoing.awaitsAcknowledgement = false
        outgoing.stream?.close()
        outgoing.stream = nil
    }

    /// Passes the received part of the body to its receiver.
    func passBody() {
        while let receiver = incoming.receiver {
            do throws(RequestError) {
                switch try parser.next(&input) {
                case .incomplete:
                    let bytes = parser.takeBody()
                    if !bytes.isEmpty { receiver.receive(bytes) }
                    if hasEnded { endBody(isComplete: false) }
                    return
                case .body(let bytes):
                    if !bytes.isEmpty { receiver.receive(bytes) }
                    endBody(isComplete: true)
                case .head: return endBody(isComplete: false)
                }
            } catch {
                input.removeAll()
                channel.pauseReading()
                endBody(isComplete: false)
            }
        }
    }

    /// Ends the body that is being passed on, if there is one.
    func endBody(isComplete: Bool) {
        incoming.receiver?.end(isComplete: isComplete)
        incoming.receiver = nil
    }

    private static func chunk(_ piece: [UInt8]) -> [UInt8] {
        Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
    }
}
