#if TIFF
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// The choice of the image in a TIFF file.
@Suite(.limitedConcurrency) struct TIFFDirectoryTests {
    private typealias Directory = TIFFTree.Directory

    private static let small = Directory(16, 12, (255, 0, 0))
    private static let full = Directory(48, 36, (0, 255, 0))
    private static let other = Directory(40, 60, (0, 0, 255))
    private static let raw = Directory(96, 72, (0, 0, 0), kind: 0).with([(259, 3, [34713]), (262, 3, [32803])])

    private static func marked(_ directory: Directory, _ kind: Int) -> Directory {
        var copy = directory
        copy.kind = kind
        return copy
    }

    /// The tag for the camera's manufacturer.
    private static let maker = (tag: 271, type: 2, values: Array("NIKON\0".utf8).map(Int.init))

    private static func decode(_ tree: TIFFTree) throws -> (size: PixelSize, color: [UInt8]) {
        let bytes = tree.encode()
        let header = try ImageHeader.read(bytes)
        let image = try ImageDecoder.decode(bytes, header: header)
        #expect(image.size == header.size)
        return (image.size, image.planes.map { $0[x: 0, y: 0] })
    }

    /// Directory trees, and the colour of the image to select: 0 red, 1 green, 2 blue.
    private static let shown: [(name: String, directories: [Directory], channel: Int)] = [
        ("the first of several", [small, full], 0),
        ("the first, with a smaller copy inside", [full.containing([marked(small, 1)])], 1),
        ("a reduced one first, the full one inside", [marked(small, 1).containing([marked(full, 0)])], 1),
        ("a reduced one first, the full one behind", [marked(small, 1), full], 1),
        ("a reduced one by the old tag", [small.with([(255, 3, [2])]), full], 1),
        ("the largest of several full ones", [marked(small, 1).containing([marked(full, 0), marked(other, 0)])], 2),
        ("one that is full and larger inside of one without a mark", [small.containing([marked(full, 0)])], 1),
        ("several pages inside of one without a mark", [small.containing([full])], 0),
        ("only reduced ones: the largest", [marked(small, 1), marked(full, 1)], 1),
        ("a mask first", [marked(small, 4), full], 1),
        (
            "a full one that cannot be read, and one that can",
            [
                marked(small, 1).containing([marked(other, 0).with([(259, 3, [50000])]), marked(full, 0)])
            ], 1
        ),
        (
            "an image as large as the raw photograph",
            [
                marked(small, 1).with([maker]).containing([
                    marked(full, 0), marked(raw, 0).with([(256, 4, [48]), (257, 4, [36])]),
                ])
            ], 1
        ),
    ]

    @Test(arguments: shown.indices, [false, true])
    func `the full image is selected`(index: Int, isBigEndian: Bool) throws {
        let (name, directories, channel) = Self.shown[index]
        var tree = TIFFTree(directories)
        tree.isBigEndian = isBigEndian
        let (size, color) = try Self.decode(tree)
        let wanted = [Self.small, channel == 1 ? Self.full : Self.other][min(channel, 1)]
        #expect(size == PixelSize(width: wanted.width, height: wanted.height), "\(name)")
        #expect(color == (0..<3).map { $0 == channel ? 255 : 0 }, "\(name)")
    }

