import Fetching
import TestPacing
import Testing

/// The descriptions of fetch errors in the log.
@Suite(.limitedConcurrency) struct FetchErrorTests {
    @Test(
        arguments: [
            (.invalidURL("no host"), "unusable URL: no host"),
            (.blocked("10.0.0.1: private"), "blocked: 10.0.0.1: private"),
            (.notFound(status: 410), "the origin responded with 410"),
            (.refused(status: 403), "the origin responded with 403"),
            (.originError(status: 500), "the origin responded with 500"),
            (.invalidResponse("status 206"), "invalid response: status 206"),
            (
                .retryLater(status: 429, after: .seconds(3)),
                "the origin responded with 429 and Retry-After 3.0 seconds"
            ),
            (.undecodable(coding: "br"), "the content encoding cannot be decoded: br"),
            (.tooLarge(limit: 10), "more than 10 bytes"),
            (.timeout(.header), "timeout: header"),
            (.tooManyRedirects(limit: 5), "more than 5 redirects"),
            (.unresolved("no such host"), "unresolved: no such host"),
            (.nameServerFailed("Temporary failure"), "the name server failed: Temporary failure"),
            (.unreachable("connection refused"), "unreachable: connection refused"),
            (.incomplete("12 bytes missing"), "incomplete: 12 bytes missing"),
            (.cancelled, "cancelled"),
            (.busy(retryAfter: .seconds(2)), "no free slot for 2.0 seconds"),
        ] as [(FetchError, String)]
    )
    func `each error has a description`(error: FetchError, words: String) {
        #expect("\(error)" == words)
    }
}
