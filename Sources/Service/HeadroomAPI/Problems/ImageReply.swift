package import HTTPTypes
package import Requests

/// The response to a request: a result, or a problem.
package struct ImageReply: Sendable {
    package var status: HTTPResponse.Status
    /// The header fields that describe the body.
    package var headers: HTTPFields
    /// The bytes of the result or of the problem.
    package var body: [UInt8]
    /// The plan of a result; nil for a problem.
    package var plan: PlanDocument?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status; 200 for a result.
    ///   - headers: The header fields that describe the body.
    ///   - body: The bytes of the result or of the problem.
    ///   - plan: The plan of a result; nil for a problem.
    package init(status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8], plan: PlanDocument? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.plan = plan
    }
}
