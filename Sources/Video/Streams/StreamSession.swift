import Encodings
import FoundationEssentials
import Geometry
import HTTPServer
import Logging
import Motion
import Pipeline
import Workers

/// One stream.
///
/// It takes the newest frame whenever the client has received the previous piece.
///
/// With a look-ahead, the next piece for the client contains an earlier frame.
actor StreamSession {
    nonisolated let input: StreamInput
    nonisolated let boundary = "headroom-\(Hexadecimal.random(bytes: 12))"
    private let request: StreamRequest
    private let metrics: StreamMetrics
    private var reframer: FrameReframer
    private var frames = 0
    /// Worker processes that exited because of frames.
    private var lostWorkers = 0
    private var waiting: [UInt8]?
    /// Frames to render, with planned crops; nil for a frame that is not shown.
    private var planned: [FrameReframer.Planned?] = []
    private var hasEnded = false

    init(
        _ request: StreamRequest,
        _ input: StreamInput,
        _ service: WorkerService,
        _ limits: JobLimits = JobLimits(),
        _ metrics: StreamMetrics
    ) {
        self.request = request
        self.input = input
        self.metrics = metrics
        reframer = FrameReframer(request, service, limits, maxDelay: input.maxDelay)
    }

    /// Creates the first piece, so that a source without frames causes an error response instead of an empty stream.
    ///
    /// - Returns: Whether there is a first piece.
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
        while true {
            while !planned.isEmpty {
                // bounded: compared before
                let frame = planned.removeFirst()
                if let piece = await rendered(frame) { return piece }
            }
            if let arrival = await input.inbox.next() {
                await add(arrival)
            } else {
                switch input.inbox.end {
                case .shutdown, .left, nil: return nil
                default: planned = reframer.finish()
                }
                if planned.isEmpty { return nil }
            }
        }
    }

    private func add(_ arrival: FrameInbox.Arrival) async {
        // Uses a copy, so that a failed frame does not change the state.
        var reframer = reframer
        do throws(PipelineError) {
            planned = try await reframer.add(arrival)
            self.reframer = reframer
            input.note(isDecodable: true)
        } catch {
            note(error)
        }
    }

    private func rendered(_ frame: FrameReframer.Planned?) async -> [UInt8]? {
        guard let frame else {
            metrics.dropped()
            return nil
        }
        let reframer = reframer
        do throws(PipelineError) {
            let result = try await reframer.render(frame)
            guard result.bytes.count <= input.maxResultBytes else {
                metrics.dropped()
                return nil
            }
            metrics.sent(after: ContinuousClock.now - frame.arrival)
            defer { frames += 1 }
            return request.isPlan ? StreamDocument(result, frame: frames).line : part(result.bytes)
        } catch {
            note(error)
            return nil
        }
    }

    private func note(_ error: PipelineError) {
        if metrics.failed(error) { input.note(isDecodable: false) }
        guard case .workerLost = error else { return }
        lostWorkers += 1
        if lostWorkers > 1 { input.inbox.finish(.invalid("\(lostWorkers) frames crashed their worker processes")) }
    }

    private func part(_ jpeg: [UInt8]) -> [UInt8] {
        let header = "--\(boundary)\r\nContent-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n"
        return Array(header.utf8) + jpeg + [0x0D, 0x0A]
    }
}

/// The crop of one frame of a stream, as a line of JSON.
struct StreamDocument: Encodable {
    private let frame: Int
    private let x, y, width, height: Double
    private let source: PixelSize
    private let cut: Bool
    private let shot: Int
    private let faces: Int

    init(_ result: FrameReframer.Result, frame: Int) {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        let crop = result.plan.crop
        self.frame = frame
        (x, y, width, height) = (rounded(crop.x), rounded(crop.y), rounded(crop.width), rounded(crop.height))
        source = result.source
        (cut, shot, faces) = (result.plan.isCut, result.plan.shot, result.plan.faces)
    }

    /// The line with its line feed.
    var line: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Numbers are finite: the planner clamps crops to the frame.
        return ((try? encoder.encode(self)).map(Array.init) ?? []) + [0x0A]
    }
}
