@testable import Batch
import Geometry
@testable import HTTPServer
@testable import HeadroomAPI
@testable import Imaging
import Requests
import TestImages
import Video

/// Readers of structures. Their work must be proportional to the number of bytes, even if a part of a file is repeated.
extension Fuzzer {
    /// Returns a fuzzer of a reader whose inputs are ``GrownFile`` values.
    private static func reader(
        _ name: String,
        seeds: @escaping @Sendable () throws -> [[UInt8]],
        _ read: @escaping @Sendable ([UInt8]) -> Void
    ) -> Fuzzer {
        Fuzzer(name: "read-\(name)", maxLength: 4096, seeds: seeds) { input in
            let bytes = GrownFile(input).bytes
            let start = Work.now
            read(bytes)
            Work.check(since: start, bytes: bytes.count, pixels: 0, .ofReaders, in: "read-\(name)")
        }
    }

    static var readers: [Fuzzer] {
        var all: [Fuzzer] = [
            chunks, riff, segments, blocks, exifReader, xmp, imageList, profiles, bitmaps, lists, archives,
            jpegStreams,
            rawStreams, forms, heads, objects, brands,
        ]
        #if AVIF || HEIC
        all.append(boxes)
        #endif
        #if TIFF
        all.append(directories)
        #endif
        return all
    }

    private static func grown(_ files: [[UInt8]], _ lengths: GrownFile.Lengths) -> [[UInt8]] {
        files.filter { $0.count < 4000 }.flatMap { GrownFile.seeds($0, lengths) }
    }

    /// The structure of an image file, its metadata, and its frames without their pixels.
    private static func readStructure(_ bytes: [UInt8]) {
        guard let header = try? ImageHeader.read(bytes) else { return }
        _ = CopyrightNotice(of: bytes, format: header.format)
        if GainMap.isRead(in: header.format) { _ = GainMap(bytes, format: header.format) }
    }

    #if AVIF || HEIC
    /// Boxes of HEIF files: items, properties, references, and tables of sequences.
    private static let boxes = reader("boxes") {
        var files: [[UInt8]] = []
        #if AVIF
        files += CodedFile.avif.map(\.bytes) + [SequenceFile.avif]
        #endif
        #if HEIC
        files += CodedFile.heic.map(\.bytes)
        #endif
        return grown(files, .boxes)
    } _: {
        readStructure($0)
    }
    #endif

    /// Chunks of PNG, of animated PNG, and of Xcode's variant.
    private static let chunks = reader("chunks") {
        let size = PixelSize(width: 4, height: 4)
        let tiff = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        let xmp = CameraMetadata.xmp(creators: ["A"], rights: "B", credit: "C")
        let texts: [(String, [UInt8])] = [
            ("tEXt", Array("Author\0Ana".utf8)), ("tEXt", Array("Copyright\0 ".utf8)), ("eXIf", tiff),
            ("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp), ("zTXt", Array("a\0\0".utf8)),
            ("sPLT", Array("a\0".utf8) + [8, 1, 2, 3, 4, 0, 1]), ("gAMA", [0, 0, 0xB1, 0x8F]),
            ("tIME", [7, 0, 1, 1, 1, 1, 1]),
        ]
        let kinds: [OddPNG] = [
            OddPNG(.rgb, chunks: texts), OddPNG(.rgb, chunks: [("CgBI", [0x50, 0, 0x20, 2])] + texts),
        ]
        var files = kinds.map { $0.encode(size) { x, _, _ in x } }
        // Xcode's chunk comes first.
        let plain = files[0]
        files.append(Array(plain[..<8]) + PNGChunks.chunk("CgBI", [0x50, 0, 0x20, 2]) + plain[8...])
        return grown(files + SeedAnimations.apng() + Array(SeedImages.png().prefix(4)), .chunks)
    } _: {
        readStructure($0)
    }

    /// Chunks of WebP.
    private static let riff = reader("riff") {
        let tiff = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        let xmp = CameraMetadata.xmp(creators: ["A"], rights: "B", credit: "C")
        let file = WebPFile.riff(WebPFile.chunk("EXIF", tiff) + WebPFile.chunk("XMP ", xmp))
        return grown(try SeedAnimations.webp() + Array(SeedImages.webp().prefix(6)) + [file], .riff)
    } _: {
        readStructure($0)
    }

    /// Segments of JPEG: EXIF, XMP, records of Photoshop, lists of images, gain maps.
    private static let segments = reader("segments") {
        let jpeg = try ImageEncoder.encode(TestImage.gradient(PixelSize(width: 4, height: 4)), as: .jpeg)
        let tiff = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        let xmp = CameraMetadata.xmp(creators: ["A &amp; B"], rights: "&#169; C", credit: "D")
        let resources = CameraMetadata.photoshop(records: [(80, "Ana"), (110, "B"), (116, "C")])
        let maps = try UltraHDRFile.Form.allCases.map {
            try UltraHDRFile.sample(PixelSize(width: 24, height: 16), $0)
        }
        let parts: [(UInt8, [UInt8])] = [
            (0xE1, Array("Exif\0\0".utf8) + tiff), (0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp),
            (0xED, Array("Photoshop 3.0\0".utf8) + resources), (0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1]),
        ]
        let files = parts.map { TestImages.JPEGSegments.inserting($0.0, $0.1, into: jpeg) }
        return grown(files + maps, .segments) + grown(files, .none)
    } _: {
        readStructure($0)
    }

