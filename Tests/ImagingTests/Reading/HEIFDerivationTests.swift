#if HEIC
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Images that are derived from other images, and files with items that are not images.
@Suite(.limitedConcurrency) struct HEIFDerivationTests {
    private static func decode(_ file: [UInt8]) throws(CodecError) -> PlanarImage {
        let header = try ImageHeader.read(file)
        let image = try ImageDecoder.decode(file, header: header)
        #expect(image.size == header.size && image.colorModel == header.colorModel)
        return image
    }

    /// A file with one coded image of 64×64 pixels, which is item 1.
    private static func coded(_ name: String = "heic-420") throws -> HEIFWriter {
        let source = try #require(CodedFile.heic.first { $0.name == name }).bytes
        var writer = HEIFWriter()
        writer.properties = [
            HEIFWriter.box("hvcC", try #require(HEICGrid.box("hvcC", in: source))), HEIFWriter.extent(64, 64),
            HEIFWriter.box("colr", HEICGrid.box("colr", in: source) ?? Array("none".utf8)),
        ]
        let data = try #require(HEICGrid.box("mdat", in: source))
        writer.items = [.init(1, "hvc1", data, properties: [1, 2, 3])]
        return writer
    }

    private static func grid(_ size: PixelSize) -> [UInt8] {
        [0, 0, 0, 0] + HEIFWriter.short(size.width) + HEIFWriter.short(size.height)
    }

    /// The EXIF data of an item: the offset of the TIFF structure, then the structure.
    private static func exif(_ orientation: Int, prefix: [UInt8] = []) -> [UInt8] {
        HEIFWriter.long(prefix.count) + prefix + ExifBlock.tiff(orientation: orientation)
    }

    /// Samsung phones write such files.
    ///
    /// A rotation in the boxes has priority over EXIF.
    @Test(arguments: Array(1...9))
    func `EXIF rotates an image whose boxes contain no rotation`(orientation: Int) throws {
        var writer = try Self.coded()
        writer.items.append(.init(2, "grid", Self.grid(PixelSize(width: 64, height: 40))))
        writer.references = [("dimg", 2, [1]), ("cdsc", 3, [2])]
        writer.primary = 2
        let plain = try Self.decode(writer.encode())
        let expected = try plain.oriented(Orientation(rawValue: orientation) ?? .up)
        for prefix in [[], Array("Exif\0\0".utf8)] as [[UInt8]] {
            writer.items.removeAll { $0.number == 3 }
            writer.items.append(.init(3, "Exif", Self.exif(orientation, prefix: prefix)))
            let image = try Self.decode(writer.encode())
            #expect(image.size == expected.size && ImageDifference(image, expected).maximum == 0)
        }
        // A rotation by 0° counts as a rotation in the boxes.
        for (name, value) in [("irot", 0), ("irot", 1), ("imir", 1)] as [(String, UInt8)] {
            var stated = writer
            stated.properties.append(HEIFWriter.box(name, [value]))
            stated.items[1].properties = [4]
            let image = try Self.decode(stated.encode())
            stated.references.removeAll { $0.type == "cdsc" }
            #expect(ImageDifference(image, try Self.decode(stated.encode())).maximum == 0)
        }
        // Metadata of another item, and truncated metadata.
        var other = writer
        other.references[1].to = [1]
        #expect(try Self.decode(other.encode()).size == plain.size)
        other = writer
        other.items[2].data = Array(other.items[2].data.prefix(9))
        #expect(try Self.decode(other.encode()).size == plain.size)
    }

    /// libheif writes images with an odd side in this way.
    @Test(
        arguments: ["heic-420", "heic-444", "heic-10-422", "heic-mono"],
        [(64, 64), (63, 47), (1, 1), (1, 64), (33, 2)]
    )
    func `a grid of one tile shows the top left part of the tile`(name: String, side: (width: Int, height: Int)) throws
    {
        var writer = try Self.coded(name)
        let whole = try Self.decode(writer.encode())
        let size = PixelSize(width: side.width, height: side.height)
        writer.items.append(.init(2, "grid", Self.grid(size)))
        writer.references = [("dimg", 2, [1])]
        writer.primary = 2
        let image = try Self.decode(writer.encode())
        #expect(image.size == size)
        for (plane, source) in zip(image.planes, whole.planes) {
            for y in 0..<plane.size.height {
                for x in 0..<plane.size.width where plane[x: x, y: y] != source[x: x, y: y] {
                    Issue.record("\(name): a sample differs in \(x), \(y)")
                    return
                }
            }
        }
    }

    /// Phones write such files: metadata and auxiliary items belong to the image and to its tone map.
    @Test(arguments: ["cdsc", "auxl", "thmb", "prem", "dimg"])
    func `references to several items, missing items and a tone map have no effect`(type: String) throws {
        var writer = try Self.coded()
        let whole = try Self.decode(writer.encode())
        writer.items += [.init(2, "tmap", [0, 1, 2, 3, 4, 5]), .init(3, "Exif", [0, 0, 0, 0])]
        writer.references = [("dimg", 2, [1, 77]), (type, 3, [1, 2, 99]), (type, 88, [1])]
        for primary in [1, 2] {
            writer.primary = primary
            let image = try Self.decode(writer.encode())
            #expect(image.size == whole.size && image.alpha == nil)
            #expect(ImageDifference(try image.luma(), try whole.luma()).mean == 0)
        }
    }

    @Test func `an identity item for a grid of one tile is cropped and rotated`() throws {
        var writer = try Self.coded()
        let whole = try Self.decode(writer.encode()).luma()
        func fraction(_ over: Int, _ under: Int) -> [UInt8] { HEIFWriter.long(over) + HEIFWriter.long(under) }
        // 40×20 pixels at (6, 4) of 60×48, followed by an anticlockwise rotation by 90°.
        let aperture = fraction(40, 1) + fraction(20, 1) + fraction(-4, 1) + fraction(-10, 1)
        writer.properties += [HEIFWriter.box("clap", aperture), HEIFWriter.box("irot", [1])]
        writer.items += [
            .init(2, "grid", Self.grid(PixelSize(width: 60, height: 48))), .init(3, "iden", properties: [4, 5]),
        ]
        writer.references = [("dimg", 2, [1]), ("dimg", 3, [2])]
        writer.primary = 3
        let image = try Self.decode(writer.encode()).luma()
        #expect(image.size == PixelSize(width: 20, height: 40))
        for (x, y) in [(0, 0), (19, 39), (7, 30), (19, 0)] {
            #expect(image[x: x, y: y] == whole[x: 6 + 39 - y, y: 4 + x])
        }
    }

    @Test func `an overlay shows its canvas in areas without an image`() throws {
        var writer = try Self.coded()
        let whole = try Self.decode(writer.encode()).converted(to: .rgb)
        let fill = [0xFFFF, 0x8080, 0, 0xFFFF].flatMap(HEIFWriter.short)
        let places = [8, 6, 0x10000 - 60, 0x10000 - 60].flatMap { HEIFWriter.short($0 & 0xFFFF) }
        writer.items.append(.init(2, "iovl", [0, 0] + fill + HEIFWriter.short(90) + HEIFWriter.short(50) + places))
        writer.references = [("dimg", 2, [1, 1])]
        writer.primary = 2
        let image = try Self.decode(writer.encode())
        #expect(image.size == PixelSize(width: 90, height: 50) && image.colorModel == .rgb && image.alpha == nil)
        for (index, plane) in image.planes.enumerated() {
            #expect(plane[x: 80, y: 20] == [255, 128, 0][index])
            #expect(plane[x: 8, y: 6] == whole.planes[index][x: 0, y: 0])
            #expect(plane[x: 40, y: 40] == whole.planes[index][x: 32, y: 34])
            #expect(plane[x: 3, y: 3] == whole.planes[index][x: 63, y: 63])
        }
    }

    @Test func `a small image cut from huge images is rejected before they are decoded`() throws {
        var writer = try Self.coded()
        writer.properties[1] = HEIFWriter.extent(16_000, 16_000)
        writer.items.append(.init(2, "grid", Self.grid(PixelSize(width: 16, height: 16))))
        writer.references = [("dimg", 2, [1])]
        writer.primary = 2
        #expect(throws: CodecError.self) { try ImageHeader.read(writer.encode()) }
    }

    /// The coded image is larger than the size in the box by more than a block.
    @Test func `a coded image with a different size is rejected`() throws {
        var writer = try Self.coded("heic-blocks")
        writer.properties[1] = HEIFWriter.extent(64, 192)
        #expect(throws: CodecError.self) { try Self.decode(writer.encode()) }
    }
}
#endif
