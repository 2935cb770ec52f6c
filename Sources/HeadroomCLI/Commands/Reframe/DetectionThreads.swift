import FaceDetection
import Foundation
import Imaging
import Pipeline

/// Searches frames for faces on threads, each with a detector of its own.
final class DetectionThreads: @unchecked Sendable {
    // @unchecked Sendable: `jobs`, `results` and `isClosed` are used only with the lock of `condition`.

    private typealias Outcome = Result<VideoFrameStage.Result, PipelineError>
    private let condition = NSCondition()
    private struct Job {
        let frame: Int
        let picture: RawFrame
        let isSearched: Bool
        let before: [RawFrame]?
    }
    private var jobs: [Job] = []
    private var results: [Int: Outcome] = [:]
    private var isClosed = false
    private let count: Int
    private let redacts: Bool

    /// Starts threads.
    ///
    /// - Parameters:
    ///   - model: Makes a detector for each thread.
    ///   - header: The size of the frames.
    ///   - smallestFace: The smallest face, as a share of the short side; nil for that of the detector.
    ///   - redacts: Whether heads to redact are part of the results.
    ///   - count: The number of threads.
    /// - Throws: The model's error if it cannot make a detector.
    init(
        _ model: FaceDetectorModel,
        frames header: Y4MHeader,
        smallestFace: Double?,
        redacts: Bool,
        count: Int
    ) throws {
        self.redacts = redacts
        self.count = max(1, count)
        let side = try model.makeDetector().smallestDetectableSide
        let stage = VideoFrameStage(size: header.size, smallestFace: smallestFace, smallestDetectableSide: side)
        for _ in 0..<self.count {
            Thread { [self] in work(model, stage) }.start()
        }
    }

    /// Queues a frame, and waits while too many are queued.
    ///
    /// - Parameters:
    ///   - frame: Its number.
    ///   - picture: Its samples.
    ///   - isSearched: Whether it is searched for people, or only for heads to redact.
    ///   - before: Frames just before, for the motion of lips; nil if that is not wanted.
    func submit(_ frame: Int, _ picture: RawFrame, isSearched: Bool, before: [RawFrame]? = nil) {
        condition.withLock {
            while jobs.count >= 2 * count { condition.wait() }
            jobs.append(Job(frame: frame, picture: picture, isSearched: isSearched, before: before))
            condition.broadcast()
        }
    }

    /// The result for a frame that was queued; waits for it.
    ///
    /// - Throws: `PipelineError`.
    func result(_ frame: Int) throws -> VideoFrameStage.Result {
        let outcome = condition.withLock {
            while results[frame] == nil { condition.wait() }
            return results.removeValue(forKey: frame)
        }
        guard let outcome else { throw CommandFailure("frame \(frame) was not searched") }
        return try outcome.get()
    }

    /// Ends the threads.
    func close() {
        condition.withLock {
            isClosed = true
            condition.broadcast()
        }
    }

    private func work(_ model: FaceDetectorModel, _ stage: VideoFrameStage) {
        var detector = Result { try model.makeDetector() }
        while let job = next() {
            let outcome: Outcome
            switch detector {
            case .success(var ready):
                outcome = Result { () throws(PipelineError) in
                    if job.isSearched {
                        return try stage.run(job.picture, detector: &ready, redacts: redacts, before: job.before)
                    }
                    return VideoFrameStage.Result(heads: try stage.heads(in: job.picture, detector: &ready))
                }
                detector = .success(ready)
            case .failure(let error): outcome = .failure(.detector("\(error)"))
            }
            condition.withLock {
                results[job.frame] = outcome
                condition.broadcast()
            }
        }
    }

    private func next() -> Job? {
        condition.withLock {
            while jobs.isEmpty, !isClosed { condition.wait() }
            guard !jobs.isEmpty, !isClosed else { return nil }
            condition.broadcast()
            return jobs.removeFirst()
        }
    }
}
