import Foundation
import HTTPServer
import TestHTTP
import TestPacing
import Testing

/// Tests of all rules of ``Conformance``; docs/contributing/http-conformance.md lists them.
///
/// Serialized, because a client blocks a Dispatch thread, and all tests share the 255 threads of the process.
@Suite(.limitedConcurrency, .serialized) struct ConformanceTests {
    /// The request after each case; it gets a response only if the connection stays open.
    private static let next = Array("GET /next HTTP/1.1\r\nHost: h\r\n\r\n".utf8)

    /// A long linger timeout, because clients may wait for a processor before they read the response.
    private static let configuration = ServerConfiguration.with { $0.lingerTimeout = .seconds(60) }

    @Test(arguments: Conformance.cases)
    func `the rule decides whether a request is served, and no part of it is read as another request`(
        _ example: Conformance.Case
    ) async throws {
        try await withServer(Self.configuration) { _, address in
            let client = try TestClient(address)
            try await client.send(example.bytes + Self.next)
            try await check(client, example)
        }
    }

    @Test(arguments: Conformance.cases)
    func `a request split at any byte gets the same response`(_ example: Conformance.Case) async throws {
        try await withServer(Self.configuration, on: .unix(path: temporarySocketPath())) { _, address in
            let bytes = example.bytes + Self.next
            // Splits most requests at every position, and very long requests at some positions.
            for split in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 400)) {
                let client = try TestClient(address)
                try await client.send(Array(bytes[..<split]))
                await Task.yield()
                // If the first part is rejected, the connection may be closed before the second part is sent.
                try? await client.send(Array(bytes[split...]))
                try await check(client, example, "split at \(split)")
            }
            guard bytes.count < 1000 else { return }
            let client = try TestClient(address)
            for byte in bytes { try? await client.send([byte]) }
            try await check(client, example, "byte by byte")
        }
    }

    @Test func `served requests can follow one another on the same connection`() async throws {
        try await withServer { _, address in
            let client = try TestClient(address)
            let cases = Conformance.served + Conformance.served.reversed()
            try await client.send(cases.flatMap(\.bytes))
            for example in cases { #expect(try await client.reply(toHead: isHead(example.bytes)).text == example.text) }
        }
    }

    @Test func `the page lists every rule`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/contributing/http-conformance.md"
        )
        let page = try String(contentsOf: file, encoding: .utf8)
        let rows = Conformance.rules.map { rule in
            let counts = Dictionary(grouping: rule.cases, by: \.outcome.words).mapValues(\.count)
            let outcomes = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            return "| \(rule.origin) | \(rule.requirement) | \(outcomes.joined(separator: "; ")) |"
        }
        let table = (["| rule | requirement | requests |", "| --- | --- | --- |"] + rows).joined(separator: "\n")
        if ProcessInfo.processInfo.environment["HEADROOM_UPDATE_SNAPSHOTS"] == "1" {
            let parts = page.components(separatedBy: "<!-- rules -->")
            try #require(parts.count == 3)
            try Data("\(parts[0])<!-- rules -->\n\(table)\n<!-- rules -->\(parts[2])".utf8).write(to: file)
        } else {
            #expect(
                page.contains(table),
                "HEADROOM_UPDATE_SNAPSHOTS=1 swift test --filter ConformanceTests regenerates it"
            )
        }
    }

    private func isHead(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "HEAD ".utf8) }

    private func check(_ client: TestClient, _ example: Conformance.Case, _ comment: Comment? = nil) async throws {
        var reply = try await client.reply(toHead: isHead(example.bytes))
        // A request in two parts may get an interim response.
        if reply.status == 100 { reply = try await client.reply(toHead: isHead(example.bytes)) }
        switch example.outcome {
        case .served(let text):
            #expect(reply.status == 200, comment)
            #expect(reply.text == text, comment)
            #expect(try await client.reply().text == "GET /next h ", comment)
        case .servedLast(let text):
            #expect(reply.text == text, comment)
            #expect(reply["connection"] == "close", comment)
            #expect(try await client.expectEnd() == 0, comment)
        case .refused(let status):
            #expect(reply.status == status, comment)
            #expect(reply["connection"] == "close", comment)
            #expect(!reply.body.isEmpty, comment)
            #expect(try await client.expectEnd() == 0, comment)
        }
    }
}
