import Foundation
import TestHTTP
import TestPacing
import Testing

/// Tests the longest accepted head, body, form, query and path, filled with text that makes Unicode operations slow.
@Suite("Hostile text", .limitedConcurrency)
struct HostileTextTests {
    /// A part of a request that contains text from the client.
    struct Place: CustomTestStringConvertible, Sendable {
        let name: String
        /// The maximum number of bytes of this text.
        let maximum: Int
        /// Method, target, fields and body with the text.
        let request: @Sendable (HostileText, Int) -> (String, String, [(String, String)], [UInt8])

        var testDescription: String { name }

        static func field(_ field: String, _ start: String = "", _ end: String = "", method: String = "GET") -> Place {
            Place(name: field + method, maximum: 16_000 - start.utf8.count - end.utf8.count) { kind, count in
                (method, "/frame?url=x:", [(field, start + kind.text(count) + end)], [])
            }
        }

        static func target(_ start: String, _ end: String = "") -> Place {
            Place(name: start, maximum: 8000) { kind, count in
                ("GET", "\(start)\(kind.encoded(count))\(end)", [], [])
            }
        }

        static func body(
            _ name: String,
            _ type: String,
            _ maximum: Int,
            _ body: @escaping @Sendable (String) -> String
        ) -> Place {
            Place(name: name, maximum: maximum) { kind, count in
                ("POST", "/frame", [("Content-Type", type)], Array(body(kind.text(count)).utf8))
            }
        }

        static func form(
            _ name: String,
            _ parts: Int,
            _ maximum: Int,
            _ head: @escaping @Sendable (String) -> String
        ) -> Place {
            body(name, "multipart/form-data; boundary=b", maximum) { text in
                (0..<parts).map { _ in "--b\r\n\(head(text))\r\n" }.joined() + "--b--\r\n"
            }
        }
    }

    private static let fields: [Place] = [
        "Accept", "Via", "Authorization", "Origin", "If-None-Match", "X-Request-Id", "traceparent", "Save-Data",
        "Sec-CH-Width", "DPR", "Cookie", "X-Forwarded-For", "User-Agent", "X",
    ].map { .field($0) }

