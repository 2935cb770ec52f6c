import FaceDetection
import Geometry
import Imaging
import Pipeline
import Workers

/// Searches frames for faces on a pool of workers, each with its own search.
final class FrameSearches {
    private let pool: WorkerPool<any FaceSearch>
    private let stage: VideoFrameStage
    private let redacts: Bool
    private let maximum: Int
    private var searches: [Int: Task<VideoFrameStage.Result, any Error>] = [:]
    /// The frames whose searches may still run, in order.
    private var unfinished: [Int] = []

    /// Starts the workers.
    ///
    /// - Throws: The model's error if it cannot create a detector.
    init(_ request: ReframeRequest, _ model: FaceDetectorModel, size: PixelSize) throws {
        redacts = request.redactsHeads
        let workers = max(1, request.workers)
        maximum = 3 * workers
        let configuration = PoolConfiguration(workers: workers, queueLimit: maximum, maxBytesInFlight: .max)
        var side = 0
        pool = try WorkerPool(configuration) {
            let search = try model.makeSearch()
            side = search.needs.smallestDetectableSide
            return search
        }
        stage = VideoFrameStage(size: size, smallestFace: request.smallestFace, smallestDetectableSide: side)
    }

    /// Queues a frame.
    ///
    /// If too many frames are queued, first waits for the oldest one.
    ///
    /// - Parameters:
    ///   - frame: Its number, counted from 0.
    ///   - image: Its samples.
    ///   - isSearched: Whether it is searched for people, or only for heads to redact.
    ///   - before: The preceding frames, for the motion of lips; nil if the motion is not needed.
    func submit(_ frame: Int, _ image: RawFrame, isSearched: Bool, before: [RawFrame]? = nil) async {
        while unfinished.count >= maximum { _ = await searches[unfinished.removeFirst()]?.result }
        unfinished.append(frame)
        searches[frame] = Task { [pool, stage, redacts] in
            try await pool.run { (search, _) throws(PipelineError) in
                guard isSearched else {
                    return VideoFrameStage.Result(heads: try stage.heads(in: image, with: &search))
                }
                return try stage.run(image, with: &search, redacts: redacts, before: before)
            }
        }
    }

    /// Waits for the result of a queued frame, and removes it.
    ///
    /// - Throws: `PipelineError`, or a ``ReframeFailure`` for a frame that was not queued.
    func result(_ frame: Int) async throws -> VideoFrameStage.Result {
        guard let search = searches.removeValue(forKey: frame) else {
            throw ReframeFailure.unsearchedFrame(frame)
        }
        return try await search.value
    }
}
