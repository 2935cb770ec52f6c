import Geometry
import Imaging
import Testing
import Video

@Suite struct Y4MReaderTests {
    /// A reader that gets at most `piece` bytes at a time.
    private func reader(_ bytes: [UInt8], piece: Int = .max) throws -> Y4MReader {
        var position = 0
        return try Y4MReader(
            ByteReader { buffer in
                let count = min(piece, buffer.count, bytes.count - position)
                for index in 0..<count { buffer[index] = bytes[position + index] }
                position += count
                return count
            }
        )
    }

    private func file(_ header: String, frames: [[UInt8]], line: String = "FRAME\n") -> [UInt8] {
        frames.reduce(Array("\(header)\n".utf8)) { $0 + Array(line.utf8) + $1 }
    }

    private func bytes(_ count: Int, seed: Int) -> [UInt8] { (0..<count).map { UInt8(($0 * 37 + seed * 11) & 255) } }

    @Test(arguments: [1, 2, 7, 64, .max], ["FRAME\n", "FRAME Ip X1\n"])
    func `frames are returned in full, however the bytes arrive`(piece: Int, line: String) throws {
        let frames = (0..<3).map { bytes(5 * 3 + 2 * 3 * 2, seed: $0) }
        var reader = try reader(file("YUV4MPEG2 W5 H3", frames: frames, line: line), piece: piece)
        var read: [[UInt8]] = []
        while let frame = try reader.next() {
            var bytes: [UInt8] = []
            frame.append(to: &bytes)
            read.append(bytes)
        }
        #expect(read == frames)
        #expect(reader.frames == 3)
    }

    @Test func `after complete frames, a truncated frame is an error that contains its number`() throws {
        let whole = file("YUV4MPEG2 W2 H2", frames: [bytes(6, seed: 1), bytes(6, seed: 2)])
        let start = whole.count - 12
        for length in start + 1..<whole.count {
            var reader = try reader(Array(whole[..<length]))
            #expect(try reader.next() != nil)
            #expect(throws: VideoError.self, "\(length)") { try reader.next() }
        }
        var reader = try reader(Array(whole[..<start]))
        #expect(try reader.next() != nil)
        #expect(try reader.next() == nil)
    }

    @Test func `invalid frames are rejected`() throws {
        for line in ["FRAM\n", "FRAMES\n", "frame\n", "\n", String(repeating: "x", count: 5000)] {
            var reader = try reader(file("YUV4MPEG2 W2 H2", frames: [bytes(6, seed: 1)], line: line))
            #expect(throws: VideoError.self, "\(line)") { try reader.next() }
        }
    }

    @Test func `an endless header is rejected at its limit`() throws {
        var count = 0
        let endless = ByteReader { buffer in
            for index in 0..<buffer.count { buffer[index] = 0x20 }
            count += buffer.count
            return buffer.count
        }
        #expect(throws: VideoError.self) { try Y4MReader(endless) }
        #expect(count <= 1 << 17)
    }
}
