#if HEIC
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// HEIC images with tiles, which are decoded one by one.
@Suite(.limitedConcurrency) struct HEICGridTests {
    private static func decode(_ file: [UInt8]) throws(CodecError) -> PlanarImage {
        try ImageDecoder.decode(file, header: try ImageHeader.read(file))
    }

    private static func source(_ name: String) throws -> CodedFile {
        try #require(CodedFile.heic.first { $0.name == name })
    }

    @Test(arguments: ["heic-420", "heic-444", "heic-10-422", "heic-mono"], [(2, 2), (3, 1), (1, 3)])
    func `tiles have the same samples as the image alone`(name: String, tiles: (columns: Int, rows: Int)) throws {
        let source = try Self.source(name)
        let alone = try Self.decode(source.bytes)
        var grid = try #require(HEICGrid(of: source.bytes))
        (grid.columns, grid.rows) = tiles
        // The last tiles extend beyond the edges by an odd number of pixels.
        let side = HEICGrid.side
        grid.size = PixelSize(width: side * tiles.columns - 9, height: side * tiles.rows - 23)
        let whole = try Self.decode(grid.encode())
        #expect(whole.size == grid.size && whole.colorModel == alone.colorModel && whole.iccProfile == alone.iccProfile)
        for (index, plane) in whole.planes.enumerated() {
            let (sideX, sideY) = (side / shared(index, alone).across, side / shared(index, alone).down)
            // Only the upper three quarters of the coded image are shown.
            let different = (0..<plane.size.height).flatMap { y in (0..<plane.size.width).map { (x: $0, y: y) } }
                .filter { $0.y % sideY < alone.planes[index].size.height }
                .filter { plane[x: $0.x, y: $0.y] != alone.planes[index][x: $0.x % sideX, y: $0.y % sideY] }
            #expect(different.isEmpty, "plane \(index): \(different.count) samples")
        }
    }

    private func shared(_ plane: Int, _ image: PlanarImage) -> (across: Int, down: Int) {
        guard plane > 0, case .ycbcr(let subsampling) = image.colorModel else { return (1, 1) }
        return (subsampling.horizontal, subsampling.vertical)
    }

    /// Phones write 48 megapixels in tiles of 512×512 pixels: only two tiles and the planes are in memory at a time.
    @Test(arguments: [nil, 1], [false, true])
    func `a large grid takes no more memory than its planes and two tiles`(turns: Int?, isWide: Bool) throws {
        let source = try Self.source(isWide ? "heic-10-422" : "heic-420")
        var writer = HEIFWriter()
        let size = PixelSize(width: 8064, height: 6048)
        let tiles = Array(2..<194)
        writer.properties = [
            HEIFWriter.box("hvcC", try #require(HEICGrid.box("hvcC", in: source.bytes))), HEIFWriter.extent(512, 512),
            HEIFWriter.box("irot", [UInt8(turns ?? 0)]),
        ]
        let grid = [0, 0, 11, 15] + HEIFWriter.short(size.width) + HEIFWriter.short(size.height)
        writer.items = [.init(1, "grid", grid, properties: turns == nil ? [] : [3])]
        writer.items += tiles.map { .init($0, "hvc1", [0], properties: [1, 2]) }
        writer.references = [("dimg", 1, tiles)]
        let header = try ImageHeader.read(writer.encode())
        #expect(header.storedSize == size)
        let planes = size.area * (isWide ? 2 : 3) / (isWide ? 1 : 2) * (turns == nil ? 1 : 2)
        let needed = header.decodedBytes(atScale: .full)
        #expect(needed >= planes && needed <= planes + 48 << 20)
    }

    @Test(arguments: [("heic-420", 9), ("heic-10-422", 16)])
    func `the memory of a large coded image depends on its chroma and depth`(name: String, bytes: Int) throws {
        var writer = HEIFWriter()
        let size = PixelSize(width: 8064, height: 6048)
        writer.properties = [
            HEIFWriter.box("hvcC", try #require(HEICGrid.box("hvcC", in: try Self.source(name).bytes))),
            HEIFWriter.extent(size.width, size.height),
        ]
        writer.items = [.init(1, "hvc1", [0], properties: [1, 2])]
        let header = try ImageHeader.read(writer.encode())
        #expect(header.storedSize == size)
        #expect(header.decodedBytes(atScale: .full) == size.area * bytes + 8 << 20)
    }

    /// A rotation is anticlockwise and precedes the mirror.
    @Test(arguments: [nil, 0, 1, 2, 3], [nil, 0, 1])
    func `rotations and mirrors are applied to the whole image`(turns: Int?, axis: Int?) throws {
        var grid = try #require(HEICGrid(of: try Self.source("heic-420").bytes))
        let plain = try Self.decode(grid.encode()).luma()
        (grid.turns, grid.axis) = (turns, axis)
        let turned = try Self.decode(grid.encode()).luma()
        let expected = try plain.oriented(
            Orientation(quarters: -(turns ?? 0), mirrorsColumns: axis == 1, mirrorsRows: axis == 0)
        )
        #expect(turned.size == expected.size)
        #expect(ImageDifference(turned, expected).mean == 0)
        grid.isCropped = true
        #expect(ImageDifference(try Self.decode(grid.encode()).luma(), expected).mean == 0)
    }

    @Test func `tiles without a size are rejected`() throws {
        var file = try #require(HEICGrid(of: try Self.source("heic-420").bytes)).encode()
        let size = try #require(file.indices.first { file[$0...].starts(with: Array("ispe".utf8)) })
        file[size + 3] = UInt8(ascii: "x")
        #expect(throws: CodecError.corrupt(.heic, "a coded image does not state its size")) { try Self.decode(file) }
    }

    @Test func `grids that their tiles do not fill are rejected`() throws {
        var grid = try #require(HEICGrid(of: try Self.source("heic-420").bytes))
        grid.size = PixelSize(width: 129, height: 112)
        #expect(throws: CodecError.self) { try Self.decode(grid.encode()) }
        grid.size = PixelSize(width: 128, height: 112)
        grid.cutTile = 3
        #expect(throws: CodecError.self) { try Self.decode(grid.encode()) }
    }
}
#endif
