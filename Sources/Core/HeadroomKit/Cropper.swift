@_exported public import FaceDetection
import FoundationEssentials
import Framing
@_exported public import Geometry
import Imaging
import Logging
import Pipeline
import Requests
import SystemLimits
import Workers

/// Crops images around the people in them.
///
/// ```swift
/// let cropper = try Cropper()
/// switch try await cropper.crop(bytes, CropOptions(aspect: "1:1", width: 400)) {
/// case .cropped(let crop): try Data(crop.bytes).write(to: file)
/// case .noFace: print("no face was found")
/// }
/// ```
///
/// A cropper keeps its workers until it is released, and any number of tasks may use it: create one per program.
public final class Cropper: Sendable {
    /// The isolation of the code that decodes images.
    public enum Isolation: Sendable {
        /// Threads of this process: for trusted images.
        case threads
        /// Sandboxed processes without access to files and the network: for untrusted images.
        ///
        /// The processes run this program again, so its `main` must start with ``Cropper/runWorker(detector:)``.
        case processes
    }

    /// Limits on pixels, memory, waiting images and time.
    public struct Limits: Sendable {
        /// The maximum number of pixels of an image.
        public var pixels = 50_000_000
        /// The maximum number of pixels of an output.
        public var resultPixels = 50_000_000
        /// The maximum memory of all images that are processed at the same time, in bytes.
        public var bytes = 2 << 30
        /// The maximum number of images that wait for a worker.
        public var waiting = 1000
        /// The maximum time for one image, without the time that it waits for a worker.
        public var time = Duration.seconds(20)

        /// Limits with these defaults.
        public init() {}
    }

    private let service: WorkerService
    private let overlays: OverlaySet

    /// Starts workers.
    ///
    /// - Parameters:
    ///   - workers: The number of images that are processed at the same time; nil for the number of processors.
    ///   - isolation: The isolation of decoding.
    ///   - detector: Creates the face detectors; nil for the built-in ones.
    ///   - watermarks: Images for the parameter `mark`, as PNG, GIF or WebP, by name: letters a to z, digits and
    ///     hyphens.
    ///   - limits: The limits.
    /// - Throws: ``CropError/failed(_:)`` if a worker cannot be started.
    public init(
        workers: Int? = nil,
        isolation: Isolation = .threads,
        detector: FaceDetectorModel? = nil,
        watermarks: [String: [UInt8]] = [:],
        limits: Limits = Limits()
    ) throws(CropError) {
        let count = max(1, workers ?? ContainerDefaults.current.workers)
        let bounds = PipelineLimits(
            decode: DecodeLimits(maxPixels: limits.pixels),
            maxResultPixels: limits.resultPixels,
            maxTime: limits.time
        )
        let pool = PoolConfiguration(workers: count, queueLimit: limits.waiting, maxBytesInFlight: limits.bytes)
        do {
            switch isolation {
            case .threads:
                service = try WorkerService(model: try detector ?? Self.standardDetector(), limits: bounds, pool: pool)
            case .processes:
                service = try WorkerService(
                    processes: ProcessConfiguration(
                        command: WorkerCommand(arguments: [Self.workerArgument]),
                        // A job stops itself after `limits.time` and reports a separate error.
                        jobTimeout: limits.time * 2
                    ),
                    limits: bounds,
                    pool: pool,
                    logger: Logger(label: "headroom") { _ in SwiftLogNoOpLogHandler() }
                )
            }
        } catch {
            throw .failed("\(error)")
        }
        overlays = OverlaySet([], marks: watermarks)
    }

    // MARK: Workers

    private static let workerArgument = "headroom-worker-process"

    /// Runs as a worker, and does not return, if the program was started as a worker.
    ///
    /// Otherwise returns immediately.
    ///
    /// It must be the first call of a `main` that is not `async`: a worker needs a single thread and no open files.
    ///
    /// ```swift
    /// @main
    /// enum Program {
    ///     static func main() throws {
    ///         Cropper.runWorker()
    ///         let cropper = try Cropper(isolation: .processes)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter detector: The detector that is passed to the cropper's initialiser; nil for the built-in ones.
    public static func runWorker(detector: FaceDetectorModel? = nil) {
        guard ProcessInfo.processInfo.arguments.dropFirst() == [workerArgument] else { return }
        FrameWorker.run { try detector ?? standardDetector() }
    }

