import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// JPEG markers that other decoders accept as well: repeated profiles, a late height, trailers.
@Suite(.limitedConcurrency) struct JPEGMarkerTests {
    private static let size = PixelSize(width: 45, height: 38)

    private static func file(
        isProgressive: Bool = false,
        isArithmetic: Bool = false,
        _ color: OddJPEG.Color = .ycbcr
    ) throws -> [UInt8] {
        try OddJPEG(color, isProgressive: isProgressive, isArithmetic: isArithmetic).encode(size) { part, x, y in
            [x * 5, 255 - y * 4, x + y * 3, 99][part]
        }
    }

    private static func decode(_ bytes: [UInt8], scale: DecodeScale = .full) throws -> PlanarImage {
        let image = try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes), scale: scale)
        #expect(!image.isDamaged)
        return image
    }

    // MARK: Profiles

    /// A file with one profile segment for each part, in order.
    private static func profiled(_ parts: [(number: UInt8, of: UInt8, bytes: ArraySlice<UInt8>)]) throws -> [UInt8] {
        parts.reversed().reduce(try file()) { file, part in
            JPEGSegments.inserting(
                0xE2,
                Array("ICC_PROFILE\0".utf8) + [part.number, part.of] + Array(part.bytes),
                into: file
            )
        }
    }

    @Test func `a profile that a file contains twice is used`() throws {
        let first = ColorProfile(ColorProfile.displayP3Colorants, .srgb).bytes
        let other = ColorProfile(ColorProfile.adobeColorants, .gamma(2.2)).bytes
        let (head, tail) = (first[..<200], first[200...])
        let cases: [(name: String, parts: [(UInt8, UInt8, ArraySlice<UInt8>)])] = [
            ("once", [(1, 1, first[...])]),
            ("twice", [(1, 1, first[...]), (1, 1, first[...])]),
            ("two profiles", [(1, 1, first[...]), (1, 1, other[...])]),
            ("twice in two parts", [(1, 2, head), (2, 2, tail), (1, 2, head), (2, 2, tail)]),
            ("in the other order", [(2, 2, tail), (1, 2, head)]),
            ("one part in several copies", [(1, 2, head), (1, 2, head), (2, 2, tail)]),
            ("whole, then in parts", [(1, 1, first[...]), (1, 2, head), (2, 2, tail)]),
            ("numbers from 0", [(0, 2, head), (1, 2, tail)]),
            ("a wrong number of parts", [(1, 3, head), (2, 3, tail)]),
        ]
        for (name, parts) in cases {
            let image = try Self.decode(try Self.profiled(parts.map { (number: $0.0, of: $0.1, bytes: $0.2) }))
            #expect(image.iccProfile?.bytes == first, "\(name)")
        }
        let cut = try Self.decode(try Self.profiled([(number: 1, of: 2, bytes: head)]))
        #expect(cut.iccProfile == nil)
    }

    // MARK: Height

    /// A file whose frame header lacks the height, which a DNL segment after the first scan contains.
    private static func late(_ bytes: [UInt8], height: Int? = nil) throws -> [UInt8] {
        let segments = JPEGSegments.segments(bytes)
        let frame = try #require(segments.first { [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(bytes[$0.lowerBound + 1]) })
        var end = try #require(segments.last).upperBound
        while !(bytes[end] == 0xFF && bytes[end + 1] != 0) { end += 1 }
        let stated = height ?? size.height
        var file = bytes[..<end] + [0xFF, 0xDC, 0, 4, UInt8(stated >> 8), UInt8(stated & 255)] + bytes[end...]
        file.replaceSubrange(frame.lowerBound + 5..<frame.lowerBound + 7, with: [0, 0])
        return Array(file)
    }

    @Test(arguments: [false, true], [false, true])
    func `the height may follow the first scan`(isProgressive: Bool, isArithmetic: Bool) throws {
        let bytes = try Self.file(isProgressive: isProgressive, isArithmetic: isArithmetic)
        let late = try Self.late(bytes)
        let header = try ImageHeader.read(late)
        #expect(header.size == Self.size)
        #expect(
            try header.decodedBytes(atScale: .full) == ImageHeader.read(bytes).decodedBytes(atScale: .full) + late.count
        )
        for scale in [DecodeScale.full, DecodeScale(eighths: 4), DecodeScale(eighths: 1)] {
            #expect(
                ImageDifference(try Self.decode(late, scale: scale), try Self.decode(bytes, scale: scale)).maximum == 0
            )
        }
        let part = PixelRect(x: 8, y: 8, width: 20, height: 20)
        #expect(try LosslessCropping.crop(late, to: part) == LosslessCropping.crop(bytes, to: part))
        #expect(throws: CodecError.self) { try ImageHeader.read(try Self.late(bytes, height: 0)) }
        for length in 0..<late.count { _ = try? ImageHeader.read(Array(late.prefix(length))) }
    }

    // MARK: Trailers

    /// Data that phones and other programs append to files without an end marker.
    private static var trailers: [(name: String, bytes: [UInt8])] {
        get throws {
            [
                (
                    "of Samsung",
                    [0, 0, 1, 0x0A, 14, 0, 0, 0] + Array("Image_UTC_Data1672764131000SEFH".utf8) + [107, 0]
                ),
                ("another image", Array("MotionPhoto_Data".utf8) + (try file()) + [1, 2, 3]),
                ("a video", [0, 0, 0, 24] + Array("ftypmp42".utf8) + (0...255).map { UInt8($0) }),
                ("markers without length", [0xFF, 0xFF, 0xFF, 0, 0xFF, 0xD0, 0xFF, 0x01, 0xFF, 0xC0, 7, 7]),
                ("tables that are none", [0xFF, 0xC4, 0, 8, 1, 2, 3, 4, 5, 6, 0xFF, 0xDB, 0, 9, 9]),
                ("a comment and nothing", [0xFF, 0xFE, 0, 5, 1, 2, 3, 0xFF, 0xE5]),
                ("a scan of other components", [0xFF, 0xDA, 0, 8, 1, 77, 0, 0, 63, 0, 1, 2, 3]),
                ("nothing", []),
            ]
        }
    }

    @Test(arguments: [false, true], [OddJPEG.Color.gray, .ycbcr, .cmyk])
    func `a trailer after an image without an end marker has no effect`(
        isProgressive: Bool,
        color: OddJPEG.Color
    ) throws {
        let bytes = try Self.file(isProgressive: isProgressive, color)
        let part = PixelRect(x: 8, y: 8, width: 30, height: 30)
        for (name, trailer) in try Self.trailers {
            let file = bytes.dropLast(2) + trailer
            for scale in [DecodeScale.full, DecodeScale(eighths: 4), DecodeScale(eighths: 2), DecodeScale(eighths: 1)] {
                // Between the smallest and the largest scale, refinement scans are skipped in files with an end marker.
                let isBetween = ![1, 8].contains(scale.eighths)
                let expected = try Self.decode(isBetween ? Array(bytes.dropLast(2)) : bytes, scale: scale)
                let image = try Self.decode(Array(file), scale: scale)
                #expect(ImageDifference(image, expected).maximum == 0, "\(name)")
            }
            let cropped = try LosslessCropping.crop(Array(file), to: part)
            #expect(try cropped == LosslessCropping.crop(bytes, to: part), "\(name)")
        }
    }

    // MARK: Codings

    @Test(
        arguments: [
            (0xC3, "lossless JPEG coding"), (0xC7, "lossless JPEG coding"), (0xCB, "lossless JPEG coding"),
            (0xC5, "hierarchical JPEG coding"), (0xF7, "JPEG-LS coding"),
        ] as [(UInt8, String)]
    )
    func `unsupported codings are named in the error`(marker: UInt8, name: String) throws {
        var bytes = try Self.file()
        let frame = try #require(JPEGSegments.segments(bytes).first { bytes[$0.lowerBound + 1] == 0xC0 })
        bytes[frame.lowerBound + 1] = marker
        #expect(throws: CodecError.unsupportedFeature(.jpeg, name)) { try ImageHeader.read(bytes) }
    }
}
