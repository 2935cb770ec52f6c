import Admission
import Dispatch
import Fetching
import HTTPServer
import Pipeline
import Requests
import Workers

/// Reads request bodies on its own threads if reading may take more than a millisecond.
///
/// It reads one body per client at a time, so that a client with many bodies does not delay other clients.
final class BodyReader: Sendable {
    /// The maximum size, in bytes, of a body that is read on the thread of its request; the body must not have a
    /// content coding.
    static let maxBytesInPlace = 64 << 10
    /// The maximum number of bodies that are read at the same time.
    private static let places = 2
    /// Maximum number of waiting bodies.
    private static let maxWaiting = 256

    private let queue = DeadlineQueue(
        // bounded: a constant
        places: (0..<places).map { DispatchQueue(label: "headroom.body.\($0)", qos: .utility) },
        waitingLimit: maxWaiting,
        order: OneEachOrder()
    )

    /// Creates a reader without pending bodies.
    init() {}

    /// Checks the body of an admitted request against its authorization, and reads it.
    ///
    /// The processor time is charged to the tenant, and the memory of a decoded body to the client.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - authorization: The reason why the request is allowed.
    ///   - limits: The limits of a body with a content coding.
    ///   - jobLimits: The client, and the accounting of the client's processor time.
    ///   - deadline: The deadline for the start of reading.
    /// - Returns: The parsed body.
    /// - Throws: A ``Problem`` with status 400, 403, 413, 415, 500 or 503.
    func body(
        of request: ServerRequest,
        _ authorization: Authorization,
        _ limits: ContentCoding.Limits,
        _ jobLimits: JobLimits,
        by deadline: ContinuousClock.Instant
    ) async throws(Problem) -> RequestBody {
        guard Self.isCostly(request, authorization) else { return try Self.read(request, authorization, limits) }
        let cancellation = Cancellation()
        let outcome: Result<RequestBody, Problem>
        do {
            outcome = try await queue.run(jobLimits.client, by: deadline, cancellation) { queue, end in
                queue.async {
                    let clock = ProcessorClock.ofThread
                    var limits = limits
                    limits.isCancelled = { cancellation.isCancelled }
                    let outcome = Result { () throws(Problem) in try Self.read(request, authorization, limits) }
                    jobLimits.charge?(clock.elapsed)
                    end(outcome, true)
                }
            }
        } catch {
            throw Problem(PipelineError(error))
        }
        return try outcome.get()
    }

    private static func read(
        _ request: ServerRequest,
        _ authorization: Authorization,
        _ limits: ContentCoding.Limits
    ) throws(Problem) -> RequestBody {
        try authorization.check(body: request.body)
        return try RequestBody(request, limits)
    }

    /// Whether reading a body may take more than a millisecond: it must be decoded, hashed, or searched for the
    /// delimiters of a form.
    private static func isCostly(_ request: ServerRequest, _ authorization: Authorization) -> Bool {
        if ContentCoding.isNeeded(by: request) { return true }
        guard request.body.count > maxBytesInPlace else { return false }
        return authorization.limits?.digest != nil || RequestBody.isTakenApart(request)
    }
}
