import Foundation
import Imaging
import Workers

/// The frames of a video, read from a file or a pipe.
final class VideoInput {
    /// The formats.
    enum Format: String {
        case y4m
        case mjpeg
    }

    let format: Format
    /// The header, or one that describes the frames.
    let header: Y4MHeader
    private let file: VideoFile
    private var raw: Y4MReader?
    private var compressed: MJPEGInput?

    /// Opens the input and reads its header, or the first frame.
    ///
    /// - Parameter settings: The path, nil for standard input, and how JPEGs are decoded.
    /// - Throws: A ``CommandFailure`` or a `VideoError`.
    init(_ settings: ReframeSettings) async throws {
        file = try VideoFile(settings.path)
        var reader = file.reader
        // Y4M begins with the name of the format.
        format = try reader.peek() == UInt8(ascii: "Y") ? .y4m : .mjpeg
        switch format {
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

    /// Whether ``rewind()`` is possible.
    var isFile: Bool { file.isFile }

    /// Frames that were skipped because they are damaged, or of another size than the first.
    var skipped: Int { compressed?.skipped ?? 0 }

    /// The next frame; nil after the last.
    func next() async throws -> RawFrame? {
        if let compressed { return try await compressed.next() }
        return try raw?.next()
    }

    /// Goes back to the first frame.
    func rewind() throws {
        try file.rewind()
        if let compressed { return compressed.restart(file.reader) }
        raw = try Y4MReader(file.reader)
    }
}
