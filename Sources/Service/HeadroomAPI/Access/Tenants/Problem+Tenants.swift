import HTTPTypes
import Requests

extension Problem {
    /// Creates the problem for a tenant that has used its allowance.
    init(_ refusal: TenantRefusal) {
        let allowance = refusal.limit == .requests ? "requests" : "processor time"
        self.init(.rateLimited, .tooManyRequests, "This client has reached its limit of \(allowance); retry later.")
        retryAfter = refusal.wait
    }

    /// Returns the problem for an upload that is larger than its tenant's limit.
    static func tooLargeForTenant(_ bytes: Int, limit: Int) -> Problem {
        Problem(
            .tooLarge,
            .contentTooLarge,
            "The body of \(bytes) bytes exceeds this client's limit of \(limit) bytes."
        )
    }
}
