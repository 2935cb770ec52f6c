import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct CanonicalRequestTests {
    private func message(_ method: HTTPRequest.Method, _ target: String) throws -> String {
        let sides = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pairs = try QueryString.pairs(sides.count > 1 ? sides[1] : nil)
        return String(decoding: CanonicalRequest(method, path: sides[0], pairs: pairs).message, as: UTF8.self)
    }

    @Test(arguments: [
        ("/frame?width=400&aspect=1:1", "GET /frame?aspect=1%3A1&width=400"),
        ("/frame?aspect=1%3a1&&width=400&", "GET /frame?aspect=1%3A1&width=400"),
        ("/frame?%61spect=1%3A1&width=%34%30%30", "GET /frame?aspect=1%3A1&width=400"),
        ("/faces", "GET /faces?"), ("/faces?", "GET /faces?"), ("/faces?a", "GET /faces?a="),
        ("/faces?=", "GET /faces?="), ("/faces?a=b=c", "GET /faces?a=b%3Dc"),
        ("/faces?url=a+b%20c%2B", "GET /faces?url=a%20b%20c%2B"),
        ("/faces?url=é", "GET /faces?url=%C3%A9"), ("/faces?url=%c3%a9", "GET /faces?url=%C3%A9"),
        // The same meaning, written with different bytes.
        ("/faces?url=e%CC%81", "GET /faces?url=e%CC%81"),
        ("/faces?url=-._~!*'()", "GET /faces?url=-._~%21%2A%27%28%29"),
        ("/faces?b=2&a=2&b=1&A=3&~=4&a-=5", "GET /faces?A=3&a=2&a-=5&b=1&b=2&~=4"),
        ("/faces/1?url=x", "GET /faces/1?url=x"), ("/%66aces?url=x", "GET /%66aces?url=x"),
    ])
    func `equivalent requests have the same message`(target: String, expected: String) throws {
        #expect(try message(.get, target) == expected)
        #expect(try message(.head, target) == expected)
        #expect(try message(.post, target) == "POST" + expected.dropFirst(3))
    }

    @Test func `one parameter and two parameters never have the same message`() throws {
        let messages = try [
            "/frame?a=1&b=2", "/frame?a=1%26b%3D2", "/frame?a%3D1&b=2", "/frame?a=&1b=2",
            "/frame?a=1b=2", "/frame?a=1%00&b=2", "/frame?a=1%20&b=2", "/frame?a=1&b=2&c", "/frame?b=1&a=2",
        ].map { try message(.get, $0) }
        #expect(Set(messages).count == messages.count)
    }
}
