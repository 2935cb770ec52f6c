package import HTTPTypes
import Synchronization

/// An ``OriginServer`` that responds to requests with scripted responses and records them.
package final class TestOrigin: Sendable {
    /// A received request.
    package struct Request: Sendable {
        package let method: String
        /// The path, without the query.
        package let path: String
        /// The query; empty if there is none.
        package let query: String
        package let headers: HTTPFields
        package fileprivate(set) var body: [UInt8] = []
    }

    /// A response to a request; the origin adds the length.
    package struct Response: Sendable {
        package var status: HTTPResponse.Status
        package var headers: HTTPFields
        package var body: [UInt8]

        package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// An image with a generic media type.
        package static func file(_ bytes: [UInt8]) -> Response {
            Response(status: .ok, headers: [.contentType: "application/octet-stream"], body: bytes)
        }

        fileprivate var bytes: [UInt8] {
            var head = "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n"
            for field in headers { head += "\(field.name.rawName): \(field.value)\r\n" }
            if status != .notModified { head += "Content-Length: \(body.count)\r\n" }
            return Array("\(head)\r\n".utf8) + body
        }
    }

    private let recorded = Mutex<[Request]>([])
    private let response: Mutex<@Sendable (Request) -> Response>
    private let onSilence: @Sendable () -> Void

    /// An origin that calls a function for each request.
    package init(
        onSilence: @escaping @Sendable () -> Void = {},
        _ response: @escaping @Sendable (Request) -> Response
    ) {
        self.onSilence = onSilence
        self.response = Mutex(response)
    }

    /// The requests received so far.
    package var requests: [Request] { recorded.withLock { $0 } }

    /// Replaces the function.
    package func change(_ response: @escaping @Sendable (Request) -> Response) {
        self.response.withLock { $0 = response }
    }

    /// Runs an origin while `body` runs with the origin's address, which has no trailing slash.
    ///
    /// - Parameters:
    ///   - responses: The responses by path; other paths get 404.
    ///   - onSilence: Called for each request of `/silence`, which gets no response.
    ///   - body: The function that runs while the origin is running.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or of the system if no port is free.
    package static func running<Result: Sendable>(
        _ responses: [String: Response],
        onSilence: @escaping @Sendable () -> Void = {},
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        try await TestOrigin(onSilence: onSilence) { responses[$0.path] ?? Response(status: .notFound) }.running(body)
    }

    /// Runs while `body` runs with the origin's address, which has no trailing slash.
    package func running<Result: Sendable>(_ body: (String) async throws -> Result) async throws -> Result {
        let server = try OriginServer { connection in
            while let head = connection.readRequest() {
                var request = Request(head: head)
                let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
                guard let body = connection.readBody(length) else { return }
                request.body = body
                self.recorded.withLock { $0.append(request) }
                if request.path == "/silence" {
                    self.onSilence()
                    return connection.waitForClose()
                }
                guard connection.write(self.response.withLock({ $0 })(request).bytes) else { return }
            }
        }
        defer { server.stop() }
        return try await body(server.url(""))
    }
}

extension TestOrigin.Request {
    /// Parses a request header.
    fileprivate init(head: String) {
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        method = String(words.first ?? "")
        let target = words.dropFirst().first ?? ""
        path = String(target.prefix { $0 != "?" })
        query = String(target.dropFirst(path.count + 1))
        var headers = HTTPFields()
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, let name = HTTPField.Name(String(sides[0])) else { continue }
            headers.append(HTTPField(name: name, value: String(sides[1].drop { $0 == " " })))
        }
        self.headers = headers
    }
}
