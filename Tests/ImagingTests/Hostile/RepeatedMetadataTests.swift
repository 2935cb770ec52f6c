import Geometry
import Glibc
import Imaging
import TestPacing
import TestImages
import Testing

/// Processor time must be proportional to the bytes of metadata, even if lists in them repeat entries.
@Suite(.limitedConcurrency) struct RepeatedMetadataTests {
    private static let size = PixelSize(width: 16, height: 16)

    /// The processor time of this thread in seconds; the minimum of three measurements.
    private func time(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        return (0..<3).map { _ in
            let start = now()
            body()
            return now() - start
        }.min() ?? 0
    }

    /// A directory with entries that all refer to one text of `length` bytes.
    private static func tiff(entries: Int, length: Int, character: Character = "a") -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let place = 8 + 2 + 12 * entries + 4
        let directory = (0..<entries).flatMap { entry in
            [number(entry.isMultiple(of: 2) ? 0x013B : 0x8298, 2), number(2, 2), number(length, 4), number(place, 4)]
                .flatMap(\.self)
        }
        let text = Array(repeating: character.asciiValue ?? 0, count: length)
        return [Array("II*\0".utf8), number(8, 4), number(entries, 2), directory, number(0, 4), text].flatMap(\.self)
    }

    @Test(arguments: ["a", " "] as [Character])
    func `many entries that refer to one long text cost no more than a few entries`(character: Character) throws {
        func file(_ tiff: [UInt8]) -> [UInt8] { WebPFile.riff(WebPFile.chunk("EXIF", tiff)) }
        for (entries, length) in [(4_000, 48_000), (20_000, 200_000), (60_000, 19_000_000)] {
            let many = file(Self.tiff(entries: entries, length: length, character: character))
            // The first case took 2 s before the search stopped at the first text.
            let seconds = time {
                let notice = CopyrightNotice(of: many, format: .webp)
                #expect((notice == nil) == (character == " "))
            }
            #expect(seconds < 0.2, "\(many.count) bytes: \(seconds) s")
        }
    }

    @Test func `the first valid artist and copyright are used`() throws {
        let own = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        var tiff = own
        // The entry for the camera's model becomes a first artist entry with an empty text.
        tiff[10] = 0x3B
        tiff[11] = 0x01
        let text = try #require(tiff.firstRange(of: Array("SecretCamera".utf8)))
        tiff.replaceSubrange(text, with: Array(repeating: 0x20, count: text.count))
        let notice = try #require(CopyrightNotice(of: WebPFile.riff(WebPFile.chunk("EXIF", tiff)), format: .webp))
        #expect(notice.artist == "Ana" && notice.copyright == "Ben")
        let two = CameraMetadata.tiff(artist: "Ana", copyright: "Eve")
        var first = two
        first[10] = 0x3B
        first[11] = 0x01
        let again = try #require(CopyrightNotice(of: WebPFile.riff(WebPFile.chunk("EXIF", first)), format: .webp))
        #expect(again.artist == "SecretCamera" && again.copyright == "Eve")
    }

    @Test func `a long character reference in XMP is not looked up`() throws {
        let marks = String(repeating: "e\u{301}", count: 1) + String(repeating: "\u{301}\u{316}", count: 2000)
        let xmp = CameraMetadata.xmp(
            creators: Array(repeating: "&\(marks);", count: 20),
            rights: "&\(marks);",
            credit: "&#233;&amp;"
        )
        let file = WebPFile.riff(WebPFile.chunk("XMP ", xmp))
        let seconds = time { #expect(CopyrightNotice(of: file, format: .webp)?.credit == "\u{E9}&") }
        #expect(seconds < 0.2, "\(seconds) s")
    }

    /// A GIF with bytes before its only frame.
    private static func gif(_ bytes: [UInt8]) -> [UInt8] {
        let frame = GIFFile.Frame(PixelRect(size)) { x, y in UInt8((x + y) % 2) }
        let file = GIFFile(size, palette: [(0, 0, 0), (255, 255, 255)], frames: [frame]).bytes
        // After the screen descriptor and its two colours.
        return file.prefix(13 + 6) + bytes + file.dropFirst(13 + 6)
    }

    @Test func `GIF comments are skipped, and the number of control blocks before a frame is limited`() throws {
        let comments: [[UInt8]] = [
            [0x21, 0xFE, 0], [0x21, 0xFE, 1, 0x61, 0], [0x21, 0x99, 3, 1, 2, 3, 1, 4, 0],
            [0x21, 0xFF, 11] + "XMP DataXMP".utf8 + [1, 0x3C, 0],
        ]
        let plain = try ImageDecoder.decode(Self.gif([]), header: try ImageHeader.read(Self.gif([])))
        for comment in comments {
            let file = Self.gif(Array(repeating: comment, count: 20_000).flatMap(\.self))
            let image = try ImageDecoder.decode(file, header: try ImageHeader.read(file))
            #expect(ImageDifference(image.planes[0], plain.planes[0]).maximum == 0)
            // Truncated in the middle of a comment.
            let cut = Array(file.prefix(19 + comment.count - 1))
            #expect(throws: CodecError.truncated(.gif)) { try ImageHeader.read(cut) }
        }
        let control: [UInt8] = [0x21, 0xF9, 4, 0, 0, 0, 0, 0]
        for (count, isRead) in [(900, true), (1100, false), (100_000, false)] {
            let file = Self.gif(Array(repeating: control, count: count).flatMap(\.self))
            #expect(((try? ImageHeader.read(file)) != nil) == isRead, "\(count)")
        }
    }

    @Test(arguments: ["tEXt", "PLTE", "gAMA", "abcd"], [(9_900, true), (10_100, false), (100_000, false)])
    func `a PNG with more chunks than any program writes is rejected`(kind: String, few: (count: Int, isRead: Bool)) {
        let chunks = Array(repeating: (kind, Array("a\0b".utf8)), count: few.count)
        let file = OddPNG(.gray, chunks: chunks).encode(Self.size) { _, _, _ in 7 }
        #expect(((try? ImageHeader.read(file)) != nil) == few.isRead)
    }

    @Test func `the time for many parts of a JPEG's profile is proportional to their bytes`() throws {
        let image = try ImageEncoder.encode(TestImage.waves(Self.size), as: .jpeg)
        let part = [0xFF, 0xE2, 0, 18] + Array("ICC_PROFILE\0\u{1}".utf8) + [250, 0, 0]
        func seconds(_ count: Int) -> Double {
            let parts = Array(repeating: part, count: count).flatMap(\.self)
            let file: [UInt8] = image.prefix(2) + parts + image.dropFirst(2)
            return time { #expect(throws: Never.self) { try ImageHeader.read(file) } }
        }
        let (few, many) = (seconds(5_000), seconds(50_000))
        #expect(many < 30 * few + 0.01, "\(few) s, \(many) s")
    }

    /// The runs of an 8-bit bitmap, all of them in its first row.
    @Test func `the time for runs beyond the right edge of a bitmap is proportional to their bytes`() throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let fields = [(40, 4), (16, 4), (16, 4), (1, 2), (8, 2), (1, 4), (0, 4), (0, 4), (0, 4), (256, 4), (0, 4)]
        let head: [UInt8] = fields.flatMap { number($0.0, $0.1) }
        let colors: [UInt8] = (UInt8.min...UInt8.max).flatMap { [$0, $0, $0, 0] }
        let runs: [UInt8] = Array(repeating: [255, 9], count: 1_000_000).flatMap(\.self) + [0, 1]
        let place = 14 + head.count + colors.count
        let start = Array("BM".utf8) + number(place + runs.count, 4) + number(0, 4) + number(place, 4)
        let file = start + head + colors + runs
        let header = try ImageHeader.read(file)
        var image: PlanarImage?
        // In a build without optimisation, 255 steps for every two bytes took half a minute.
        let seconds = time { image = try? ImageDecoder.decode(file, header: header) }
        #expect(seconds < 3, "\(seconds) s")
        let plane = try #require(image?.planes[0])
        #expect((0..<16).allSatisfy { plane[x: $0, y: 15] == 9 } && plane[x: 0, y: 14] == 0)
    }

    /// An image list in which every entry refers to the same part.
    @Test func `a part that an image list repeats is searched once`() throws {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        func file(entries: Int) throws -> [UInt8] {
            let image = try ImageEncoder.encode(TestImage.waves(Self.size), as: .jpeg)
            let packet = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(repeating: 0x61, count: 65_000)
            let part: [UInt8] =
                [[0xFF, 0xD8, 0xFF, 0xE1], number(packet.count + 2, 2), packet, [0xFF, 0xD9]].flatMap(\.self)
            let listLength = 8 + 2 + 12 + 4 + 16 * entries
            // The distance from the list's header to the part at the end of the file.
            let offset = listLength + image.count - 2
            let entry = [number(0, 4), number(part.count, 4), number(offset, 4), number(0, 4)]
            let images = Array(repeating: entry.flatMap(\.self), count: entries).flatMap(\.self)
            let header: [[UInt8]] = [[0x4D, 0x4D, 0, 0x2A], number(8, 4), number(1, 2)]
            let field = [number(0xB002, 2), number(7, 2), number(16 * entries, 4), number(26, 4), number(0, 4)]
            let list = (header + field).flatMap(\.self) + images
            let segment: [UInt8] =
                [[0xFF, 0xE2], number(list.count + 6, 2), Array("MPF\0".utf8), list].flatMap(\.self)
            return image.prefix(2) + segment + image.dropFirst(2) + part
        }
        let (few, many) = (try file(entries: 2), try file(entries: 90))
        let once = time { #expect(GainMap(jpeg: few) == nil) }
        let often = time { #expect(GainMap(jpeg: many) == nil) }
        #expect(often < 3 * once + 0.002, "\(once) s, \(often) s")
    }

    #if TIFF
    /// A TIFF with additional entries with unknown tags.
    ///
    /// The values of each entry have `count` bytes at the end of the file.
    private static func tiff(others: Int, of count: Int, isShared: Bool) throws -> [UInt8] {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        var file = try #require(TIFFFile.samples.first { $0.name == "tiff-rgb" }).bytes
        let entries = Int(file[8]) | Int(file[9]) << 8
        let known = file[10..<10 + 12 * entries]
        let place = file.count
        file.replaceSubrange(4..<8, with: number(place, 4))
        let values = place + 2 + 12 * (entries + others) + 4
        let further: [UInt8] = (0..<others).flatMap { index in
            let start = values + (isShared ? 0 : index * count)
            return [number(40_000 + index, 2), number(1, 2), number(count, 4), number(start, 4)].flatMap(\.self)
        }
        let content = [UInt8](repeating: 7, count: isShared ? count : others * count)
        return file + number(entries + others, 2) + known + further + number(0, 4) + content
    }

    @Test func `TIFF entries that share their values are rejected`() throws {
        // libtiff kept a copy for each entry: 400 MB for a file of 440 KB.
        for (others, count) in [(500, 60_000), (900, 440_000), (900, 20_000_000)] {
            let file = try Self.tiff(others: others, of: count, isShared: true)
            let seconds = time { #expect(throws: CodecError.self) { try ImageHeader.read(file) } }
            #expect(seconds < 0.2, "\(file.count) bytes: \(seconds) s")
        }
        // libtiff sorted all previous entries for each additional entry.
        let many = try Self.tiff(others: 4000, of: 4, isShared: true)
        #expect(throws: CodecError.self) { try ImageHeader.read(many) }
    }

    @Test func `TIFF entries with separate values are accepted`() throws {
        for (others, count) in [(900, 8), (30, 100_000)] {
            let file = try Self.tiff(others: others, of: count, isShared: false)
            let header = try ImageHeader.read(file)
            #expect(throws: Never.self) { try ImageDecoder.decode(file, header: header) }
        }
    }
    #endif
}
