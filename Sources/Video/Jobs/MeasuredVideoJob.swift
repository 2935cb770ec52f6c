import Framing
import Geometry
import Imaging
package import Pipeline

/// A ``VideoJob`` whose frame has a readable header and is within the limits.
package struct MeasuredVideoJob {
    private let job: VideoJob
    private let source: [UInt8]
    private let header: ImageHeader
    private let limits: PipelineLimits
    private let scale: DecodeScale
    /// The maximum memory of the job, in bytes.
    package let bytesNeeded: Int

    /// Reads the header of the frame.
    ///
    /// A damaged frame is rejected, because the next frame follows soon.
    ///
    /// - Throws: ``PipelineError/codec(_:)`` if the frame is not an image or exceeds the limits, or
    ///   ``PipelineError/resultTooLarge(_:maxPixels:)``.
    package init(_ job: VideoJob, limits: PipelineLimits, smallestDetectableSide: Int) throws(PipelineError) {
        self.job = job
        var limits = limits
        limits.decode.servesDamaged = false
        self.limits = limits
        source = job.source.array
        do {
            header = try ImageHeader.read(source)
            guard header.format == .jpeg else { throw CodecError.failed("a frame is not a JPEG") }
            scale = Self.scale(of: job.task, header.size)
            try limits.decode.check(header, scale: scale)
        } catch {
            throw PipelineError(error)
        }
        var bytes = header.decodedBytes(atScale: scale)
        switch job.task {
        case .decode: bytes += header.size.area * 6
        case .render(_, let size, _, let cover, let isWhole):
            guard size.area <= limits.maxResultPixels else {
                throw .resultTooLarge(size, maxPixels: limits.maxResultPixels)
            }
            bytes += size.area * (isWhole ? 16 : 8) + (cover == nil ? 0 : header.decodedBytes(atScale: scale))
        case .analyse(_, .none, false, _): break
        case .analyse(_, .near, false, _):
            bytes += FrameTask.nearPixels * 10
        case .analyse(_, let search, _, _):
            var smallestFace: Double?
            if case .whole(let smallest) = search { smallestFace = smallest }
            let plan = FrameTask.plan(
                for: header.size,
                smallestFace: smallestFace,
                smallestDetectableSide: smallestDetectableSide
            )
            // Memory for the detector's input, its pyramid and features, and for the attention image.
            bytes += plan.finestSize.area * 10 + header.size.area * 4
        }
        bytesNeeded = bytes
    }

    /// The scale for decoding a frame.
    private static func scale(of task: VideoJob.Task, _ size: PixelSize) -> DecodeScale {
        switch task {
        // Needs several samples for the mean of each cell of the grid.
        case .analyse(let grid, .none, false, _):
            return .fast(atLeast: 2 * Double(max(grid.width, grid.height)) / Double(max(1, size.shortSide)))
        case .decode, .analyse: return .full
        case .render(let region, let result, _, _, let isWhole):
            guard !isWhole else {
                return .fast(atLeast: min(1, Double(result.longSide) / Double(max(1, size.shortSide))))
            }
            guard region.width > 0, region.height > 0 else { return .full }
            return .fast(atLeast: max(Double(result.width) / region.width, Double(result.height) / region.height))
        }
    }

    /// Runs the job on the calling thread.
    ///
    /// - Parameters:
    ///   - search: The search of the worker.
    ///   - context: The deadline and cancellation.
    /// - Returns: A result with the parts that the job requests.
    /// - Throws: ``PipelineError``.
    package func run(search: inout any FaceSearch, _ context: JobContext) throws(PipelineError) -> VideoResult {
        do {
            switch job.task {
            case .decode: return try decode()
            case .render(let region, let size, let quality, let cover, let isWhole):
                var result = VideoResult(size: header.size)
                result.bytes = try isWhole ? whole(size, quality, cover) : render(region, size, quality, cover)
                return result
            case .analyse(let grid, let wanted, let redacts, let mouths):
                let frame = try frame()
                try context.check()
                var result = VideoResult(size: header.size)
                result.grid = frame.grid(columns: grid.width, rows: grid.height)
                try self.search(frame, wanted, redacts, mouths, &search, &result)
                return result
            }
        } catch {
            throw PipelineError(error)
        }
    }

    /// The decoded image, with the masks of a cover applied.
    private func image(_ cover: FrameCover? = nil) throws -> PlanarImage {
        let image = try ImageDecoder.decode(source, header: header, scale: scale, limits: limits.decode)
        guard let cover else { return image }
        return try PartialImage(whole: image).redacted(cover.masks, of: header.size, as: cover.style).image
    }

    private func frame(_ cover: FrameCover? = nil) throws -> RawFrame {
        let image = try self.image(cover)
        return RawFrame(try Self.converted(image, to: VideoChroma(image.colorModel).model))
    }

    /// The image in a colour model; unchanged if it already has this model.
    private static func converted(_ image: PlanarImage, to model: ColorModel) throws -> PlanarImage {
        model == image.colorModel ? image : try image.converted(to: model)
    }

    private func decode() throws -> VideoResult {
        let frame = try frame()
        var result = VideoResult(size: frame.size)
        result.chroma = VideoChroma(frame.layout.subsampling.map { .ycbcr($0) } ?? .gray)
        frame.append(to: &result.bytes)
        return result
    }

    private func search(
        _ frame: RawFrame,
        _ search: VideoJob.Search,
        _ redacts: Bool,
        _ mouths: Bool,
        _ worker: inout any FaceSearch,
        _ result: inout VideoResult
    ) throws(PipelineError) {
        let side = worker.needs.smallestDetectableSide
        var found = VideoFrameStage.Result()
        if case .whole(let smallest) = search {
            let stage = VideoFrameStage(size: frame.size, smallestFace: smallest, smallestDetectableSide: side)
            found = try stage.run(frame, with: &worker, redacts: redacts, readsMouths: mouths)
        } else if redacts {
            let stage = VideoFrameStage(size: frame.size, smallestFace: nil, smallestDetectableSide: side)
            found.heads = try stage.heads(in: frame, with: &worker)
        }
        result.heads = found.heads
        if case .near(let faces) = search {
            let near = faces.prefix(VideoJob.maxNear)
            found = try VideoFrameStage.run(frame, near: near, with: &worker, readsMouths: mouths)
        }
        result.faces =
            found.sure.enumerated().map { index, subject in
                .init(
                    subject: subject,
                    isSure: true,
                    mouth: mouths && index < found.mouths.count ? found.mouths[index] : nil
                )
            }
            + found.doubtful.map { .init(subject: $0, isSure: false) }
            + found.cutPeople.map { .init(subject: $0, isSure: false, isEstimated: true) }
        result.weights = found.attention.map { [$0.columns, $0.rows, $0.detailColumns, $0.detailRows] } ?? []
    }

    /// The whole frame on a blurred enlargement of the same frame.
    private func whole(_ size: PixelSize, _ quality: Int, _ cover: FrameCover?) throws -> [UInt8] {
        let options = EncodingOptions(quality: quality)
        let result = try frame(cover).letterboxed(in: size).image()
        let model = ImageEncoder.model(for: result.colorModel, as: .jpeg, options)
        return try ImageEncoder.encode(Self.converted(result, to: model), as: .jpeg, options)
    }

    private func render(
        _ region: FractionalRect,
        _ size: PixelSize,
        _ quality: Int,
        _ cover: FrameCover?
    ) throws -> [UInt8] {
        let part = region.clamped(to: header.size)
        let scaled = part.stretched(from: header.size, to: header.size(atScale: scale))
        let image = try self.image(cover)
        let options = EncodingOptions(quality: quality)
        let model = ImageEncoder.model(for: image.colorModel, as: .jpeg, options)
        let result = try Resampler.resample(image, region: scaled, to: size, model: model)
        return try ImageEncoder.encode(result, as: .jpeg, options)
    }
}
