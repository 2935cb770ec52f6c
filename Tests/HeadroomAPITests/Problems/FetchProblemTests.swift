import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct FetchProblemTests {
    @Test func `without free descriptors the response is 503 with Retry-After and hides the cause`() {
        let response = Problem(FetchError.exhausted("Too many open files")).response
        #expect(response.status == .serviceUnavailable)
        #expect(response.headers[.retryAfter] == "1")
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(!String(decoding: response.body, as: UTF8.self).contains("files"))
    }

    @Test func `a failed TLS handshake states its cause, and a failed TCP connection does not`() {
        let rows: [(FetchError.Obstacle, String)] = [
            (.connection, "The origin is unreachable."), (.handshake, "The TLS handshake with the origin failed: "),
            (.plainServer, "The origin does not use TLS on this port: "),
            (.certificate, "The origin's TLS certificate is not valid: "),
        ]
        for (obstacle, beginning) in rows {
            let problem = Problem(FetchError.unreachable("10.0.0.1 port 443", obstacle))
            #expect(problem.status == .badGateway && problem.detail.hasPrefix(beginning), "\(problem.detail)")
            #expect(!problem.detail.contains("10.0.0.1"))
        }
    }
}
