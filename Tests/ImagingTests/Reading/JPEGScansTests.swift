import Foundation
import Geometry
import Imaging
import TestPacing
import TestImages
import Testing

/// Scans that are skipped when a progressive JPEG is decoded at a reduced scale.
@Suite(.limitedConcurrency) struct JPEGScansTests {
    private static let size = PixelSize(width: 304, height: 224)

    /// Waves of several wavelengths in all channels, with some noise, as in a photo.
    private static func image() throws -> PlanarImage {
        let waves = try TestImage.waves(size).planes[0]
        let noise = try TestImage.colorNoise(size, seed: 5)
        return try TestImage.rgb(size) { x, y in
            let value = Int(waves[x: x, y: y])
            func channel(_ plane: Int, _ base: Int) -> UInt8 {
                UInt8(clamping: base + Int(noise.planes[plane][x: x, y: y]) / 8)
            }
            return (channel(0, value), channel(1, 255 - value), channel(2, value / 2 + x / 4))
        }
    }

    private static func file(quality: Int, isProgressive: Bool = true) throws -> [UInt8] {
        var options = EncodingOptions(quality: quality)
        options.isProgressive = isProgressive
        return try ImageEncoder.encode(try image(), as: .jpeg, options)
    }

    private func decode(_ bytes: [UInt8], _ eighths: Int, servesDamaged: Bool = true) throws -> PlanarImage {
        var limits = DecodeLimits()
        limits.servesDamaged = servesDamaged
        let scale = DecodeScale(eighths: eighths)
        return try ImageDecoder.decode(bytes, header: try ImageHeader.read(bytes), scale: scale, limits: limits)
    }

