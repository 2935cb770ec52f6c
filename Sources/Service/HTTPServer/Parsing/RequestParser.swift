import HTTPTypes

/// Parses the bytes of a connection into requests (RFC 9112).
///
/// Bytes may arrive in pieces of any size and may contain several requests. The parser must not be used after an error.
struct RequestParser {
    enum Event {
        /// More bytes are needed.
        case incomplete
        /// A header section is complete; its body, if any, comes next.
        case head(RequestHead)
        /// The body of the last head.
        case body([UInt8])
    }

    /// The parsing stage of the current request.
    enum Stage { case idle, head, body }

    /// Maximum capacity, in bytes, that is reserved for a declared body in advance, because the body may never arrive.
    private static let maxReservedBytes = 256 * 1024

    private enum State {
        case head
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private let limits: ServerConfiguration
    private var state = State.head
    private var head: HeadParser
    private var body: [UInt8] = []
    private var skipsBody = false

    init(limits: ServerConfiguration) {
        self.limits = limits
        head = HeadParser(limits: limits)
    }

    /// Returns the stage.
    ///
    /// Takes into account bytes that have arrived but have not been parsed.
    func stage(_ input: borrowing InputBuffer) -> Stage {
        guard case .head = state else { return .body }
        return head.hasBegun || !input.isEmpty ? .head : .idle
    }

    /// The method of a request whose head is not complete.
    var method: HTTPRequest.Method? { head.method }

    /// Skips the body of the last head.
    ///
    /// The length of the body must be declared; the body event is then empty.
    mutating func skipBody() { skipsBody = true }

    /// Removes and returns the bytes of the body that have been parsed so far.
    ///
    /// The body event does not contain them.
    mutating func takeBody() -> [UInt8] {
        defer { body = [] }
        return body
    }

    mutating func next(_ input: inout InputBuffer) throws(RequestError) -> Event {
        switch state {
        case .head:
            guard let head = try head.next(&input) else { return .incomplete }
            switch head.framing {
            case .none: state = .length(remaining: 0)
            case .chunked: state = .chunked(ChunkedDecoder(limits: limits))
            case .length(let length): state = .length(remaining: length)
            }
            return .head(head)

        case .length(let remaining) where skipsBody:
            let skipped = min(remaining, input.count)
            input.consume(skipped)
            guard skipped == remaining else {
                state = .length(remaining: remaining - skipped)
                return .incomplete
            }
            return finishBody()

        case .length(let remaining):
            if body.isEmpty { body.reserveCapacity(min(remaining, Self.maxReservedBytes)) }
            if input.count > body.capacity - body.count {
                // Enough bytes of the body have arrived, so its exact size is allocated instead of the next power of
                // two.
                body.reserveCapacity(body.count + remaining)
            }
            let taken = input.move(upTo: remaining, to: &body)
            guard taken == remaining else {
                state = .length(remaining: remaining - taken)
                return .incomplete
            }
            return finishBody()

        case .chunked(var decoder):
            // The decoder is moved out and back to avoid copying its state.
            let isComplete = try decoder.decode(&input, into: &body)
            guard isComplete else {
                state = .chunked(decoder)
                return .incomplete
            }
            return finishBody()
        }
    }

    private mutating func finishBody() -> Event {
        state = .head
        skipsBody = false
        defer { body = [] }
        return .body(body)
    }
}
