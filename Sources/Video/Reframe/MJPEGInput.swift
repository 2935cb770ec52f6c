import Imaging
import Pipeline
import Workers

/// The frames of an MJPEG stream, decoded by a sandboxed process; used by one task.
final class MJPEGInput {
    /// The header for the frames, with the size of the first frame.
    let header: Y4MHeader
    private let service: WorkerService
    private let chroma: VideoChroma
    private var reader: MJPEGReader
    private var first: RawFrame?
    /// Frames that could not be decoded, or differ in size or chroma from the first frame.
    private var unfit = 0

    /// Reads the first frame; throws a `VideoError` if it is missing.
    init(_ bytes: ByteReader, _ service: WorkerService, fps: Double) async throws {
        self.service = service
        reader = MJPEGReader(bytes)
        while let frame = try reader.next() {
            guard let found = try await Self.decoded(frame, by: service) else {
                unfit += 1
                continue
            }
            first = found.frame
            chroma = found.chroma
            header = Y4MHeader(size: found.frame.size, layout: found.frame.layout, fps: fps)
            return
        }
        throw VideoError.invalid(
            "a video without a frame",
            expected: "a file in the format \(MediaContainer.choices), Y4M (YUV4MPEG2) or MJPEG"
        )
    }

    var skipped: Int { reader.damaged + unfit }

    /// The next frame; nil after the last frame.
    ///
    /// Damaged frames, and frames unlike the first, are skipped.
    func next() async throws -> RawFrame? {
        if let first {
            self.first = nil
            return first
        }
        while let frame = try reader.next() {
            if let found = try await Self.decoded(frame, by: service), found.frame.size == header.size,
                found.chroma == chroma
            {
                return found.frame
            }
            unfit += 1
        }
        return nil
    }

    func restart(_ bytes: ByteReader) {
        reader = MJPEGReader(bytes)
        first = nil
        unfit = 0
    }

    /// The samples of a frame; nil if it cannot be decoded.
    private static func decoded(
        _ frame: MJPEGSplitter.Frame,
        by service: WorkerService
    ) async throws -> (frame: RawFrame, chroma: VideoChroma)? {
        let result: VideoResult
        do {
            result = try await service.outcome(of: VideoJob(frame.bytes, .decode)).get()
        } catch {
            switch error {
            case .codec(.outOfMemory), .overloaded, .tooMuchMemory: throw error
            default: return nil
            }
        }
        guard let chroma = result.chroma else { return nil }
        return (try RawFrame(size: result.size, layout: chroma.layout, bytes: result.bytes), chroma)
    }
}
