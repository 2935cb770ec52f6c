import Geometry
import Imaging
import Pipeline
import Workers

/// The frames of an MJPEG stream, which a sandboxed process decodes.
///
/// Used by one task.
final class MJPEGInput {
    /// Describes the frames, whose size is that of the first.
    let header: Y4MHeader
    private let service: FrameService
    private let chroma: VideoChroma
    private var reader: MJPEGReader
    private var first: RawFrame?
    /// Frames that could not be decoded, or have another size or chroma than the first.
    private var unfit = 0

    /// Reads the first frame.
    ///
    /// - Throws: A `VideoError` without a frame.
    init(_ bytes: ByteReader, _ service: FrameService, fps: Double) async throws {
        self.service = service
        reader = MJPEGReader(bytes)
        var found: (frame: RawFrame, chroma: VideoChroma)?
        while found == nil {
            guard let frame = try reader.next() else {
                throw VideoError.invalid("a video without a frame", expected: "Y4M (YUV4MPEG2) or MJPEG")
            }
            found = try await Self.decoded(frame, by: service)
            if found == nil { unfit += 1 }
        }
        guard let found else { throw VideoError.invalid("a video without a frame", expected: "MJPEG") }
        first = found.frame
        chroma = found.chroma
        header = Y4MHeader(size: found.frame.size, layout: found.frame.layout, fps: fps)
    }

    /// Frames that were skipped so far.
    var skipped: Int { reader.damaged + unfit }

    /// The next frame; nil after the last.
    ///
    /// Frames that are damaged or unlike the first are skipped.
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

    /// Reads again from the first frame on.
    func restart(_ bytes: ByteReader) {
        reader = MJPEGReader(bytes)
        first = nil
        unfit = 0
    }

    /// The samples of a frame; nil if it cannot be decoded.
    private static func decoded(
        _ frame: MJPEGSplitter.Frame,
        by service: FrameService
    ) async throws -> (frame: RawFrame, chroma: VideoChroma)? {
        let answer: VideoAnswer
        do {
            answer = try await service.answer(to: VideoJob(frame.bytes, .decode))
        } catch {
            switch error {
            case .codec(.outOfMemory), .overloaded, .tooMuchMemory: throw error
            default: return nil
            }
        }
        guard let chroma = answer.chroma else { return nil }
        return (try RawFrame(size: answer.size, layout: chroma.layout, bytes: answer.bytes), chroma)
    }
}