    @Test(arguments: [30, 50, 75, 85, 95], 1...4)
    func `a scaled image hardly differs from the same image in a baseline file`(quality: Int, eighths: Int) throws {
        let progressive = try Self.file(quality: quality)
        let expected = try decode(try Self.file(quality: quality, isProgressive: false), eighths)
        let found = try decode(progressive, eighths)
        for (plane, whole) in zip(found.planes, expected.planes) { #expect(ImageDifference(plane, whole).psnr >= 40) }
        // The detector gets the same luma whether or not colours are decoded.
        let scale = DecodeScale(eighths: eighths)
        let luma = try ImageDecoder.decodeLuma(progressive, header: try ImageHeader.read(progressive), scale: scale)
        #expect(ImageDifference(luma, found.planes[0]).maximum == 0)
    }

    @Test func `the mean of each block is exact`() throws {
        let luma = try decode(try Self.file(quality: 80), 1).planes[0]
        let expected = try decode(try Self.file(quality: 80, isProgressive: false), 1).planes[0]
        #expect(ImageDifference(luma, expected).maximum == 0)
    }

    @Test(arguments: OddJPEG.Color.allCases, [PixelSize(width: 301, height: 219), PixelSize(width: 8, height: 9)])
    func `without subsampling the means of all components equal the means of a baseline file`(
        color: OddJPEG.Color,
        size: PixelSize
    ) throws {
        func decoded(isProgressive: Bool) throws -> PlanarImage {
            let file = try OddJPEG(color, isProgressive: isProgressive, quality: 85).encode(size) { component, x, y in
                128 + 120 * sin(x / Double(5 + component)) * cos(y / 7)
            }
            return try decode(file, 1)
        }
        #expect(ImageDifference(try decoded(isProgressive: true), try decoded(isProgressive: false)).maximum == 0)
    }

    /// The file with a copy of its first quantisation table before its last scan, which only libjpeg decodes.
    private static func repeatingTable(_ bytes: [UInt8]) throws -> [UInt8] {
        func places(_ marker: UInt8) -> [Int] {
            bytes.indices.dropLast(3).filter { bytes[$0] == 0xFF && bytes[$0 + 1] == marker }
        }
        let table = try #require(places(0xDB).first)
        let length = Int(bytes[table + 2]) << 8 | Int(bytes[table + 3])
        let scan = try #require(places(0xDA).last)
        return Array(bytes[..<scan]) + bytes[table..<table + 2 + length] + bytes[scan...]
    }

    @Test(arguments: ["1x1", "2x1", "1x2", "2x2", "4x1"], [40, 75, 92])
    func `scaled images equal the images of libjpeg`(factors: String, quality: Int) throws {
        let numbers = factors.split(separator: "x").compactMap { Int($0) }
        let (horizontal, vertical) = (numbers[0], numbers[1])
        for color in [OddJPEG.Color.gray, .ycbcr, .cmyk] {
            let sampling: [(horizontal: Int, vertical: Int)] = [
                (horizontal, vertical), (1, 1), (1, 1), (horizontal, vertical),
            ]
            let kind = OddJPEG(color, sampling: sampling, isProgressive: true, quality: quality)
            let bytes = try kind.encode(PixelSize(width: 187, height: 109)) { component, x, y in
                128 + 90 * sin(x / Double(3 + component)) * cos(y / 5) + 30 * sin(x * y)
            }
            let same = try Self.repeatingTable(bytes)
            for eighths in 1...8 {
                let (found, expected) = (try decode(bytes, eighths), try decode(same, eighths))
                for (plane, whole) in zip(found.planes, expected.planes) {
                    #expect(ImageDifference(plane, whole).maximum == 0, "\(color) at \(eighths)/8")
                }
                let scale = DecodeScale(eighths: eighths)
                let lumas = try [bytes, same].map {
                    try ImageDecoder.decodeLuma($0, header: try ImageHeader.read($0), scale: scale)
                }
                #expect(ImageDifference(lumas[0], lumas[1]).maximum == 0, "luma of \(color) at \(eighths)/8")
            }
        }
    }

    @Test(arguments: [4, 11, 40]) func `damage in a needed scan gives the image of libjpeg`(step: Int) throws {
        let bytes = try Self.file(quality: 85)
        let first = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        for place in stride(from: first + 20, to: bytes.count - 20, by: bytes.count / step) {
            var broken = bytes
            // Neither the old nor the new bytes are part of a marker.
            guard !bytes[place - 1...place + 4].contains(0xFF) else { continue }
            for index in place..<place + 4 { broken[index] ^= 0x15 }
            guard !broken[place - 1...place + 4].contains(0xFF) else { continue }
            let same = try Self.repeatingTable(broken)
            for eighths in [1, 2, 4] {
                let found = Result { try decode(broken, eighths) }
                let expected = Result { try decode(same, eighths) }
                switch (found, expected) {
                case (.success(let found), .success(let expected)):
                    #expect(found.isDamaged == expected.isDamaged, "byte \(place) at \(eighths)/8")
                    for (plane, whole) in zip(found.planes, expected.planes) {
                        #expect(ImageDifference(plane, whole).maximum == 0, "byte \(place) at \(eighths)/8")
                    }
                case (.failure, .failure): break
                default: Issue.record("byte \(place) at \(eighths)/8: only one of both is decoded")
                }
            }
        }
    }

    @Test func `the last scan is not decoded for a small scale`() throws {
        let bytes = try Self.file(quality: 80)
        var broken = bytes
        let start = try #require(bytes.indices.dropLast(2).last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
        // The data of one component, after a segment of ten bytes. These bytes are not a marker.
        for index in start + 12..<bytes.count - 2 { broken[index] = 0x55 }
        for eighths in 1...2 {
            let found = try decode(broken, eighths)
            let whole = try decode(bytes, eighths)
            #expect(!found.isDamaged && ImageDifference(found, whole).maximum == 0)
        }
        #expect(ImageDifference(try decode(broken, 8), try decode(bytes, 8)).maximum > 0)
    }

    @Test func `all scans are decoded if any damage is an error, or if the file has no end marker`() throws {
        let bytes = try Self.file(quality: 80)
        let expected = try decode(try Self.file(quality: 80, isProgressive: false), 2)
        #expect(ImageDifference(try decode(bytes, 2), expected).maximum > 0)
        #expect(ImageDifference(try decode(bytes, 2, servesDamaged: false), expected).maximum == 0)
        #expect(ImageDifference(try decode(Array(bytes.dropLast(2)), 2), expected).maximum == 0)
    }
}
