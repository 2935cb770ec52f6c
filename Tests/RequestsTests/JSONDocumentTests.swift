import Requests
import Testing

struct JSONDocumentTests {
    @Test func `numbers that JSON does not support become strings`() {
        let numbers = ["a": Double.nan, "b": .infinity, "c": -.infinity, "d": 1.5]
        let text = String(decoding: JSONDocument.bytes(of: numbers), as: UTF8.self)
        #expect(text == "{\"a\":\"nan\",\"b\":\"infinity\",\"c\":\"-infinity\",\"d\":1.5}\n")
    }

    @Test func `a value that cannot be encoded becomes null`() {
        struct Failing: Encodable {
            struct Failure: Error {}

            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        #expect(JSONDocument.bytes(of: Failing()) == Array("null\n".utf8))
    }
}
