import Admission

/// Bodies that have no end, such as those of cameras.
extension ImageFetcher {
    /// Fetches the body of a URL, and passes it on while it arrives, under the rules of every other fetch.
    ///
    /// It runs on a thread and connections of its own: a camera must not occupy a slot of pictures. The caller limits the
    /// number. A body with a content encoding is refused.
    ///
    /// Cancelling the task ends the transfer and closes its connection at once.
    ///
    /// - Parameters:
    ///   - url: The first URL, of the web.
    ///   - traceParent: The `traceparent` field of every request, visible ASCII; nil for none.
    ///   - terms: What the client may fetch; its largest body does not count.
    ///   - deadline: The latest end.
    ///   - sink: Receives the body of a 200.
    /// - Throws: A ``FetchError`` unless the body was complete; ``FetchError/cancelled`` if the sink ended the transfer.
    package func stream(
        _ url: SourceURL,
        traceParent: String? = nil,
        _ terms: FetchTerms = FetchTerms(),
        by deadline: ContinuousClock.Instant,
        into sink: BodySink
    ) async throws(FetchError) {
        guard case .web = url else { throw .invalidURL("a stream has an http or https address") }
        let job = FetchJob(
            url: url,
            conditions: nil,
            traceParent: traceParent,
            deadline: deadline,
            refusal: { [self] in refusal(of: $0) ?? terms.refusal(of: $0) },
            sink: sink
        )
        let slot = makeSlot()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in slot.run(job) { continuation.resume(returning: $0) } }
        } onCancel: {
            job.cancellation.cancel()
        }
        do {
            _ = try result.get()
        } catch {
            log(error, for: url)
            throw error
        }
    }
}
