#if Video
import Encodings
import Glibc
import Geometry
import Imaging
import Pipeline
import Video
import Workers

/// The frames of a video, read from a file or a pipe.
final class VideoInput {
    enum Format: String {
        case y4m
        case mjpeg
        /// Any other format, read through ffmpeg.
        case media
    }

    let format: Format
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
    /// - Throws: A ``CommandFailure`` or a `VideoError`.
    init(_ settings: ReframeSettings) async throws {
        file = try VideoFile(settings.path)
        if let path = settings.path, file.isFile,
            let container = MediaContainer(LocalFile.beginning(of: path, count: MediaContainer.signatureLength))
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
            let frames = try await MJPEGInput(reader, try settings.jpegDecoder(), fps: settings.fps)
            header = frames.header
            compressed = frames
        }
    }

    /// Starts ffmpeg, which writes the frames.
    ///
    /// - Throws: A ``CommandFailure`` with ffmpeg's message if ffmpeg failed, otherwise the `VideoError`.
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

/// The bytes of a video: a file, or standard input.
final class VideoFile {
    let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    /// The file's offset of the first byte; nil if the input cannot be read again.
    private let start: off_t?

    init(_ path: String?) throws(CommandFailure) {
        name = path ?? "standard input"
        descriptor = if let path { open(path.systemPath, O_RDONLY | O_CLOEXEC) } else { STDIN_FILENO }
        guard descriptor >= 0 else { throw CommandFailure("\(path ?? ""): \(SystemError.last.reason)") }
        isOwned = path != nil
        var status = stat()
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let offset = isFile ? lseek(descriptor, 0, SEEK_CUR) : -1
        start = offset >= 0 ? offset : nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { start != nil }

    /// Moves back to the first byte.
    func rewind() throws(CommandFailure) {
        guard let start, lseek(descriptor, start, SEEK_SET) == start else {
            throw CommandFailure("\(name): cannot be read twice")
        }
    }

    var reader: ByteReader {
        ByteReader { [self] buffer in
            while true {
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno != EINTR { throw CommandFailure("\(name): \(SystemError.last.reason)") }
            }
        }
    }
}

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
#endif
