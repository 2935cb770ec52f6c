import JobPipe
import Testing

@Suite struct MessageReaderTests {
    private static let messages = [
        NaiveMessage(header: "{}"), NaiveMessage(header: #"{"id":"a"}"#, body: [1, 2, 3]),
        NaiveMessage(header: "", body: [UInt8](repeating: 7, count: 300)), NaiveMessage(header: ""),
    ]

    /// The values that a reader returns until the end of the stream.
    private static func read(_ bytes: [UInt8], piece: Int) throws -> [NaiveMessage] {
        let stream = TestStream(bytes, piece: piece)
        let reader = MessageReader { stream.read(into: $0) }
        var messages: [NaiveMessage] = []
        while let (header, length) = try reader.header() {
            messages.append(.init(header: String(decoding: header, as: UTF8.self), body: try reader.body(length)))
        }
        return messages
    }

    @Test(arguments: [1, 2, 3, 7, 8, 9, 1000])
    func `messages can arrive in pieces of any length`(piece: Int) throws {
        #expect(try Self.read(Self.messages.flatMap(\.bytes), piece: piece) == Self.messages)
    }

    @Test func `a stream may end only between two messages`() throws {
        let bytes = Self.messages.flatMap(\.bytes)
        for count in 0...bytes.count {
            let part = Array(bytes.prefix(count))
            if let expected = NaiveMessage.all(in: part) {
                #expect(try Self.read(part, piece: 64) == expected)
            } else {
                #expect(throws: MessageReader.Failure.endsEarly) { try Self.read(part, piece: 64) }
            }
        }
    }

    @Test func `the maximum size of a header is 64 KiB`() throws {
        let longest = NaiveMessage(header: String(repeating: " ", count: PipeLimits.maxHeaderBytes))
        #expect(try Self.read(longest.bytes, piece: .max) == [longest])
        let bytes = NaiveMessage.number(PipeLimits.maxHeaderBytes + 1) + NaiveMessage.number(0)
        #expect(throws: MessageReader.Failure.headerTooLong(65_537)) { try Self.read(bytes, piece: .max) }
        #expect(throws: MessageReader.Failure.headerTooLong(4_294_967_295)) {
            try Self.read([UInt8](repeating: 255, count: 8), piece: .max)
        }
    }

    @Test func `a body can be skipped`() throws {
        let stream = TestStream(Self.messages.flatMap(\.bytes), piece: 64)
        let reader = MessageReader { stream.read(into: $0) }
        var lengths: [Int] = []
        while let (_, length) = try reader.header() {
            lengths.append(length)
            try reader.skip(length)
        }
        #expect(lengths == [0, 3, 300, 0])
        let cut = TestStream([1, 2], piece: 64)
        #expect(throws: MessageReader.Failure.endsEarly) { try MessageReader { cut.read(into: $0) }.skip(3) }
    }

    @Test func `messages are written as they are read`() throws {
        let message = Message(["id": "a"], body: [1, 2])
        let expected = NaiveMessage(header: "{\"id\":\"a\"}\n", body: [1, 2])
        #expect(message.head + message.body == expected.bytes)
    }
}
