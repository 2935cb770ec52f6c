import Encodings
import HTTPServer
import Logging
import Pipeline
import Workers

/// One stream: takes its newest frame whenever the client has received the one before.
actor StreamSession {
    nonisolated let input: StreamInput
    nonisolated let boundary = "headroom-\(Hexadecimal.random(bytes: 12))"
    private let request: StreamRequest
    private let metrics: StreamMetrics
    private var reframer: FrameReframer
    private var frames = 0
    /// Worker processes that ended because of frames.
    private var lostWorkers = 0
    private var waiting: [UInt8]?
    private var hasEnded = false

    init(_ request: StreamRequest, _ input: StreamInput, _ service: FrameService, _ metrics: StreamMetrics) {
        self.request = request
        self.input = input
        self.metrics = metrics
        reframer = FrameReframer(request, service, maxDelay: input.maxDelay)
    }

    /// Makes the first piece, so that a source without frames becomes a problem and not an empty stream.
    ///
    /// - Returns: Whether there is one.
    func begin() async -> Bool {
        waiting = await piece()
        return waiting != nil
    }

    /// The next piece of the body; nil after the last.
    func next() async -> [UInt8]? {
        if let waiting {
            self.waiting = nil
            return waiting
        }
        guard !hasEnded else { return nil }
        if let piece = await piece() { return piece }
        hasEnded = true
        return request.isPlan || Task.isCancelled ? nil : Array("--\(boundary)--\r\n".utf8)
    }

    private func piece() async -> [UInt8]? {
        while let arrival = await input.inbox.next() {
            do throws(PipelineError) {
                var reframer = reframer
                let result = try await reframer.reframe(arrival)
                self.reframer = reframer
                input.note(isDecodable: true)
                metrics.sent(after: ContinuousClock.now - arrival.time)
                defer { frames += 1 }
                return request.isPlan ? StreamDocument(result, frame: frames).line : part(result.bytes)
            } catch {
                if metrics.failed(error) { input.note(isDecodable: false) }
                if case .workerLost = error { noteLostWorker() }
            }
        }
        return nil
    }

    /// Ends a stream whose frames end worker processes again and again.
    private func noteLostWorker() {
        lostWorkers += 1
        if lostWorkers > 1 { input.inbox.finish(.invalid("\(lostWorkers) frames ended their worker processes")) }
    }

    private func part(_ jpeg: [UInt8]) -> [UInt8] {
        let header = "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n"
        return Array(header.utf8) + jpeg + [0x0D, 0x0A]
    }
}
