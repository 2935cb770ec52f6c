import HTTPTypes
package import Requests

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

    /// The answer with a reply of the service, and its plan if that is wanted.
    package init(id: String?, _ reply: PictureReply, wantsPlan: Bool = false) {
        self.id = id
        plan = wantsPlan ? reply.plan : nil
        status = reply.status.code
        headers = [:]
        for field in reply.headers where Self.isPassedOn(field.name.canonicalName) {
            headers[field.name.canonicalName] = field.value
        }
    }

    /// Whether a field describes the result, and not its caching.
    private static func isPassedOn(_ name: String) -> Bool {
        ["content-type", "retry-after", "server-timing"].contains(name) || name.hasPrefix("headroom-")
    }
}
