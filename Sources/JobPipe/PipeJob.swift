import HTTPTypes
package import Requests

/// The header of a job: `id`, `route`, `plan`, and parameters of the route.
package struct PipeJob: Sendable {
    /// The client's name of the job, which its answer repeats; a number in the digits of the client, so that different
    /// names stay different.
    package let id: String
    /// The path of the route.
    package let route: String
    /// Whether the answer has the plan besides the picture.
    package let wantsPlan: Bool
    /// The other members.
    package let parameters: [(name: String, value: String)]

    /// Why a header is none of a job.
    package struct Refusal: Error, Sendable {
        /// The ID, if it could be read.
        package var id: String?
        /// The problem.
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
            throw Refusal(nil, "The header is no JSON object of strings, numbers and booleans.")
        }
        var own: [String: String] = [:]
        var parameters: [(name: String, value: String)] = []
        var repeated: String?
        for (name, value) in object.pairs {
            guard ["id", "route", "plan"].contains(name) else {
                parameters.append((name, value))
                continue
            }
            if own.updateValue(value, forKey: name) != nil { repeated = name }
        }
        guard let id = own["id"], 1...PipeLimits.maxIDBytes ~= id.utf8.count, repeated != "id" else {
            throw Refusal(nil, "The header needs one id of 1 to \(PipeLimits.maxIDBytes) bytes.")
        }
        if let repeated { throw Refusal(id, "\(repeated) is there twice.") }
        guard let wantsPlan = Bool(own["plan"] ?? "false") else { throw Refusal(id, "plan is true or false.") }
        self.id = id
        self.wantsPlan = wantsPlan
        self.parameters = parameters
        route = own["route"] ?? "/frame"
    }
}