    private static func standardDetector() throws -> FaceDetectorModel {
        #if YuNet
        try .standard
        #else
        try .hog
        #endif
    }

    // MARK: Images

    /// The crop of an image.
    ///
    /// - Parameters:
    ///   - image: The bytes of a file in a supported format.
    ///   - options: The options of the crop.
    /// - Returns: The crop, and whether a face was found.
    /// - Throws: ``CropError``.
    public func crop(_ image: [UInt8], _ options: CropOptions = CropOptions()) async throws(CropError) -> CropResult {
        let parameters = try options.parsed()
        guard parameters.options.aspects.count == 1 else {
            throw .invalidOptions(["aspect contains several ratios: expected one, or the shapes of crops(_:shapes:_:)."]
            )
        }
        return try await results(of: image, parameters)[0]
    }

    /// The crops of an image in several aspect ratios; faces are detected once.
    ///
    /// - Parameters:
    ///   - image: The bytes of a file in a supported format.
    ///   - shapes: The aspect ratios, such as `16:9`.
    ///   - options: The options of the crops; `aspect` is ignored.
    /// - Returns: A result for each aspect ratio, in order.
    /// - Throws: ``CropError``.
    public func crops(
        _ image: [UInt8],
        shapes: [String],
        _ options: CropOptions = CropOptions()
    ) async throws(CropError) -> [CropResult] {
        guard !shapes.isEmpty else { return [] }
        return try await results(of: image, try options.parsed(shapes: shapes))
    }

    /// The faces and subjects of an image and the positions of its crops, without encoding any crop.
    ///
    /// - Parameters:
    ///   - image: The bytes of a file in a supported format.
    ///   - options: The options of the crops; `aspect` may contain several aspect ratios, separated by commas.
    /// - Returns: The plan; nil if no face was found and `fallback` is `error`.
    /// - Throws: ``CropError``.
    public func plan(_ image: [UInt8], _ options: CropOptions = CropOptions()) async throws(CropError) -> CropPlan? {
        try await run(image, try options.parsed(), wantsImages: false).map { CropPlan($0.plan) }
    }

    /// The faces of an image, the largest first.
    ///
    /// - Parameter image: The bytes of a file in a supported format.
    /// - Returns: The faces; empty if no face was found.
    /// - Throws: ``CropError``.
    public func faces(in image: [UInt8]) async throws(CropError) -> [FoundFace] {
        try await plan(image)?.faces ?? []
    }

    private func results(of source: [UInt8], _ parameters: FrameParameters) async throws(CropError) -> [CropResult] {
        guard let result = try await run(source, parameters, wantsImages: true) else {
            return parameters.options.aspects.map { _ in .noFace(nil) }
        }
        return result.images.enumerated().map { index, image in
            let plan = PlannedCrop(result.plan, index)
            let crop = Crop(
                bytes: image.bytes,
                mediaType: image.format.mediaType,
                fileExtension: image.format.fileExtensions[0],
                size: image.size,
                plan: plan
            )
            return plan.isFallback ? .noFace(crop) : .cropped(crop)
        }
    }

    /// The result of a job; nil if no face was found and the fallback is an error.
    private func run(
        _ image: [UInt8],
        _ parameters: FrameParameters,
        wantsImages: Bool
    ) async throws(CropError) -> FrameResult? {
        let drawn: OverlaySet.Drawn
        do {
            drawn = try overlays.drawn(by: parameters)
        } catch {
            throw CropError(error)
        }
        let job = Negotiation(files: parameters, wantsImages: wantsImages)
            .job(source: SourceBytes(image), parameters: parameters, drawn: drawn)
        do throws(PipelineError) {
            return try await service.run(job)
        } catch {
            if case .framing(.noFace) = error { return nil }
            throw CropError(error)
        }
    }
}
