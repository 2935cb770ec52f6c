import BinaryCoding
import Testing

/// Values of every kind that jobs, results and records contain.
@Suite struct BinaryCoderTests {
    private struct Point: Codable, Hashable, Sendable {
        var x: Int32
        var y: Int32?
    }

    private enum Shape: Codable, Hashable, Sendable {
        case none
        case circle(Double)
        case polygon(points: [Point], isClosed: Bool)
        indirect case group([Shape], name: String?)
    }

    private enum Word: String, Codable, CaseIterable, Sendable { case first, second }

    /// The value after encoding and decoding.
    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try BinaryCoder.value(Value.self, from: try BinaryCoder.bytes(of: value))
    }

    @Test func `integers are preserved at both ends of their range`() throws {
        func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
            for number in [Number.min, 0, 1, .max] { #expect(try again(number) == number, "\(type)") }
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
    }

    @Test(arguments: [
        0, -0.0, 0.1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
        Double(nan: 7, signaling: false),
    ])
    func `floating-point numbers keep every bit, including values that JSON does not support`(number: Double) throws {
        #expect(try again(number).bitPattern == number.bitPattern)
        #expect(try again(Float(number)).bitPattern == Float(number).bitPattern)
    }

    @Test(arguments: ["", "a", "e\u{301}", "é", "🙂", "a\0b", String(repeating: "long ", count: 10_000)])
    func `text keeps its bytes`(text: String) throws {
        #expect(try again(text).utf8.elementsEqual(text.utf8))
    }

    @Test func `Booleans and enumerations with raw values are preserved`() throws {
        #expect(try again([true, false]) == [true, false])
        #expect(try again(Word.allCases) == Word.allCases)
    }

    @Test func `optionals are distinct from their contents at every depth`() throws {
        #expect(try again([Int?.none, 0, nil, 1]) == [nil, 0, nil, 1])
        #expect(try again([Point(x: 1), Point(x: 2, y: 3)]) == [Point(x: 1), Point(x: 2, y: 3)])
        for value in [Int??.none, .some(.none), .some(.some(0))] { #expect(try again([value]) == [value]) }
    }

    @Test(
        arguments: [
            [], [[]], [[], []], [[1]], [[1, 2, 3], [], [4]],
        ] as [[[Int16]]]
    )
    func `arrays keep their nesting`(value: [[Int16]]) throws {
        #expect(try again(value) == value)
    }

    @Test func `enumeration cases keep their name and their associated values`() throws {
        let shapes: [Shape] = [
            .none, .circle(0.5), .polygon(points: [], isClosed: false),
            .polygon(points: [Point(x: 1, y: 2), Point(x: .min)], isClosed: true),
            .group([], name: nil), .group([.group([.circle(1)], name: "inner"), .none], name: "outer"),
        ]
        for shape in shapes { #expect(try again(shape) == shape) }
        #expect(try again(shapes) == shapes)
    }

    @Test func `a nil member does not take the value of a later member with the same name`() throws {
        struct Outer: Codable, Hashable {
            var inner: Point
            var y: Int32?
        }
        for outer in [
            Outer(inner: Point(x: 1), y: 2), Outer(inner: Point(x: 1, y: 2)), Outer(inner: Point(x: 1)),
            Outer(inner: Point(x: 1, y: 2), y: 3),
        ] {
            #expect(try again(outer) == outer)
        }
    }

    @Test func `equal values have equal bytes, with two extra bytes for each member`() throws {
        let bytes = try BinaryCoder.bytes(of: Point(x: 1, y: 2))
        #expect(try BinaryCoder.bytes(of: Point(x: 1, y: 2)) == bytes)
        #expect(bytes.count == 2 + 4 + 2 + 4)
        #expect(try BinaryCoder.bytes(of: Point(x: 1)) == Array(bytes.prefix(6)))
    }

    @Test func `the error of a type's own encoding is passed on`() {
        struct Failure: Error {}
        struct Failing: Encodable {
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        #expect(throws: Failure.self) { try BinaryCoder.bytes(of: [Failing()]) }
    }
}
