import FaceDetection
import Imaging
import Pipeline
import Workers

/// Searches frames for faces on a pool of workers, each with its own detector.
final class FrameSearches {
    private let pool: WorkerPool<any FaceDetector>
    private let stage: VideoFrameStage
    private let redacts: Bool
    /// The most searches that run or wait.
    private let most: Int
    private var searches: [Int: Task<VideoFrameStage.Result, any Error>] = [:]
    /// The frames whose searches may still run, in their order.
    private var unfinished: [Int] = []

    /// Starts the workers.
    ///
    /// - Parameters:
    ///   - model: Makes a detector for each worker.
    ///   - header: The size of the frames.
    ///   - smallestFace: The smallest face, as a share of the short side; nil for that of the detector.
    ///   - redacts: Whether heads to redact are part of the results.
    ///   - workers: The number of workers; at least 1.
    /// - Throws: The model's error if it cannot make a detector.
    init(
        _ model: FaceDetectorModel,
        frames header: Y4MHeader,
        smallestFace: Double?,
        redacts: Bool,
        workers: Int
    ) throws {
        self.redacts = redacts
        most = 3 * max(1, workers)
        let configuration = PoolConfiguration(workers: max(1, workers), queueLimit: most, maxBytesInFlight: .max)
        var side = 0
        pool = try WorkerPool(configuration) {
            let detector = try model.makeDetector()
            side = detector.smallestDetectableSide
            return detector
        }
        stage = VideoFrameStage(size: header.size, smallestFace: smallestFace, smallestDetectableSide: side)
    }

    /// Queues a frame, after waiting for the oldest if too many are queued.
    ///
    /// - Parameters:
    ///   - frame: Its number.
    ///   - picture: Its samples.
    ///   - isSearched: Whether it is searched for people, or only for heads to redact.
    ///   - before: The frames just before, from which the motion of lips is measured; nil to not measure it.
    func submit(_ frame: Int, _ picture: RawFrame, isSearched: Bool, before: [RawFrame]? = nil) async {
        while unfinished.count >= most { _ = await searches[unfinished.removeFirst()]?.result }
        unfinished.append(frame)
        searches[frame] = Task { [pool, stage, redacts] in
            try await pool.run { (detector, _) throws(PipelineError) in
                guard isSearched else {
                    return VideoFrameStage.Result(heads: try stage.heads(in: picture, detector: &detector))
                }
                return try stage.run(picture, detector: &detector, redacts: redacts, before: before)
            }
        }
    }

    /// Waits for the result of a queued frame, and removes it.
    ///
    /// - Throws: `PipelineError`, or a ``CommandFailure`` for a frame that was not queued.
    func result(_ frame: Int) async throws -> VideoFrameStage.Result {
        guard let search = searches.removeValue(forKey: frame) else {
            throw CommandFailure("frame \(frame) was not searched")
        }
        return try await search.value
    }
}
