import Geometry
import Imaging
import Video

extension Fuzzer {
    /// MJPEG: frames in pieces of any length, with damage and parts of multipart bodies between them.
    static let mjpeg = Fuzzer(name: "mjpeg", maxLength: 4096) {
        let plane = try Plane(PixelSize(width: 9, height: 5)) { x, y in UInt8(x * 20 + y) }
        let jpeg = try ImageEncoder.encode(
            PlanarImage(size: plane.size, colorModel: .gray, planes: [plane]),
            as: .jpeg
        )
        let part = Array("--b\r\nContent-Type: image/jpeg\r\nContent-Length: \(jpeg.count)\r\n\r\n".utf8) + jpeg
        return [
            [200] + jpeg + jpeg, [7] + part + Array("\r\n".utf8) + part + Array("\r\n--b--\r\n".utf8),
            [90] + jpeg.prefix(300) + part, [30] + part.dropLast(9) + part,
        ]
    } run: { input in
        // The first byte determines the length of pieces.
        let piece = Int(input.first ?? 0) + 1
        let bytes = Array(input.dropFirst())
        var limits = MJPEGSplitter.Limits()
        (limits.frameBytes, limits.gapBytes, limits.side) = (1500, 1000, 4000)
        let whole = split(bytes, piece: .max, limits)
        let pieces = split(bytes, piece: piece, limits)
        // The frames before the first error must not depend on the pieces.
        precondition(whole == pieces, "frames depend on pieces")
    }

    /// Returns the frames before the first error.
    private static func split(
        _ bytes: [UInt8],
        piece: Int,
        _ limits: MJPEGSplitter.Limits
    ) -> [MJPEGSplitter.Frame] {
        var splitter = MJPEGSplitter(limits: limits)
        var (frames, position): ([MJPEGSplitter.Frame], Int) = ([], 0)
        while position < bytes.count {
            let end = position + min(piece, bytes.count - position)
            splitter.append(bytes[position..<end])
            position = end
            while true {
                let next: MJPEGSplitter.Frame?
                do { next = try splitter.next() } catch { return frames }
                guard let frame = next else { break }
                precondition(frame.bytes.starts(with: [0xFF, 0xD8, 0xFF]), "a frame without a start")
                precondition(frame.bytes.suffix(2) == [0xFF, 0xD9], "a frame without an end")
                precondition(frame.bytes.count <= limits.frameBytes + 2, "a frame beyond the limit")
                precondition(frame.size.longSide <= limits.side && frame.size.area > 0, "a size beyond the limit")
                frames.append(frame)
            }
        }
        splitter.finish()
        return frames
    }
}
