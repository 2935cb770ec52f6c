import Fetching
import Geometry
import Imaging
import Pipeline
import Workers

/// The frames of a video, read from a file or a pipe.
final class VideoInput {
    let format: VideoInputFormat
    /// The header of Y4M; for other formats, an equivalent header that describes the frames.
    let header: Y4MHeader
    /// The file that ffmpeg reads; nil for Y4M and MJPEG.
    let media: MediaFile?
    private let file: VideoFile
    private var decoder: ChildProgram?
    private var raw: Y4MReader?
    private var compressed: MJPEGInput?

    /// Opens the input and reads its header, or the first frame.
    ///
    /// - Throws: A ``ReframeFailure``, a `VideoError`, or an error of the host.
    init(_ request: ReframeRequest, _ host: any ReframeHost) async throws {
        file = try VideoFile(request.path)
        if let path = request.path, file.isFile,
            let container = MediaContainer(RegularFile.beginning(of: path, count: MediaContainer.signatureLength))
        {
            let media = try MediaFile(path, container)
            let (decoder, frames) = try Self.start(media)
            format = .media
            header = frames.header
            (self.media, self.decoder, raw) = (media, decoder, frames)
            return
        }
        media = nil
        var reader = file.reader
        // Y4M starts with the name of the format.
        format = try reader.peek() == UInt8(ascii: "Y") ? .y4m : .mjpeg
        switch format {
        case .media: preconditionFailure("files that ffmpeg reads are opened above")
        case .y4m:
            let frames = try Y4MReader(reader)
            header = frames.header
            raw = frames
        case .mjpeg:
            let frames = try await MJPEGInput(reader, try host.jpegDecoder(), fps: request.fps)
            header = frames.header
            compressed = frames
        }
    }

    /// Starts ffmpeg, which writes the frames.
    ///
    /// - Throws: A ``ReframeFailure`` with ffmpeg's message if ffmpeg failed, otherwise the `VideoError`.
    private static func start(_ media: MediaFile) throws -> (ChildProgram, Y4MReader) {
        let decoder = try media.frames()
        do {
            return (decoder, try Y4MReader(decoder.reader))
        } catch {
            try decoder.fail(with: error)
        }
    }

    /// Frames per second; nil if the video does not state its rate.
    var fps: Double? { media?.fps ?? header.fps }

    /// The number of frames that the file declares; nil if it is unknown until all frames are read.
    var frameCount: Int? { media.flatMap { $0.times.isEmpty ? nil : $0.times.count } }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { file.isFile }

    /// Frames that were skipped because they are damaged, or differ in size from the first frame.
    var skipped: Int { compressed?.skipped ?? 0 }

    func next() async throws -> RawFrame? {
        if let compressed { return try await compressed.next() }
        do {
            let frame = try raw?.next()
            if frame == nil { try decoder?.finish() }
            return frame
        } catch {
            // If ffmpeg ended in the middle of a frame, its message states the cause.
            try decoder?.fail(with: error)
            throw error
        }
    }

    func rewind() throws {
        if let media {
            (decoder, raw) = try Self.start(media)
            return
        }
        try file.rewind()
        if let compressed { return compressed.restart(file.reader) }
        raw = try Y4MReader(file.reader)
    }
}
