import CLinux
import Dispatch
import HTTPTypes

extension Connection {
    /// Sends a response, then continues with the next request or closes.
    func send(_ response: ServerResponse) {
        let closes =
            closesAfterResponse || response.wantsClose || response.stream != nil || receiver != nil || isLastRequest()
        // The check for pipelined requests may have detected a reset.
        guard phase != .closed else { return }
        closesAfterResponse = closes
        let method = head?.line.method ?? parser.method
        let isOld = head?.line.minorVersion == 0
        let bytes = ResponseHead.serialize(
            response,
            to: method,
            persistence: closes ? .close : isOld ? .announced : .byDefault,
            date: loop.date.now(),
            isChunked: !isOld
        )
        let hasBody = ResponseHead.allowsBody(response.status, to: method)
        output.append(head: bytes, body: hasBody ? response.body : [])
        phase = .writing
        release()
        responseNumber += 1
        if let stream = response.stream {
            if hasBody { begin(stream, isChunked: !isOld) } else { stream.close() }
        }
        flush()
    }

    /// Sends as much as the socket accepts.
    func flush() {
        switch output.flush(to: channel.descriptor, sentBytes: &sentBytes) {
        case .failed: close()
        case .sent:
            channel.stopAwaitingWritable()
            guard phase == .writing else { return }
            if stream == nil { responseSent() } else { requestPiece() }
        case .blocked:
            channel.awaitWritable { self.flush() }
            beginDelivery()
        }
    }

    /// Begins to limit the time of a response that the client has not received yet.
    func beginDelivery() {
        guard phase == .writing, delivery == nil else { return }
        let delivery = Transfer(loop.context.responsePace, bytes: acknowledgedBytes(), now: now)
        self.delivery = delivery
        deadline = delivery.deadline
        count(until: delivery.deadline)
    }

    /// Starts another window for a response if the client has received enough of it.
    func checkDelivery(_ now: ContinuousClock.Instant) {
        guard phase == .writing, delivery?.advance(to: acknowledgedBytes(), now: now) == true, let delivery else {
            return
        }
        deadline = delivery.deadline
        loop.context.unsentBudget.renew(ObjectIdentifier(self), deadline: delivery.deadline)
    }

    /// Removes the current response from the unsent budget.
    func stopCounting() {
        guard delivery != nil else { return }
        delivery = nil
        loop.context.unsentBudget.remove(ObjectIdentifier(self))
    }

    private func count(until deadline: ContinuousClock.Instant) {
        let number = responseNumber
        let segments = output.segments
        loop.context.unsentBudget.add(ObjectIdentifier(self), segments: segments, deadline: deadline) { [weak self] in
            guard let self else { return }
            loop.queue.async {
                guard self.phase == .writing, self.responseNumber == number else { return }
                self.cutOff("unsent responses exceed the memory limit")
            }
        }
    }

    /// Bytes of all responses that have reached the client's host; over a Unix socket, the client itself.
    private func acknowledgedBytes() -> Int { sentBytes - channel.unacknowledgedBytes() }

    /// During shutdown, a connection closes after the last request it has received.
    private func isLastRequest() -> Bool {
        if hasEnded { return input.isEmpty }
        return loop.isDraining && !hasMoreRequests()
    }

    private func responseSent() {
        endBody(isComplete: false)
        head = nil
        stopCounting()
        guard !closesAfterResponse else { return linger() }
        phase = .reading
        stage = .idle
        deadline = now.later(by: configuration.idleTimeout)
        if !hasEnded { channel.resumeReading() }
        advance()
    }

    /// Closes in two steps: closing a socket with unread bytes sends a reset, which may destroy the response before
    /// the client has read it (RFC 9112 §9.6).
    private func linger() {
        guard !hasEnded else { return close() }
        hr_finish_sending(channel.descriptor)
        phase = .lingering
        input.removeAll()
        // The received part of a refused body is dropped.
        parser = RequestParser(limits: configuration)
        discardedBytes = 0
        deadline = now.later(by: configuration.lingerTimeout)
        channel.resumeReading()
    }
}

extension ServerResponse {
    fileprivate var wantsClose: Bool {
        headers[values: .connection].contains { $0.listElements.contains { $0.lowercased() == "close" } }
    }
}
