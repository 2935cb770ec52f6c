import HTTPTypes

/// Bodies that are produced while they are sent, and bodies that are passed on while they arrive.
extension Connection {
    /// Bytes that a client may have to acknowledge when the next piece is requested: more would be older pieces.
    private static let mostUnacknowledged = 64 * 1024
    /// The same in pieces, for small ones.
    private static let mostUnacknowledgedPieces = 4

    /// Begins the body of the response that was queued.
    func begin(_ stream: ResponseStream, isChunked: Bool) {
        self.stream = stream
        self.isChunked = isChunked
        // A client that connects during shutdown gets the end at once.
        if loop.isDraining { stream.finish() }
    }

    /// Requests the next piece, if the client has received the previous ones; called when all of them were sent.
    func requestPiece() {
        guard let stream, pieceTask == nil else { return }
        let most = min(Self.mostUnacknowledged, Self.mostUnacknowledgedPieces * max(1, pieceBytes))
        guard channel.unacknowledgedBytes() <= most else {
            awaitsAcknowledgement = true
            beginDelivery()
            return
        }
        awaitsAcknowledgement = false
        stopCounting()
        // The stream has time limits of its own.
        deadline = nil
        pieceTask = Task.detached(executorPreference: loop) {
            // Resumes on the loop's queue.
            self.received(await stream.next())
        }
    }

    private func received(_ piece: [UInt8]?) {
        guard phase == .writing else { return }
        pieceTask = nil
        if let piece {
            pieceBytes = piece.count
            output.append(isChunked ? Self.chunk(piece) : piece)
        } else {
            if isChunked { output.append(Array("0\r\n\r\n".utf8)) }
            endStream()
        }
        flush()
    }

    /// Ends the stream of the response, if there is one.
    func endStream() {
        pieceTask?.cancel()
        pieceTask = nil
        awaitsAcknowledgement = false
        stream?.close()
        stream = nil
    }

    /// Passes the body that has arrived to its receiver.
    func passBody() {
        while let receiver {
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

    /// Ends the body that is passed on, if there is one.
    func endBody(isComplete: Bool) {
        receiver?.end(isComplete: isComplete)
        receiver = nil
    }

    private static func chunk(_ piece: [UInt8]) -> [UInt8] {
        Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [0x0D, 0x0A]
    }
}
