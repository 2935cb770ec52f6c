package import HTTPServer
package import HeadroomAPI
import HTTPTypes

/// The header of an answer.
package struct PipeAnswer: Encodable, Sendable {
    /// The ID of the job; absent if that could not be read.
    package var id: String?
    /// The HTTP status.
    package var status: Int
    /// Header fields of the response, with names in lower case.
    package var headers: [String: String]
    /// The plan, if the job asks for it.
    package var plan: PlanDocument?

    /// The answer with a response of the service.
    package init(id: String?, _ response: ServerResponse, plan: PlanDocument? = nil) {
        self.id = id
        self.plan = plan
        status = response.status.code
        headers = [:]
        for field in response.headers where Self.isPassedOn(field.name.canonicalName) {
            headers[field.name.canonicalName] = field.value
        }
    }

    /// Whether a field describes the result, and not its caching.
    private static func isPassedOn(_ name: String) -> Bool {
        ["content-type", "retry-after", "server-timing"].contains(name) || name.hasPrefix("headroom-")
    }
}
