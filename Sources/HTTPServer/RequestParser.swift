import HTTPTypes

/// Cuts the bytes of a connection into requests (RFC 9112).
///
/// The bytes may arrive in pieces of any size, or many requests at once. After an error the parser is of no more use.
struct RequestParser {
    enum Event {
        /// More bytes are needed.
        case incomplete
        /// A header section is complete; its body, if any, comes next.
        case head(RequestHead)
        /// The body that belongs to the last head.
        case body([UInt8])
    }

    /// How far the current request has come.
    enum Stage { case idle, head, body }

    /// How much is reserved for a declared body before any of it has come, as it may never come.
    private static let maxReservedBytes = 256 * 1024

    private enum State {
        case head
        case length(remaining: Int)
        case chunked(ChunkedDecoder)
    }

    private let limits: HTTPServer.Configuration
    private var state = State.head
    private var head: HeadParser
    private var body: [UInt8] = []
    private var skipsBody = false

    init(limits: HTTPServer.Configuration) {
        self.limits = limits
        head = HeadParser(limits: limits)
    }

    /// The stage, given what has arrived and is not parsed yet.
    func stage(_ input: borrowing InputBuffer) -> Stage {
        guard case .head = state else { return .body }
        return head.hasBegun || !input.isEmpty ? .head : .idle
    }

    /// The method of a request whose head is still incomplete.
    var method: HTTPRequest.Method? { head.method }

    /// Lets the body of the last head, whose length is declared, go by: it will be empty.
    mutating func skipBody() { skipsBody = true }

    /// Parses as far as the next event.
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
                // The client is serious: from here on the body takes its size, and not the next power of two.
                body.reserveCapacity(body.count + remaining)
            }
            let taken = input.move(upTo: remaining, to: &body)
            guard taken == remaining else {
                state = .length(remaining: remaining - taken)
                return .incomplete
            }
            return finishBody()

        case .chunked(var decoder):
            // The decoder is moved out and back, so that it is not copied with its state.
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
