import Fetching
import HTTPServer
import HTTPTypes
import HeadroomAPI
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct FetchProblemTests {
    @Test func `exhausted descriptors give 503 with Retry-After and without the cause`() {
        let answer = Problem(FetchError.exhausted("Too many open files")).response
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.headers[.retryAfter] == "1")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("files"))
    }
}
