import Foundation
import Logging
import Synchronization
import Telemetry
import Testing

@Suite struct LogLineTests {
    private static let time = LogTime(seconds: 1_772_352_930, nanoseconds: 250_999_999)

    private func text(
        _ format: LogFormat,
        message: String = "request",
        _ pairs: KeyValuePairs<String, Logger.MetadataValue> = [:]
    ) -> String {
        let line = LogLine(
            time: Self.time,
            level: .info,
            label: "headroom",
            message: message,
            pairs: pairs.map { ($0.key, LogValue($0.value)) }
        )
        return String(decoding: line.bytes(format), as: UTF8.self)
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func `a text line contains the level, the message and the fields`() {
        let line = text(.text, ["status": .stringConvertible(200), "peer": "[::1]:5", "reason": "a b", "none": ""])
        #expect(
            line == """
                2026-03-01T08:15:30.250Z info headroom: request status=200 peer=[::1]:5 reason="a b" none=""

                """
        )
    }

    @Test func `JSON contains numbers as numbers`() throws {
        let line = text(
            .json,
            ["status": .stringConvertible(200), "total_ms": .stringConvertible(1.25), "peer": "unix", "digits": "12"]
        )
        #expect(
            line == #"""
                {"time":"2026-03-01T08:15:30.250Z","level":"info","logger":"headroom","message":"request",\#
                "status":200,"total_ms":1.25,"peer":"unix","digits":"12"}

                """#
        )
        #expect(try object(line).count == 8)
    }

    @Test(arguments: [
        ("a\nb", #"a\nb"#), ("a\r\nb", #"a\r\nb"#), ("\u{1B}[2Ja", #"\u001b[2Ja"#), ("a\u{0}b", #"a\u0000b"#),
        ("\u{7F}", #"\u007f"#), ("\u{9B}31m", #"\u009b31m"#), ("\u{2028}", #"\u2028"#),
        ("\u{202E}txt", #"\u202etxt"#), (#"a"b"#, #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\tb", #"a\tb"#),
        ("\u{E0001}", #"\udb40\udc01"#), ("Zoë 🙂", "Zoë 🙂"),
        (String(decoding: [0x61, 0xFF, 0xC3], as: UTF8.self), "a\u{FFFD}\u{FFFD}"),
    ])
    func `no value can end the line or control a terminal`(value: String, escaped: String) throws {
        for format in LogFormat.allCases {
            let line = text(format, ["reason": "\(value)"])
            #expect(line.unicodeScalars.count { $0 == "\n" } == 1 && line.hasSuffix("\n"))
            #expect(line.contains("\"\(escaped)\""), "\(line)")
        }
        #expect(try object(text(.json, ["reason": "\(value)"]))["reason"] as? String == value)
    }

    @Test func `a value cannot forge another field or line`() throws {
        let forged = "x status=200\n2026-03-01T08:15:30.250Z info headroom: request status=200"
        let line = text(.text, ["reason": "\(forged)"])
        #expect(line.split(separator: "\n").count == 1)
        #expect(line.contains(#" reason="x status=200\n2026"#))
        #expect(text(.text, ["reason": "a=b"]).hasSuffix(#" reason="a=b""# + "\n"))
        let json = text(.json, ["reason": #"","status":200,"x":""#, "level": "critical"])
        #expect(try object(json)["status"] == nil)
        #expect(try object(json)["level"] as? String == "info")
        #expect(try object(json)["_level"] as? String == "critical")
    }

    @Test func `names and messages are escaped`() throws {
        let line = text(.text, message: "a\nb", ["a b\n": "c"])
        #expect(line.hasSuffix(#": a\nb "a b\n"=c"# + "\n"))
        #expect(try object(text(.json, message: "a\n\"b", ["a\"b\n": "c"]))["a\"b\n"] as? String == "c")
    }

    @Test func `a value is truncated to its maximum length`() throws {
        for format in LogFormat.allCases {
            for letter in ["a", "é", "🙂"] {
                let value = String(repeating: letter, count: 100_000)
                let line = text(format, ["reason": "\(value)"])
                #expect(line.utf8.count < LogLine.maxValueBytes + 200)
                #expect(line.contains("…"))
            }
        }
    }

    @Test(arguments: ["é", "€", "🙂", "\u{301}"])
    func `a value is truncated at a character boundary`(letter: String) throws {
        let value = "x" + String(repeating: letter, count: 2048)
        let cut = try #require(object(text(.json, ["reason": "\(value)"]))["reason"] as? String)
        #expect(!cut.contains("\u{FFFD}"))
        #expect(value.unicodeScalars.starts(with: cut.unicodeScalars.dropLast()))
    }

    @Test func `a double that JSON cannot represent becomes text`() throws {
        let line = text(.json, ["total_ms": .stringConvertible(Double.nan), "ok": .stringConvertible(true)])
        #expect(try object(line)["total_ms"] as? String == "nan")
        #expect(try object(line)["ok"] as? Bool == true)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000Z"),
    ])
    func `times have the format of RFC 3339`(seconds: Int, text: String) {
        #expect(LogTime(seconds: seconds, nanoseconds: 0).description == text)
    }

    @Test func `a handler writes messages at or above its level, with metadata`() {
        let lines = Lines()
        var logger = Logger(label: "headroom") { LineLogHandler(label: $0, format: .text, write: lines.append) }
        logger[metadataKey: "pid"] = "7"
        logger.info("listening", metadata: ["b": "2", "a": "1"])
        logger.debug("never")
        logger.logLevel = .debug
        logger.debug("now", metadata: ["pid": "8"])
        #expect(
            lines.all.map { String($0.drop { $0 != " " }) } == [
                " info headroom: listening a=1 b=2 pid=7\n", " debug headroom: now pid=8\n",
            ]
        )
    }

    @Test func `dropped lines are reported in a log line`() throws {
        let line = LineLogHandler.dropReport(7, label: "headroom", .json)
        let fields = try object(String(decoding: line, as: UTF8.self))
        #expect(fields["level"] as? String == "warning")
        #expect(fields["lines"] as? Int == 7)
    }
}

/// Collects lines.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: [UInt8]) { lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
}
