import Geometry
import Imaging
import Video

extension Fuzzer {
    /// Y4M: the header, and frames in pieces of any length.
    static let y4m = Fuzzer(name: "y4m", maxLength: 2048) {
        ["C420jpeg", "C420mpeg2", "C422", "C444", "C411", "Cmono", "C420p10", "C444p16", "Cmono10", ""].map { chroma in
            let header = "YUV4MPEG2 W5 H3 F30000:1001 Ip A1:1 \(chroma) XYSCSS=1\n"
            let frame = Array("FRAME\n".utf8) + [UInt8](repeating: 7, count: 60)
            return [3] + Array(header.utf8) + frame + frame
        }
    } run: { input in
        // The first byte determines the length of pieces.
        let piece = Int(input.first ?? 0) + 1
        let bytes = Array(input.dropFirst())
        var position = 0
        let source = ByteReader { buffer in
            let count = min(piece, buffer.count, bytes.count - position)
            for index in 0..<count { buffer[index] = bytes[position + index] }
            position += count
            return count
        }
        guard var reader = try? Y4MReader(source) else { return }
        let header = reader.header
        precondition(header.size.area > 0 && header.size.area <= Y4MHeader.maxPixels, "a size beyond its limit")
        precondition((try? Y4MHeader(Array(header.bytes.dropLast()))) != nil, "a header that cannot be read again")
        // A frame that is longer than the input is not allocated.
        guard header.layout.bytes(of: header.size) <= 2048 else { return }
        while let frame = try? reader.next() {
            var samples: [UInt8] = []
            frame.append(to: &samples)
            precondition(samples.count == header.layout.bytes(of: header.size), "a frame with other bytes")
            precondition(frame.grid(columns: 3, rows: 2).count == 18, "a grid with other cells")
        }
    }
}
