#if AVIF
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

@Suite(.limitedConcurrency) struct AVIFSequenceTests {
    @Test func `frames have their colours and times`() throws {
        let info = try #require(try ImageHeader.read(SequenceFile.avif).animation)
        #expect(info.frames == 3 && info.duration == 450 && info.plays == 0)
        let frames = try Animations.frames(SequenceFile.avif)
        #expect(frames.map(\.milliseconds) == [100, 250, 100])
        for (frame, color) in zip(frames, SequenceFile.colors) {
            let rgb = try ImageEncoder.encode(frame.image, as: .png)
            let image = try ImageDecoder.decode(rgb, header: try ImageHeader.read(rgb))
            for (plane, value) in zip(image.planes, [color.0, color.1, color.2]) {
                #expect(abs(Int(plane[x: 12, y: 8]) - Int(value)) < 12)
            }
        }
    }

    private static func place(of name: String, in bytes: [UInt8]) throws -> Int {
        try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound
    }

    /// The sequence without the items for its first image.
    private static func withoutItems() throws -> [UInt8] {
        var bytes = SequenceFile.avif
        let place = try place(of: "meta", in: bytes)
        bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
        return bytes
    }

    private static func expectFrames(_ bytes: [UInt8], _ comment: Comment) throws {
        let info = try #require(try ImageHeader.read(bytes).animation, comment)
        #expect(info.frames == 3 && info.duration == 450, comment)
        let (frames, whole) = (try Animations.frames(bytes), try Animations.frames(SequenceFile.avif))
        try #require(frames.count == 3, comment)
        for (frame, other) in zip(frames, whole) {
            #expect(frame.image.planes.map(\.size) == other.image.planes.map(\.size), comment)
            #expect(ImageDifference(frame.image, other.image).maximum == 0, comment)
        }
        let still = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes))
        #expect(ImageDifference(still, whole[0].image).maximum == 0, comment)
    }

    @Test func `a sequence without items is decoded, regardless of its brands`() throws {
        let bytes = try Self.withoutItems()
        try Self.expectFrames(bytes, "the brand of sequences first")
        var other = bytes
        other.replaceSubrange(8..<12, with: Array("avif".utf8))
        try Self.expectFrames(other, "the brand of stills first")
        other.replaceSubrange(8..<12, with: Array("msf1".utf8))
        try Self.expectFrames(other, "another brand first")
    }

    /// A track that libavif would reject, because audio tracks have no width and height.
    private static var sound: [UInt8] {
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] { HEIFWriter.box(name, content) }
        let blank = [UInt8](repeating: 0, count: 68)
        let header = box("tkhd", [0, 0, 0, 7] + blank.prefix(8) + HEIFWriter.long(9) + blank)
        let entry = box("mp4a", Array(repeating: 0, count: 28))
        let tables =
            box("stsd", [0, 0, 0, 0] + HEIFWriter.long(1) + entry) + box("stco", Array(repeating: 0, count: 8))
        let handler = box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("soun".utf8) + Array(repeating: 0, count: 13))
        return box("trak", header + box("mdia", handler + box("minf", box("stbl", tables))))
    }

    @Test(arguments: [false, true], [false, true])
    func `an audio track has no effect`(isFirst: Bool, hasItems: Bool) throws {
        var bytes = hasItems ? SequenceFile.avif : try Self.withoutItems()
        let (movie, track) = (try Self.place(of: "moov", in: bytes), try Self.place(of: "trak", in: bytes))
        func number(_ place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
        func add(_ place: Int) {
            bytes.replaceSubrange(place..<place + 4, with: HEIFWriter.long(number(place) + Self.sound.count))
        }
        // Inserting the track moves the image data, so the offsets of the only chunk and of the item must change.
        add(try Self.place(of: "stco", in: bytes) + 12)
        if hasItems { add(try Self.place(of: "iloc", in: bytes) + 18) }
        let end = movie - 4 + number(movie - 4)
        add(movie - 4)
        bytes.insert(contentsOf: Self.sound, at: isFirst ? track - 4 : end)
        try Self.expectFrames(bytes, "first \(isFirst), items \(hasItems)")
    }

    @Test func `a track configuration that contradicts the images has no effect`() throws {
        var bytes = try Self.withoutItems()
        // The configuration of the item comes first in the file.
        let track = try Self.place(of: "trak", in: bytes)
        let place = track + (try Self.place(of: "av1C", in: Array(bytes[track...])))
        #expect(Array(bytes[place + 4..<place + 8]) == [0x81, 0, 0x0C, 0])
        for (profile, flags) in [(0x20, 0x00), (0x40, 0x08), (0, 0x1C), (0, 0x4C)] as [(UInt8, UInt8)] {
            bytes.replaceSubrange(place + 5..<place + 7, with: [profile, flags])
            try Self.expectFrames(bytes, "\(profile), \(flags)")
        }
    }

    @Test func `a truncated sequence has fewer frames or is rejected`() throws {
        for count in stride(from: 0, to: SequenceFile.avif.count, by: 7) {
            let cut = Array(SequenceFile.avif[..<count])
            guard let info = try? ImageHeader.read(cut).animation else { continue }
            let frames = try? Animations.frames(cut)
            #expect((frames?.count ?? 0) <= info.frames)
        }
    }
}
#endif
