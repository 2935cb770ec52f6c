import CImageCodec
import Geometry

/// Decodes the frames of a GIF on a transparent screen.
final class GIFFrames: FrameStream {
    private let reader: GIFReader
    private let canvas: FrameCanvas
    private var isFirst = true
    private var isOver = false

    init(_ bytes: [UInt8], screen: PixelSize) throws(CodecError) {
        reader = try GIFReader(bytes)
        canvas = try FrameCanvas(screen)
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard !isOver else { return nil }
        do {
            guard let frame = try reader.next() else {
                isOver = true
                return nil
            }
            try canvas.begin(frame.rect, Self.disposal(frame.disposal))
            try reader.draw(on: canvas.views)
            isFirst = false
            return AnimatedFrame(try canvas.snapshot(), milliseconds: frame.milliseconds)
        } catch {
            isOver = true
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
    }

    /// The disposal methods of GIF89a, 23; the background is transparent, as in browsers.
    private static func disposal(_ method: Int32) -> FrameCanvas.Disposal {
        switch method {
        case 2: .clear
        case 3: .restore
        default: .keep
        }
    }
}
