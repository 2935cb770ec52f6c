import HTTPTypes
package import Requests

/// The first message in each direction.
package struct Greeting: Encodable, Sendable {
    /// The version of the protocol.
    package var version = PipeLimits.version
    /// The version of the program.
    package var program = HeadroomVersion.current
    /// Jobs that run at once.
    package var workers: Int
    /// Jobs that are read before the first one has its answer.
    package var inWork: Int
    /// The longest body in bytes.
    package var maxBodyBytes: Int

    /// The greeting of a pipe.
    package init(workers: Int, limits: PipeLimits) {
        self.workers = workers
        inWork = limits.inWork
        maxBodyBytes = limits.maxBodyBytes
    }

    /// Why the client's greeting is refused; nil if it names the version of this program.
    package static func refusal(of header: [UInt8], bodyLength: Int) -> Problem? {
        let expected = "the first message is {\"version\": \(PipeLimits.version)}, without a body"
        guard let object = try? ParameterObject(header), bodyLength == 0, object.pairs.map(\.name) == ["version"] else {
            return Problem(.invalidRequest, .badRequest, "This is no greeting: \(expected).")
        }
        guard object.pairs.first?.value != "\(PipeLimits.version)" else { return nil }
        return Problem(.invalidRequest, .badRequest, "This version is not supported: \(expected).")
    }
}
