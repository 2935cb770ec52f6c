import CImageCodec
import Geometry

/// Reads the frames of a GIF file as they are stored.
final class GIFReader {
    private let file: FileBytes
    private let decoder: OpaquePointer

    init(_ bytes: [UInt8]) throws(CodecError) {
        let file = FileBytes(bytes)
        var opened: OpaquePointer?
        do {
            guard let start = file.buffer.baseAddress else { throw CodecError.truncated(.gif) }
            try check { hr_gif_open(start, file.buffer.count, &opened, $0) }
        } catch let error as CFailure {
            hr_gif_close(opened)
            throw error.codecError(.gif)
        } catch {
            throw .truncated(.gif)
        }
        guard let opened else { throw .outOfMemory }
        self.file = file
        decoder = opened
    }

    deinit { hr_gif_close(decoder) }

    /// Goes on to the next frame, whose pixels are to be drawn or copied once; nil at the end.
    func next() throws(CodecError) -> hr_gif_frame? {
        var (frame, isFound) = (hr_gif_frame(), false)
        try run { hr_gif_next(decoder, &frame, &isFound, $0) }
        return isFound ? frame : nil
    }

    /// Draws the frame on the four planes of a screen.
    func draw(on screen: [hr_plane]) throws(CodecError) {
        try run { hr_gif_draw(decoder, screen, $0) }
    }

    /// Copies the frame's indices in a part of the screen.
    func copy(_ part: PixelRect, to indices: hr_plane) throws(CodecError) {
        try run { hr_gif_copy(decoder, Int32(part.x), Int32(part.y), [indices], $0) }
    }

    private func run(_ call: (UnsafeMutablePointer<hr_error>) -> hr_status) throws(CodecError) {
        do {
            try check(call)
        } catch {
            throw error.codecError(.gif)
        }
    }
}

extension hr_gif_frame {
    /// The frame's rectangle, which may reach beyond the screen.
    var rect: PixelRect { PixelRect(x: Int(x), y: Int(y), width: Int(width), height: Int(height)) }

    /// The delay in milliseconds as the file states it.
    var milliseconds: Int { Int(delay) * 10 }
}
