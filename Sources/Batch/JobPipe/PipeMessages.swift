import UntrustedText
import HTTPTypes
package import HeadroomAPI
package import Requests

/// The first message in each direction.
package struct Greeting: Encodable {
    /// The version of the protocol.
    var version = PipeLimits.version
    var program = HeadroomVersion.current
    var workers: Int
    /// Maximum number of jobs without a response.
    var maxInFlight: Int
    /// The deprecated name of ``maxInFlight``.
    var inWork: Int
    /// The maximum length of a body in bytes.
    var maxBodyBytes: Int

    init(workers: Int, limits: PipeLimits) {
        self.workers = workers
        maxInFlight = limits.inWork
        inWork = limits.inWork
        maxBodyBytes = limits.maxBodyBytes
    }

    /// The reason why the client's greeting is rejected; nil if it contains the version of this program.
    package static func refusal(of header: [UInt8], bodyLength: Int) -> Problem? {
        let expected = "expected {\"version\": \(PipeLimits.version)} without a body as the first message"
        guard let object = try? ParameterObject(header), bodyLength == 0, object.pairs.map(\.name) == ["version"] else {
            return Problem(.invalidRequest, .badRequest, "Invalid greeting: \(expected).")
        }
        guard object.pairs.first?.value != "\(PipeLimits.version)" else { return nil }
        return Problem(.invalidRequest, .badRequest, "Unsupported version: \(expected).")
    }
}

/// The header of a job: `id`, `route`, `plan`, and parameters of the route.
package struct PipeJob: Sendable {
    /// The client's ID of the job, which its response repeats.
    ///
    /// A number keeps its digits as the client sent them, so that different IDs stay different.
    package let id: String
    package let route: String
    /// Whether the response should contain the plan in addition to the image.
    package let wantsPlan: Bool
    /// The other members of the header: parameters of the route.
    package let parameters: [(name: String, value: String)]

    /// The reason why a header is not a job.
    ///
    /// The pipe continues after it.
    package struct Refusal: Error, Sendable {
        /// The ID, if it could be read.
        package var id: String?
        package var problem: Problem

        fileprivate init(_ id: String?, _ detail: String) {
            self.id = id
            problem = Problem(.invalidRequest, .badRequest, detail)
        }
    }

    /// Reads a header; nulls count as absent.
    ///
    /// - Throws: A ``Refusal`` with status 400.
    package init(_ header: [UInt8]) throws(Refusal) {
        guard let object = try? ParameterObject(header, omittingNulls: true, verbatim: ["id"]) else {
            throw Refusal(nil, "The header is not a JSON object of strings, numbers and booleans.")
        }
        var own: [String: String] = [:]
        var parameters: [(name: String, value: String)] = []
        var repeated: String?
        for (name, value) in object.pairs {
            guard ParameterName.error(name, value) == nil, ["id", "route", "plan"].contains(name) else {
                parameters.append((name, value))
                continue
            }
            if own.updateValue(value, forKey: name) != nil { repeated = name }
        }
        guard let id = own["id"], 1...PipeLimits.maxIDBytes ~= id.utf8.count, repeated != "id" else {
            throw Refusal(nil, "The header requires one id of 1 to \(PipeLimits.maxIDBytes) bytes.")
        }
        if let repeated { throw Refusal(id, "Duplicate member \(repeated).") }
        guard let wantsPlan = own["plan"].map({ $0.bytes.isASCII ? Bool($0) : nil }) ?? false else {
            throw Refusal(id, "plan must be true or false.")
        }
        self.id = id
        self.wantsPlan = wantsPlan
        self.parameters = parameters
        route = own["route"] ?? "/frame"
    }
}

/// The header of a response.
package struct PipeResponse: Encodable, Sendable {
    /// The ID of the job; absent if it could not be read.
    package var id: String?
    package var status: Int
    /// Header fields of the response, with names in lower case.
    package var headers: [String: String]
    /// The plan, if the job requests it.
    package var plan: PlanDocument?

    /// Creates the response from a reply of the service, with the plan if `wantsPlan` is true.
    package init(id: String?, _ reply: ImageReply, wantsPlan: Bool = false) {
        self.id = id
        plan = wantsPlan ? reply.plan : nil
        status = reply.status.code
        headers = [:]
        for field in reply.headers where Self.isPassedOn(field.name.canonicalName) {
            headers[field.name.canonicalName] = field.value
        }
    }

    /// Whether a field describes the result instead of its caching.
    private static func isPassedOn(_ name: String) -> Bool {
        ["content-type", "retry-after", "server-timing"].contains(name) || name.bytes.hasPrefix("headroom-")
    }
}
