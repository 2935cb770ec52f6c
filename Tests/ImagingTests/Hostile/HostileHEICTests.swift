#if HEIC
import Imaging
import TestPacing
import TestImages
import Testing

/// Files with items that would keep libheif busy for a very long time or overflow its stack.
@Suite(.limitedConcurrency) struct HostileHEICTests {
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        long(8 + content.count) + Array(type.utf8) + content
    }

    private static func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    private static func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    /// A file with items that are derived from other items.
    private static func file(items: Int, _ references: [(from: Int, to: [Int])], isLong: Bool = false) -> [UInt8] {
        let entries = (1...items).flatMap {
            box("infe", [2, 0, 0, 0] + short($0) + [0, 0] + Array("iden".utf8) + [0])
        }
        func number(_ value: Int) -> [UInt8] { isLong ? long(value) : short(value) }
        let derivations = references.flatMap { reference in
            box("dimg", number(reference.from) + short(reference.to.count) + reference.to.flatMap(number))
        }
        let version: [UInt8] = [isLong ? 1 : 0, 0, 0, 0]
        let meta =
            [0, 0, 0, 0] + box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array("pict".utf8) + Array(repeating: 0, count: 13))
            + box("pitm", [0, 0, 0, 0, 0, 1]) + box("iinf", [0, 0, 0, 0] + short(items) + entries)
            + box("iref", version + derivations)
        return box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)) + box("meta", meta)
    }

    private func reason(_ file: [UInt8]) -> String? {
        do {
            _ = try ImageHeader.read(file)
            return nil
        } catch {
            guard case .corrupt(.heic, let reason) = error else { return nil }
            return reason
        }
    }

    @Test(arguments: [false, true]) func `items that are derived from each other in a cycle are rejected`(isLong: Bool)
    {
        let circles: [[(from: Int, to: [Int])]] = [
            [(1, [1])], [(1, [2]), (2, [1])], [(1, [2]), (2, [3]), (3, [1])],
            [(1, [2]), (2, [3]), (3, [4]), (4, [5])],
        ]
        for references in circles {
            let reason = reason(Self.file(items: 9, references, isLong: isLong))
            #expect(reason?.contains("too deeply") == true, "\(references): \(reason ?? "")")
        }
        // Rotated grids and overlays of grids are common; a cycle among unused items has no effect.
        for references in [[(9, [8, 8, 9])], [(1, [2]), (2, [3, 4])], [(1, [2, 3]), (2, [4]), (3, [4])]]
            as [[(from: Int, to: [Int])]]
        {
            #expect(reason(Self.file(items: 9, references, isLong: isLong))?.contains("too deeply") != true)
        }
    }

    /// libheif's own AV1 decoder leaks memory for a broken image.
    @Test func `an image that is not coded with HEVC is rejected`() throws {
        var file = try #require(InputFormat.heic.sample)
        for (own, other) in [("hvc1", "av01"), ("hvcC", "av1C")] {
            let place = try #require(file.indices.first { file[$0...].starts(with: Array(own.utf8)) })
            file.replaceSubrange(place..<place + 4, with: Array(other.utf8))
        }
        let error = #expect(throws: CodecError.self) {
            try ImageDecoder.decode(file, header: try ImageHeader.read(file))
        }
        #expect(error?.description.contains("its image is not coded with HEVC") == true)
    }

    @Test func `too many items are rejected before they are stored`() {
        #expect(reason(Self.file(items: 2561, []))?.contains("more than 2560 items") == true)
        #expect(reason(Self.file(items: 100, []))?.contains("items") != true)
        // A declared number counts even if the items are missing.
        var file = Self.file(items: 3, [])
        let place = file.indices.first { file[$0...].starts(with: "iinf".utf8) }
        if let place { file[place + 8] = 0xFF }
        #expect(reason(file)?.contains("more than 2560 items") == true)
    }

    /// Files that end with zeros.
    ///
    /// The zeros end a slice before the last block.
    @Test(arguments: [2, 10, 30, 60]) func `data that omit blocks are rejected`(kept: Int) throws {
        let file = try #require(CodedFile.heic.first { $0.name == "heic-blocks" }).bytes
        let start = try #require(file.indices.first { file[$0...].starts(with: "mdat".utf8) }) + 4
        var damaged = file
        for index in start + (file.count - start) * kept / 100..<file.count { damaged[index] = 0 }
        let header = try ImageHeader.read(damaged)
        #expect(throws: CodecError.self) { try ImageDecoder.decode(damaged, header: header) }
        let whole = try ImageDecoder.decode(file, header: ImageHeader.read(file))
        #expect(!whole.isDamaged)
    }

    @Test func `data that many items refer to are rejected, even as nested tiles`() {
        var writer = HEIFWriter()
        writer.properties = [HEIFWriter.extent(64, 64), HEIFWriter.box("hvcC", Array(repeating: 0, count: 30))]
        func reason(of counts: [Int]) -> String? {
            func grid(_ count: Int) -> [UInt8] { [0, 0, 0, UInt8(count - 1)] + Self.short(64) + Self.short(64) }
            writer.items = [.init(9, "hvc1", Array(repeating: 0, count: 50_000), properties: [1, 2])]
            writer.references = []
            for (index, count) in counts.enumerated() {
                writer.items.append(.init(index + 1, "grid", grid(count)))
                let source = index + 1 == counts.count ? 9 : index + 2
                writer.references.append(("dimg", index + 1, Array(repeating: source, count: count)))
            }
            return self.reason(writer.encode())
        }
        #expect(reason(of: [10])?.contains("more bytes than the file") != true)
        for counts in [[100], [1, 100], [20, 20]] {
            #expect(reason(of: counts)?.contains("more bytes than the file") == true, "\(counts)")
        }
    }

    /// Files with small lists that represent long lists, and files with long lists.
    ///
    /// Each file must be decoded or rejected in time proportional to its size.
    @Test(arguments: [7 << 10, 64 << 10, 440 << 10], ["heic", "avif"])
    func `the time for lists does not grow faster than the file`(bytes: Int, brand: String) throws {
        func long(_ value: Int) -> [UInt8] { HEIFWriter.long(value) }
        func short(_ value: Int) -> [UInt8] { HEIFWriter.short(value) }
        func times(_ count: Int, _ content: [UInt8]) -> [UInt8] {
            Array(repeating: content, count: count).flatMap { $0 }
        }
        let many = min(65_535, bytes / 6)
        let numbers = (1...min(65_535, bytes / 2)).flatMap(short)
        let files: [(name: String, type: String, content: [UInt8])] = [
            (
                "extents without bytes", "iloc",
                [1, 0, 0, 0, 0, 0] + short(many) + times(many, [0, 1, 0, 0, 0, 0, 255, 255])
            ),
            (
                "one item's extents", "iloc",
                [0, 0, 0, 0, 0x40, 0] + short(1) + short(1) + [0, 0, 255, 255] + times(bytes / 4, long(9))
            ),
            (
                "targets of alpha", "iref",
                [0, 0, 0, 0] + HEIFWriter.box("auxl", short(2) + short(numbers.count / 2) + numbers)
            ),
            (
                "references", "iref",
                [0, 0, 0, 0] + times(bytes / 14, HEIFWriter.box("auxl", short(2) + short(1) + short(1)))
            ),
            ("properties", "iprp", HEIFWriter.box("ipco", times(bytes / 8, HEIFWriter.box("free", [])))),
            (
                "associations", "iprp",
                HEIFWriter.box("ipco", HEIFWriter.extent(64, 64))
                    + HEIFWriter.box(
                        "ipma",
                        [0, 0, 0, 0] + long(bytes) + times(bytes / 258, short(1) + [255] + times(255, [1]))
                    )
            ),
            ("entries", "iinf", [0, 0, 0, 0, 0, 1] + times(bytes / 8, HEIFWriter.box("infe", []))),
        ]
        for file in files {
            var writer = HEIFWriter()
            writer.brand = brand
            writer.items = [.init(1, "grid", [0, 0, 0, 0, 0, 64, 0, 64]), .init(2, "hvc1", [0], properties: [1])]
            writer.properties = [HEIFWriter.box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:hevc:2015:auxid:1\0".utf8))]
            writer.replaced = [file.type: file.content]
            let encoded = writer.encode()
            let time = ContinuousClock().measure { #expect(throws: CodecError.self) { try ImageHeader.read(encoded) } }
            // Without limits, this took seconds. With limits, a debug build takes up to a tenth of a second while other
            // tests run.
            #expect(time < .seconds(1), "\(file.name): \(time)")
        }
    }

    @Test func `a long configuration, which is parsed for each tile, is rejected`() {
        var writer = HEIFWriter()
        writer.items = [.init(1, "hvc1", [0], properties: [1, 2])]
        writer.properties = [HEIFWriter.extent(64, 64), HEIFWriter.box("hvcC", Array(repeating: 0, count: 8192))]
        #expect(reason(writer.encode()) == nil)
        writer.properties[1] = HEIFWriter.box("hvcC", Array(repeating: 0, count: 8193))
        #expect(reason(writer.encode())?.contains("more than 8192 bytes") == true)
    }
}
#endif
