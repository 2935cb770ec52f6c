import Requests
import HTTPTypes

/// A limit of a tenant that is reached for now.
package struct TenantRefusal: Hashable, Sendable {
    /// The limits that refill with time; the raw values are those of metrics.
    package enum Limit: String, CaseIterable, Sendable {
        case requests, processor
    }

    /// The limit.
    package let limit: Limit
    /// The time until a request may be granted.
    package let wait: Duration

    /// A limit, and the time until a request may be granted.
    package init(limit: Limit, wait: Duration) {
        self.limit = limit
        self.wait = wait
    }
}

extension Problem {
    /// The problem of a tenant that has used its allowance.
    init(_ refusal: TenantRefusal) {
        let allowance = refusal.limit == .requests ? "requests" : "processor time"
        self.init(
            .rateLimited,
            .tooManyRequests,
            "This client has used its \(allowance) for now; try again later."
        )
        retryAfter = refusal.wait
    }

    /// The problem of an upload that is larger than its tenant's limit.
    static func tooLargeForTenant(_ bytes: Int, limit: Int) -> Problem {
        Problem(.tooLarge, .contentTooLarge, "The body has \(bytes) bytes, and this client may send \(limit).")
    }
}