    private static let places: [Place] =
        fields + [
            .field("Accept", "application/json;q=0.5, image/", ";q=0.1, */*"), .field("Via", "1.1 ", ", 1.1 other"),
            .field("Authorization", "Bearer "), .field("Via", method: "POST"), .field("Content-Type", method: "POST"),
            .field("Content-Type", "multipart/form-data; boundary=", method: "POST"),
            .target("/"), .target("/preset/"), .target("/faces/"), .target("/frame?"),
            .target("/frame?url=http://127.0.0.1/"),
            .target("/frame?url="), .target("/frame?url=http://"), .target("/frame?url=s3://"),
            .target("/frame?backdropUrl=http://127.0.0.1/"), .target("/frame?width="),
            .target("/frame?width=auto&dpr="),
            .target("/frame?preset="), .target("/frame?preset=a&"), .target("/frame?gravity="),
            .target("/frame?aspect="),
            .target("/frame?filter="), .target("/frame?overlay="), .target("/frame?background="),
            .target("/frame?redact=blur&redactFaces="), .target("/frame?focus="), .target("/frame?format="),
            .target("/frame?url=http://127.0.0.1/&v="), .target("/frame?url=http://127.0.0.1/&download="),
            .target("/frame?signature="),
            .target("/stream?url="), .target("/faces?"),
            .target("/thumbor/unsafe/"), .target("/thumbor/unsafe/filters:format(", ")/http://127.0.0.1/a.jpg"),
            .target("/thumbor/unsafe/filters:attachment(", ")/http://127.0.0.1/a.jpg"), .target("/thumbor/", "/a.jpg"),
            .target("/imgproxy/x/plain/"), .target("/imgproxy/x/rs:", "/plain/http://127.0.0.1/a.jpg"),
            .target("/imgproxy/x/att:1/fn:", "/plain/http://127.0.0.1/a.jpg"),
            .target("/imgix/http%3A%2F%2F127.0.0.1%2Fa.jpg?"),
            .target("/imgix/http%3A%2F%2F127.0.0.1%2Fa.jpg?dl="), .target("/imgix/http%3A%2F%2F127.0.0.1%2Fa.jpg?fit="),
            .target("/imgix/"), .target("/cloudinary/image/fetch/c_fill,g_", "/http://127.0.0.1/a.jpg"),
            .target("/cloudinary/image/fetch/fl_attachment:", "/http://127.0.0.1/a.jpg"),
            .target("/cloudinary/image/fetch/"),
            .target("/cloudinary/image/upload/"), .target("/cdn-cgi/image/fit=", "/http://127.0.0.1/a.jpg"),
            .target("/cdn-cgi/image/", "=1/http://127.0.0.1/a.jpg"), .target("/cdn-cgi/image/width=1/"),
            .target("/weserv/?url=http://127.0.0.1/"), .target("/weserv/?url="), .target("/weserv/?url=127.0.0.1&bg="),
            .target("/weserv/?url=127.0.0.1&filename="), .target("/weserv/?"),
            .target("/imagekit/tr:", "/http://127.0.0.1/a.jpg"),
            .target("/imagekit/http://127.0.0.1/a.jpg?tr="), .target("/imagekit/"),
            .body("name of a member", "application/json", 65_000) { "{\"\($0)\": 1}" },
            .body("value of a member", "application/json", 65_000) { "{\"url\": \"\($0)\"}" },
            .body("no member", "application/json", 65_000) { "{\"\($0)" },
            .body("members", "application/json", 900) { text in
                "{" + (0..<64).map { "\"\(text)\($0)\": \"\(text)\"" }.joined(separator: ", ") + "}"
            },
            .body("text", "text/plain", 65_000) { "{\"\($0)\": 1}" },
            .form("name of a field", 1, 4000) { "Content-Disposition: form-data; name=\"\($0)\"\r\n\r\nx" },
            .form("names of fields", 64, 4000) { "Content-Disposition: form-data; name=\"\($0)\"\r\n\r\nx" },
            .form("file name", 1, 4000) { "Content-Disposition: form-data; name=image; filename=\"\($0)\"\r\n\r\nx" },
            .form("name of a header field", 1, 4000) { "\($0): form-data; name=\"url\"\r\n\r\nx" },
            .form("value of a field", 1, 65_000) { "Content-Disposition: form-data; name=url\r\n\r\n\($0)" },
            .form("values of fields", 64, 8000) { "Content-Disposition: form-data; name=width\r\n\r\n\($0)" },
            .form("values of unknown fields", 64, 8000) { "Content-Disposition: form-data; name=widht\r\n\r\n\($0)" },
        ]

    private static let options = [
        "--port", "0", "--workers", "1", "--url-formats",
        "thumbor,imgproxy,imgix,cloudinary,cloudflare,weserv,imagekit",
        "--cloudinary-origin", "http://127.0.0.1:9/", "--cors-origins", "https://a.example,https://b.example",
    ]

    /// The processor time of all threads of a process, including finished threads, in nanoseconds.
    private static func processorTime(of process: Int32) throws -> Int {
        var clock = clockid_t()
        var time = timespec()
        try #require(clock_getcpuclockid(process, &clock) == 0 && clock_gettime(clock, &time) == 0)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Each request gets a response without a failure of the service, and uses processor time in proportion to its
    /// length.
    ///
    /// The test measures the processor time of the service's process, because other tests share the processors. It does
    /// not compare with a limit in seconds, because a debug build with sanitizers is much slower than a release build.
    /// Instead, twice the length may take three times as long, while quadratic work would take four times as long. The
    /// constant covers work that does not depend on the text.
    @Test(arguments: HostileText.allCases)
    func `processor time is proportional to the length of the text, in every part of a request`(
        kind: HostileText
    ) async throws {
        let service = try await RunningService(Self.options, in: Folder())
        for place in Self.places {
            var times: [Int] = []
            // The first round is slower and is not measured.
            for (count, rounds) in [(place.maximum, 1), (place.maximum / 2, 4), (place.maximum, 4)] {
                let (method, target, fields, body) = place.request(kind, count)
                let start = try Self.processorTime(of: try service.processID)
                for _ in 0..<rounds {
                    let client = try TestClient(port: service.port)
                    try await client.send(method, target, headers: fields + [("Connection", "close")], body: body)
                    let reply = try await client.reply()
                    #expect(reply.status < 500 || [501, 502].contains(reply.status), "\(place.name): \(reply.status)")
                    #expect(reply.body.count < 100_000, "\(place.name)")
                }
                times.append(try Self.processorTime(of: try service.processID) - start)
            }
            #expect(times[2] <= 3 * times[1] + 30_000_000, "\(place.name): \(times)")
        }
    }
}
