import Geometry
import Imaging
import TestImages
import Testing
import Video

@Suite struct MJPEGSplitterTests {
    /// A grey JPEG whose bytes depend on its side.
    private static func jpeg(_ side: Int) throws -> [UInt8] {
        let plane = try Plane(PixelSize(width: side, height: 8)) { x, y in UInt8((x * 31 + y * 17) & 255) }
        let image = PlanarImage(size: plane.size, colorModel: .gray, planes: [plane])
        return try ImageEncoder.encode(image, as: .jpeg)
    }

    /// The widths of the frames in a stream that arrives in pieces.
    private func widths(
        _ bytes: [UInt8],
        piece: Int = .max,
        limits: MJPEGSplitter.Limits = MJPEGSplitter.Limits()
    ) throws -> (widths: [Int], damaged: Int) {
        var splitter = MJPEGSplitter(limits: limits)
        var (found, position): ([Int], Int) = ([], 0)
        while position < bytes.count {
            let end = piece < bytes.count - position ? position + piece : bytes.count
            splitter.append(bytes[position..<end])
            position = end
            while let frame = try splitter.next() {
                #expect(try ImageHeader.read(frame.bytes).size == frame.size)
                found.append(frame.size.width)
            }
        }
        splitter.finish()
        return (found, splitter.damaged)
    }

    private static func part(_ jpeg: [UInt8], _ header: String, boundary: String = "--frame") -> [UInt8] {
        Array("\(boundary)\r\nContent-Type: image/jpeg\r\n\(header)\r\n".utf8) + jpeg + Array("\r\n".utf8)
    }

    @Test(arguments: [1, 2, 3, 5, 7, 64, 1000, .max])
    func `consecutive frames are found in full, however the bytes arrive`(piece: Int) throws {
        let stream = try [9, 16, 33].flatMap(Self.jpeg)
        let found = try widths(stream, piece: piece)
        #expect(found.widths == [9, 16, 33])
        #expect(found.damaged == 0)
    }

    @Test(arguments: ["Content-Length: %\r\n", "Content-Length: 3\r\n", "Content-Length: 99999999999999999999\r\n", ""])
    func `parts are found with a correct, wrong or missing length`(length: String) throws {
        let stream = try [9, 16].flatMap { side in
            let jpeg = try Self.jpeg(side)
            return Self.part(jpeg, length.replacing("%", with: "\(jpeg.count)"))
        }
        for piece in [1, 10, .max] {
            let found = try widths(stream + Array("--frame--\r\n".utf8), piece: piece)
            #expect(found.widths == [9, 16])
            #expect(found.damaged == 0)
        }
    }

    /// The frame starts are in the content of the first segment, and all of them lead to the same damaged position far
    /// behind the segment.
    ///
    /// Following each start would take hours.
    @Test(.timeLimit(.minutes(2)), arguments: [(0xDA, [1]), (0xE0, [0xFF]), (0xE0, [0xFF, 1])] as [(UInt8, [UInt8])])
    func `nested starts are not followed repeatedly`(segment: UInt8, filler: [UInt8]) throws {
        let content = 65_533
        var bytes: [UInt8] = [0xFF, 0xD8, 0xFF, segment, 0xFF, 0xFF]
        while bytes.count + 6 <= 6 + content {
            let length = 6 + content - bytes.count - 4
            bytes += [0xFF, 0xD8, 0xFF, segment, UInt8(length >> 8), UInt8(length & 255)]
        }
        bytes += Array(repeating: 0, count: 6 + content - bytes.count)
        bytes += Array(repeatElement(filler, count: 4_000_000 / filler.count).joined()) + [0xFF, 0xFF, 0]
        #expect(try widths(bytes + Self.jpeg(9)).widths == [9])
    }

    @Test func `after a frame truncated anywhere, later frames are found again`() throws {
        let (first, second) = (try Self.jpeg(9), Self.part(try Self.jpeg(16), ""))
        // Half of a segment's length field may hide the maximum number of bytes of a segment.
        let rest = [[UInt8]](repeating: second, count: 2 + 65_536 / second.count).flatMap { $0 }
        for count in stride(from: 2, to: first.count, by: 5) {
            let stream = Self.part(Array(first.prefix(count)), "") + rest
            var splitter = MJPEGSplitter()
            splitter.append(stream)
            var found: [Int] = []
            while let frame = try splitter.next() { found.append(frame.size.width) }
            // A header and the data of another frame may look like one frame; decoders detect that.
            #expect(found.last == 16 && found.filter { $0 != 16 }.count <= 1, "cut at \(count)")
        }
    }

