import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct QueryStringTests {
    @Test(arguments: [
        ("", []),
        ("a=b", ["a", "b"]),
        ("a=b&c=d", ["a", "b", "c", "d"]),
        ("&&a=b&", ["a", "b"]),
        ("a", ["a", ""]),
        ("a=", ["a", ""]),
        ("=b", ["", "b"]),
        ("a=b=c", ["a", "b=c"]),
        ("a=1+2", ["a", "1 2"]),
        ("a=1%2B2", ["a", "1+2"]),
        ("a=%26%3D%C3%A9", ["a", "&=é"]),
        ("%61spect=16%3A9", ["aspect", "16:9"]),
        ("a=1&a=2", ["a", "1", "a", "2"]),
        ("a=%00", ["a", "\0"]),
    ])
    func `pairs are decoded in order`(query: String, expected: [String]) throws {
        #expect(try QueryString.pairs(query).flatMap { [$0.name, $0.value] } == expected)
    }

    @Test func `an empty or missing query has no pairs`() throws {
        #expect(try QueryString.pairs(nil).isEmpty)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%zz", "a=%FF", "%C3=b", "a=%ED%A0%80"])
    func `text that is not percent-encoded UTF-8 is rejected`(query: String) throws {
        let errors = try #require(throws: ParameterErrors.self) { try QueryString.pairs(query) }
        #expect(errors.all.map(\.expected) == ["percent-encoded UTF-8"])
    }

    @Test(arguments: ["%C3%A9=b", "a=b&e%CC%81=b", String(repeating: "a", count: 65) + "=b"])
    func `a name that is too long or not ASCII is rejected`(query: String) throws {
        let errors = try #require(throws: ParameterErrors.self) { try QueryString.pairs(query) }
        #expect(errors.all.map(\.expected) == ["a name of at most 64 ASCII characters"])
    }

    @Test func `the number of pairs is limited`() throws {
        let maximum = Array(repeating: "a=b", count: QueryString.maxPairs)
        #expect(try QueryString.pairs(maximum.joined(separator: "&")).count == QueryString.maxPairs)
        #expect(throws: ParameterErrors.self) { try QueryString.pairs((maximum + ["a=b"]).joined(separator: "&")) }
    }
}
