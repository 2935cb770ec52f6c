import Foundation
import Imaging
import Workers

/// The frames of a video, read from a file or a pipe.
final class VideoInput {
    /// The formats.
    enum Format: String {
        case y4m
        case mjpeg
        /// Any other, which ffmpeg reads.
        case media
    }

    let format: Format
    /// The header, or one that describes the frames.
    let header: Y4MHeader
    /// The file that ffmpeg reads; nil for Y4M and MJPEG.
    let media: MediaFile?
    private let file: VideoFile
    private var decoder: ChildProgram?
    private var raw: Y4MReader?
    private var compressed: MJPEGInput?

    /// Opens the input and reads its header, or the first frame.
    ///
    /// - Parameter settings: The path, nil for standard input, and how JPEGs are decoded.
    /// - Throws: A ``CommandFailure`` or a `VideoError`.
    init(_ settings: ReframeSettings) async throws {
        file = try VideoFile(settings.path)
        if let path = settings.path, file.isFile, MediaFile.isLikely(path) {
            let media = try MediaFile(path)
            let decoder = try media.frames()
            let frames = try Self.frames(of: decoder, path)
            format = .media
            header = frames.header
            (self.media, self.decoder, raw) = (media, decoder, frames)
            return
        }
        media = nil
        var reader = file.reader
        // Y4M begins with the name of the format.
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

    /// The frames that ffmpeg writes.
    ///
    /// - Throws: What ffmpeg says if it writes none.
    private static func frames(of decoder: ChildProgram, _ path: String) throws -> Y4MReader {
        do {
            return try Y4MReader(decoder.reader)
        } catch {
            try Self.end(of: decoder, path)
            throw error
        }
    }

    /// Waits for ffmpeg.
    private static func end(of decoder: ChildProgram, _ path: String) throws(CommandFailure) {
        do throws(CommandFailure) {
            try decoder.finish()
        } catch {
            throw CommandFailure("\(path): \(error.reasons.joined(separator: " "))")
        }
    }

    /// Frames a second; nil if the video does not say.
    var fps: Double? { media?.fps ?? header.fps }

    /// The number of frames, as far as it is known before they are read.
    var frameCount: Int? { media.flatMap { $0.times.isEmpty ? nil : $0.times.count } }

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { file.isFile }

    /// Frames that were skipped because they are damaged, or of another size than the first.
    var skipped: Int { compressed?.skipped ?? 0 }

    /// The next frame; nil after the last.
    func next() async throws -> RawFrame? {
        if let compressed { return try await compressed.next() }
        let frame: RawFrame?
        do {
            frame = try raw?.next()
        } catch {
            // Of ffmpeg's end in the middle of a frame its own message says more.
            if let decoder, let media { try Self.end(of: decoder, media.path) }
            throw error
        }
        if frame == nil, let decoder, let media { try Self.end(of: decoder, media.path) }
        return frame
    }

    /// Goes back to the first frame.
    func rewind() throws {
        if let media {
            let decoder = try media.frames()
            self.decoder = decoder
            raw = try Self.frames(of: decoder, media.path)
            return
        }
        try file.rewind()
        if let compressed { return compressed.restart(file.reader) }
        raw = try Y4MReader(file.reader)
    }
}