    /// Blocks of GIF.
    private static let blocks = reader("blocks") {
        grown(SeedImages.gif() + SeedAnimations.gif(), .none)
    } _: {
        readStructure($0)
    }

    /// The structure of EXIF.
    private static let exifReader = reader("exif") {
        let tiff = CameraMetadata.tiff(artist: "Ana", copyright: "Ben")
        // Each entry of the directory; the number of entries is at 8.
        let entries = (0..<5).map { GrownFile.input(tiff, .none, from: 10 + 12 * $0, count: 12, counter: 8) }
        return entries + grown([tiff] + [true, false].map { ExifBlock.tiff(orientation: 6, isBigEndian: $0) }, .none)
    } _: { bytes in
        _ = EXIF.orientation(bytes.span)
        _ = EXIF.notice(bytes.span)
    }

    /// Packets of XMP: notices, and the properties of gain maps.
    private static let xmp = reader("xmp") {
        let packet = CameraMetadata.xmp(creators: ["A &amp; B", "C"], rights: "&#169; C", credit: "D")
        let map = Array("<rdf:Description \(UltraHDRFile.properties)><Container:Item Item:Length=\"9\"/>".utf8)
        return grown(
            [packet, map, XMPPacket.bytes(of: CopyrightNotice(artist: "A", copyright: "B", credit: "C"))],
            .none
        )
    } _: { bytes in
        _ = XMPPacket(bytes[...]).notice
        let segment = JPEGSegments.segment(0xE1, JPEGSegments.xmpName, Array(bytes.prefix(65_000)))
        _ = GainMap(jpeg: [0xFF, 0xD8] + segment + [0xFF, 0xD9])
    }