    /// Camera files: NEF, DNG, ARW, PEF, SRW, 3FR and KDC, CR2, IIQ in both byte orders, and an unknown compression.
    private static var raws: [(name: String, tree: TIFFTree)] {
        func raw(_ fields: [(Int, Int, [Int])]) -> Directory {
            marked(other, 0).with(fields.map { (tag: $0.0, type: $0.1, values: $0.2) })
        }
        let first = marked(small, 1).with([maker])
        let inside: [(String, [(Int, Int, [Int])])] = [
            ("NEF", [(259, 3, [34713]), (262, 3, [32803])]), ("DNG", [(259, 3, [7]), (262, 3, [32803])]),
            ("linear DNG", [(262, 3, [34892])]), ("ARW", [(259, 3, [32767]), (262, 3, [32803])]),
            ("SRW", [(259, 3, [32770]), (262, 3, [32803])]), ("3FR", [(259, 3, [7]), (262, 3, [32803])]),
            ("KDC", [(259, 3, [65000]), (262, 3, [32803])]), ("ERF", [(259, 3, [32769])]),
            ("a pattern of colours", [(33422, 1, [0, 1, 1, 2])]), ("an unknown compression", [(259, 3, [12345])]),
        ]
        var files = inside.map { ($0.0, TIFFTree([first.containing([raw($0.1)])])) }
        // The image is in the chain, after an unmarked thumbnail.
        files.append(("PEF", TIFFTree([raw([(259, 3, [65535]), (262, 3, [32803])]), first])))
        files.append(("a thumbnail without a mark", TIFFTree([small.containing([raw([(262, 3, [32803])])])])))
        files.append(("a version of DNG", TIFFTree([full.with([(50706, 1, [1, 4, 0, 0])])])))
        var canon = TIFFTree([full, first])
        canon.prefix = Array("CR\u{2}\0\0\0\0\0".utf8)
        var phase = TIFFTree([Directory(1, 1, (0, 0, 0)).with([maker])])
        files.append(("one pixel of a camera", phase))
        phase.directories = [full]
        phase.prefix = Array("IIIITwaR".utf8)
        files += [("CR2", canon), ("IIQ", phase)]
        phase.isBigEndian = true
        phase.prefix = Array("MMMMRawT".utf8)
        return files + [("IIQ of the other order", phase)]
    }

    @Test func `a raw photo is not supported, regardless of its thumbnail`() {
        for (name, tree) in Self.raws {
            let wanted = CodecError.unsupportedFeature(.tiff, "it is a raw photograph")
            #expect(throws: wanted, "\(name)") { try ImageHeader.read(tree.encode()) }
        }
    }

    @Test func `the orientation of the first directory applies to an image without an orientation`() throws {
        let first = Self.marked(Self.small, 1).with([(274, 3, [6])])
        #expect(try Self.decode(TIFFTree([first.containing([Self.marked(Self.full, 0)])])).size.width == 36)
        let own = Self.marked(Self.full, 0).with([(274, 3, [1])])
        #expect(try Self.decode(TIFFTree([first.containing([own])])).size.width == 48)
    }

    @Test func `cyclic and endless directories are read once`() throws {
        var circle = TIFFTree([Self.marked(Self.small, 1), Self.full]).encode()
        // The last four bytes are the position of the next directory.
        circle.replaceSubrange(circle.count - 4..<circle.count, with: circle[4..<8])
        #expect(try ImageHeader.read(circle).size == PixelSize(width: 48, height: 36))
        let many = TIFFTree((0..<200).map { Self.marked(Directory(1, 1, (0, 0, 0)), $0 == 199 ? 0 : 1) })
        #expect(try ImageHeader.read(many.encode()).size == PixelSize(width: 1, height: 1))
        let cut = TIFFTree([Self.marked(Self.small, 1).containing([Self.marked(Self.full, 0)])]).encode()
        for length in 0..<cut.count { _ = try? ImageHeader.read(Array(cut.prefix(length))) }
    }

    /// A TIFF with JPEG compression and the given frame header.
    private static func jpeg(_ marker: UInt8, depth: UInt8) -> [UInt8] {
        [0xFF, 0xD8, 0xFF, marker, 0, 11, depth, 0, 12, 0, 16, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]
    }

    @Test(
        arguments: [
            (0xC3, 8, "lossless JPEG"), (0xF7, 8, "JPEG-LS"), (0xC1, 12, "JPEG of more than 8 bits"),
        ] as [(UInt8, UInt8, String)]
    )
    func `unsupported JPEG codings are named in the error`(marker: UInt8, depth: UInt8, name: String) {
        let data = Self.jpeg(marker, depth: depth)
        var tree = TIFFTree([
            Self.small.with([
                (258, 3, [8]), (259, 3, [7]), (262, 3, [1]), (273, 4, [8]), (277, 3, [1]), (279, 4, [data.count]),
            ])
        ])
        tree.prefix = data
        #expect(throws: CodecError.unsupportedFeature(.tiff, name)) { try ImageHeader.read(tree.encode()) }
    }

    @Test func `other unsupported compressions are named in the error`() {
        let tree = TIFFTree([Self.small.with([(259, 3, [34712])])])
        let wanted = CodecError.unsupportedFeature(.tiff, "compression 34712 (JPEG 2000)")
        #expect(throws: wanted) { try ImageHeader.read(tree.encode()) }
    }
}
#endif
