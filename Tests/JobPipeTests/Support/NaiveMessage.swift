import Foundation

/// A message according to docs/work.md, written and read without the code under test.
struct NaiveMessage: Equatable {
    var header: String
    var body: [UInt8] = []

    var bytes: [UInt8] {
        let header = Array(header.utf8)
        return Self.number(header.count) + Self.number(body.count) + header + body
    }

    static func number(_ value: Int) -> [UInt8] {
        [value / 16_777_216, value / 65_536 % 256, value / 256 % 256, value % 256].map { UInt8($0) }
    }

    /// All messages in a stream; nil if it ends inside a message.
    static func all(in stream: [UInt8]) -> [NaiveMessage]? {
        var messages: [NaiveMessage] = []
        var rest = stream[...]
        while !rest.isEmpty {
            guard rest.count >= 8 else { return nil }
            let lengths = [rest.prefix(4), rest.dropFirst(4).prefix(4)].map { part in
                part.enumerated().reduce(0) { $0 + Int($1.element) * [16_777_216, 65_536, 256, 1][$1.offset] }
            }
            rest = rest.dropFirst(8)
            guard rest.count >= lengths[0] + lengths[1] else { return nil }
            let header = String(decoding: rest.prefix(lengths[0]), as: UTF8.self)
            messages.append(NaiveMessage(header: header, body: Array(rest.dropFirst(lengths[0]).prefix(lengths[1]))))
            rest = rest.dropFirst(lengths[0] + lengths[1])
        }
        return messages
    }
}

/// A response as a client parses it.
struct NaiveResponse: Decodable {
    struct Problem: Decodable {
        var type: String
        var detail: String
    }

    var id: String?
    var status: Int
    var headers: [String: String]

    /// The response in a message.
    init(_ message: NaiveMessage) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(message.header.utf8))
    }
}
