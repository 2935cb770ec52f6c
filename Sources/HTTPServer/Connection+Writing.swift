import CLinux
import HTTPTypes

extension Connection {
    /// Sends an answer, and then goes on with the next request or closes.
    func answer(_ response: ServerResponse) {
        let closes = closesAfterAnswer || response.wantsClose || isLastRequest()
        // Looking for more requests may have found the client gone.
        guard phase != .closed else { return }
        closesAfterAnswer = closes
        let method = head?.line.method ?? parser.method
        let isOld = head?.line.minorVersion == 0
        let bytes = ResponseHead.serialize(
            response,
            to: method,
            persistence: closes ? .close : isOld ? .announced : .byDefault,
            date: loop.date.now()
        )
        let hasBody = ResponseHead.allowsBody(response.status, to: method)
        output.append(head: bytes, body: hasBody ? response.body : [])
        phase = .writing
        _ = hold(0)
        transfer = Transfer()
        flush()
    }

    /// Sends as much as the socket takes.
    func flush() {
        switch output.flush(to: channel.descriptor, sentBytes: &transfer.bytes) {
        case .failed: close()
        case .sent:
            channel.stopAwaitingWritable()
            if phase == .writing { answered() }
        case .blocked:
            channel.awaitWritable { self.flush() }
            guard phase == .writing else { return }
            deadline = transfer.deadline(
                timeout: configuration.writeTimeout,
                bytesPerSecond: configuration.minBytesPerSecond
            )
        }
    }

    /// While the server shuts down, a connection ends with the last request that has reached it.
    private func isLastRequest() -> Bool {
        if hasEnded { return input.isEmpty }
        return loop.isDraining && !hasMoreRequests()
    }

    private func answered() {
        head = nil
        guard !closesAfterAnswer else { return linger() }
        phase = .reading
        stage = .idle
        deadline = .now + configuration.idleTimeout
        if !hasEnded { channel.resumeReading() }
        advance()
    }

    /// Closes in two steps: a socket closed with unread bytes sends a reset, which may destroy the answer before the
    /// client has read it (RFC 9112 §9.6).
    private func linger() {
        guard !hasEnded else { return close() }
        hr_finish_sending(channel.descriptor)
        phase = .lingering
        input.removeAll()
        // What there was of a refused body goes with it.
        parser = RequestParser(limits: configuration)
        transfer = Transfer()
        deadline = .now + configuration.lingerTimeout
        channel.resumeReading()
    }
}

extension ServerResponse {
    fileprivate var wantsClose: Bool {
        headers[values: .connection].contains { value in
            value.split(separator: ",").contains { option in
                option.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }.lowercased() == "close"
            }
        }
    }
}
