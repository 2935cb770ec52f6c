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
}