    @Test func `damaged streams yield the same frames, however the bytes arrive`() throws {
        var random = SeededGenerator(state: 7)
        let whole = try [9, 16, 33].flatMap { Self.part(try Self.jpeg($0), "") }
        for round in 0..<200 {
            var stream = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<stream.count, using: &random)
                let values = [0xFF, 0xD8, 0xD9, 0, UInt8.random(in: 0...255, using: &random)]
                stream[index] = values[Int.random(in: 0..<values.count, using: &random)]
            }
            let expected = Self.frames(stream, piece: .max)
            for piece in [1, 13, 100] { #expect(Self.frames(stream, piece: piece) == expected, "round \(round)") }
        }
    }

    /// The frames up to the first error.
    private static func frames(_ bytes: [UInt8], piece: Int) -> [MJPEGSplitter.Frame] {
        var limits = MJPEGSplitter.Limits()
        (limits.frameBytes, limits.gapBytes) = (1000, 600)
        var splitter = MJPEGSplitter(limits: limits)
        var (frames, position): ([MJPEGSplitter.Frame], Int) = ([], 0)
        while position < bytes.count {
            let end = position + min(piece, bytes.count - position)
            splitter.append(bytes[position..<end])
            position = end
            do {
                while let frame = try splitter.next() { frames.append(frame) }
            } catch {
                return frames
            }
        }
        return frames
    }

    /// A generator with a fixed seed: SplitMix64.
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    @Test func `a thumbnail inside a frame is not a frame`() throws {
        let (outer, inner) = (try Self.jpeg(33), try Self.jpeg(9))
        let segment = [0xFF, 0xE1, UInt8((inner.count + 2) >> 8), UInt8((inner.count + 2) & 255)] + inner
        let found = try widths(Array(outer.prefix(2)) + segment + outer.dropFirst(2))
        #expect(found.widths == [33])
    }

    @Test func `a frame without an end marker counts as damaged`() throws {
        let found = try widths(try Self.jpeg(9) + Self.jpeg(16).dropLast(2))
        #expect(found.widths == [9])
        #expect(found.damaged == 1)
    }

    @Test func `frames above the pixel limits are skipped`() throws {
        var limits = MJPEGSplitter.Limits()
        limits.side = 20
        let found = try widths(try [9, 33, 16].flatMap(Self.jpeg), limits: limits)
        #expect(found.widths == [9, 16])
        #expect(found.damaged == 1)
        limits.side = 100
        limits.pixels = 16 * 8
        #expect(try widths(try [9, 33, 16].flatMap(Self.jpeg), limits: limits).widths == [9, 16])
    }

    @Test(arguments: [1, 100, .max])
    func `a frame above the byte limit ends the stream`(piece: Int) throws {
        var limits = MJPEGSplitter.Limits()
        limits.frameBytes = 2000
        let jpeg = try Self.jpeg(9)
        let scan = Array(jpeg.dropLast(2)) + [UInt8](repeating: 7, count: 5000)
        #expect(throws: VideoError.self) { try widths(jpeg + scan, piece: piece, limits: limits) }
    }

    @Test(arguments: ["--frame\r\nX-Endless: ", "<html>", "\u{0}"])
    func `a stream without a frame ends at the byte limit`(text: String) throws {
        var limits = MJPEGSplitter.Limits()
        limits.gapBytes = 1000
        let stream = Array(String(repeating: text, count: 1 + 1000 / text.utf8.count).utf8)
        #expect(throws: VideoError.self) { try widths(stream, piece: 50, limits: limits) }
        #expect(try widths(Array(stream.prefix(1000)), piece: 50, limits: limits).widths == [])
    }

    @Test func `the reader returns the same frames`() throws {
        let stream = try [9, 16, 33].flatMap { Self.part(try Self.jpeg($0), "") }
        var position = 0
        var reader = MJPEGReader(
            ByteReader { buffer in
                let count = min(100, buffer.count, stream.count - position)
                for index in 0..<count { buffer[index] = stream[position + index] }
                position += count
                return count
            }
        )
        var found: [Int] = []
        while let frame = try reader.next() { found.append(frame.size.width) }
        #expect(found == [9, 16, 33])
        #expect(try reader.next() == nil)
    }
}