    /// The list of images in a segment: its content, without the name.
    private static let imageList = reader("image-list") {
        let fields: [[UInt8]] = [
            [0xB0, 0, 0, 7, 0, 0, 0, 4, 0x30, 0x31, 0x30, 0x30], [0xB0, 1, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2],
            [0xB0, 2, 0, 7, 0, 0, 0, 32, 0, 0, 0, 50],
        ]
        let images: [UInt8] = Array(repeating: 0, count: 24) + [0, 0, 0, 90, 0, 0, 0, 0]
        let list = [[0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 3]] + fields + [[0, 0, 0, 0], images]
        let bytes = list.flatMap(\.self)
        return grown([bytes], .none)
            + (0..<3).map { GrownFile.input(bytes, .none, from: 10 + 12 * $0, count: 12, counter: 8) }
    } _: { bytes in
        let list = JPEGSegments.segment(0xE2, "MPF\0", Array(bytes.prefix(65_000)))
        let map: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0, 0, 0xFF, 0xD9]
        _ = GainMap(jpeg: [0xFF, 0xD8] + list + [0xFF, 0xD9] + map + bytes.dropFirst(65_000) + map)
    }

    /// Colour profiles.
    private static let profiles = reader("profiles") {
        let adobe = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2))
        let table = ColorProfile(table: "RGB ") { [Double($0.reduce(0, +)) * 33, 0, 0] }
        // The number of tags is at 128.
        let tags = (0..<3).map { GrownFile.input(adobe.bytes, .none, from: 132 + 12 * $0, count: 12, counter: 130) }
        return grown([adobe.bytes, ColorProfile(gray: .srgb).bytes, table.bytes], .none) + tags
    } _: { bytes in
        guard let profile = ICCProfile(bytes) else { return }
        for model in [ColorModel.gray, .rgb, .cmyk] { _ = ColorTransform(profile, source: model) }
    }

    /// Bitmaps and icons, with their pixels: runs and masks.
    private static let bitmaps = reader("bitmaps") {
        grown((BMPFile.samples + ICOFile.samples).map(\.bytes), .none)
    } _: {
        bytes in
        guard let header = try? ImageHeader.read(bytes) else { return }
        _ = try? ImageDecoder.decode(bytes, header: header, limits: DecodeLimits(maxPixels: 1 << 10, maxBytes: 1 << 25))
    }

    #if TIFF
    /// Directories of TIFF.
    private static let directories = reader("directories") {
        let files = TIFFFile.samples.map(\.bytes).filter { $0.count < 4000 }
        let entries = files.filter { $0.starts(with: [0x49, 0x49, 0x2A, 0]) }.flatMap { file -> [[UInt8]] in
            let place = Int(file[4]) | Int(file[5]) << 8
            return (0..<8).map { GrownFile.input(file, .none, from: place + 2 + 12 * $0, count: 12, counter: place) }
        }
        return entries + grown(files, .none)
    } _: {
        readStructure($0)
    }
    #endif

    /// Lists of a batch: names, JSON Lines and CSV.
    private static let lists = reader("lists") {
        let texts = [
            "a.jpg\r\nhttps://h/b.png?c\n../d\n\n/e",
            "{\"file\":\"a.jpg\",\"width\":4e2,\"zoom\":null}\n{\"url\":\"http://h/\"}\n",
            "file,key,aspect\r\n\"a\"\"b\nc.jpg\",k,1:1\r\nd.jpg,,\r\n", "file\n\"never closed\r\n\"\"",
        ]
        return grown(texts.map { Array($0.utf8) }, .none)
    } _: { bytes in
        for grammar in [ListReader.Grammar.names, .jsonLines] {
            var reader = ListReader(FuzzedFile.with(bytes), grammar)
            while (try? reader.next()) != nil {}
        }
        guard var reader = try? CSVReader(FuzzedFile.with(bytes)) else { return }
        while (try? reader.next()) != nil {}
    }

    /// Archives of a batch.
    private static let archives = reader("archives") {
        let image = TarWriter.header("a/b.jpg", size: 3) + [1, 2, 3] + TarWriter.padding(3)
        let file = image + TarWriter.header("a/b.json", size: 0) + TarWriter.header("c.txt", size: 0)
        let blocks = stride(from: 0, to: file.count, by: 512).map {
            GrownFile.input(file, .none, from: $0, count: 512)
        }
        return blocks + [[UInt8](repeating: 0, count: GrownFile.headerBytes) + file + TarWriter.end]
    } _: { bytes in
        guard var reader = try? TarReader(FuzzedFile.with(bytes)) else { return }
        while (try? reader.next()) != nil {}
    }

    /// Streams of JPEG frames, in pieces like reads from a pipe.
    private static let jpegStreams = reader("jpeg-streams") {
        let jpeg = try ImageEncoder.encode(TestImage.gradient(PixelSize(width: 4, height: 4)), as: .jpeg)
        let part = Array("--b\r\nContent-Type: image/jpeg\r\n\r\n".utf8) + jpeg + Array("\r\n".utf8)
        return grown([jpeg, part], .segments) + grown([part], .none)
    } _: { bytes in
        for piece in [1 << 16, 100] {
            var splitter = MJPEGSplitter()
            var rest = bytes[...]
            while !rest.isEmpty {
                splitter.append(rest.prefix(piece))
                rest = rest.dropFirst(piece)
                do { while try splitter.next() != nil {} } catch { break }
            }
            splitter.finish()
        }
    }

    /// Streams of raw frames.
    private static let rawStreams = reader("raw-streams") {
        let file = Array("YUV4MPEG2 W2 H2 F25:1 Ip A1:1 C420jpeg XA=B\nFRAME Ip\n123456FRAME\n123456".utf8)
        return grown([file], .none)
    } _: { bytes in
        var position = 0
        let source = ByteReader { buffer in
            let count = min(buffer.count, bytes.count - position)
            for index in 0..<count { buffer[index] = bytes[position + index] }
            position += count
            return count
        }
        guard var reader = try? Y4MReader(source), reader.header.size.area < 1 << 10 else { return }
        while (try? reader.next()) != nil {}
    }

    /// Forms with a boundary `b`.
    private static let forms = reader("forms") {
        let image = "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a;\\\".jpg\"\r\n\r\n12\r\n"
        let texts = [
            "preamble\r\n\(image)--b\r\nContent-Disposition: form-data; name=width\r\n\r\n400\r\n--b--",
            "\r\n--\r\n--b--",
        ]
        return grown(texts.map { Array($0.utf8) }, .none)
    } _: { bytes in
        for boundary in ["b", String(repeating: "-", count: 60)] {
            _ = try? MultipartForm(bytes, contentType: "multipart/form-data; boundary=\(boundary)")
        }
    }

    /// Requests with the default limits, in pieces like network packets.
    private static let heads = reader("heads") {
        let texts = [
            "GET /frame?a=b HTTP/1.1\r\nHost: h\r\nAccept: image/webp, */*;q=0.5\r\nX: y\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3;a=\"b\"\r\nabc\r\n0\r\nTrailer: x\r\n\r\n",
            "\r\nGET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, close\r\n\r\n",
        ]
        return grown(texts.map { Array($0.utf8) }, .none)
    } _: { bytes in
        var parser = RequestParser(limits: ServerConfiguration())
        var buffer = InputBuffer()
        var rest = bytes[...]
        while !rest.isEmpty {
            rest.prefix(1400).withUnsafeBytes { buffer.append($0) }
            rest = rest.dropFirst(1400)
            do {
                events: while true {
                    if case .incomplete = try parser.next(&buffer) { break events }
                }
            } catch { return }
        }
    }

    /// Parameters: JSON, queries, and fields with lists.
    private static let objects = reader("objects") {
        let texts = [
            "{\"url\": \"http://h/\", \"width\": 3, \"zoom\": 1e-1, \"lossless\": true, \"a\": \"\\ud83d\\ude00\\u0000\"}",
            "url=https%3A%2F%2Fh%2Fa.jpg&aspect=16:9,1.5&width=400&gravity=face:2&padding=24px",
            "focus=0.2,0.1,0.3,0.4;5px,0,9px,1,2.5&redactAreas=0,0,9px,0.5;0.5,0,1,1&filter=mono,blur:2.5",
        ]
        return grown(texts.map { Array($0.utf8) }, .none)
    } _: { bytes in
        if let object = try? ParameterObject(bytes) { _ = try? FrameParameters(object.pairs, known: Parameter.all) }
        if let query = try? SignedQuery(String(decoding: bytes, as: UTF8.self)) {
            _ = try? FrameParameters(query.pairs, known: Parameter.all)
        }
    }

    /// The first bytes of files in other formats, such as videos and documents.
    private static let brands = reader("brands") {
        let video: [UInt8] = [[0, 0, 0, 20], Array("ftypisom".utf8), [0, 0, 0, 1], Array("mp42".utf8)].flatMap(\.self)
        return grown([video, Array("  \n<?xml version='1.0'?><svg/>".utf8), [0, 0, 2, 0, 1, 0]], .none)
    } _: { bytes in
        _ = InputFormat.sniff(bytes)
        _ = ForeignFormat.sniff(bytes)
    }
}
