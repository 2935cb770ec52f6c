import Geometry
import Imaging

/// Damages files: truncates a file, sets a range to zero, or changes bytes.
package enum DamagedFile {
    /// A file with damage; the seed determines its kind and position.
    package static func damaged(_ file: [UInt8], seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        var bytes = file
        guard bytes.count > 40 else { return bytes }
        let start = Int.random(in: 20..<bytes.count, using: &random)
        switch seed % 4 {
        case 0: return Array(bytes.prefix(start))
        case 1:
            // Zeroes the rest of the file, or only a part.
            let end = Bool.random(using: &random) ? bytes.count : Int.random(in: start...bytes.count, using: &random)
            for index in start..<end { bytes[index] = 0 }
        default:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: start..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
        }
        return bytes
    }

    /// Small files of every supported input format.
    package static func sources() throws -> [(name: String, bytes: [UInt8])] {
        var files: [(String, [UInt8])] = []
        func add(_ name: String, _ list: [[UInt8]]) {
            for (number, bytes) in list.enumerated() { files.append(("\(name)-\(number)", bytes)) }
        }
        add("jpeg", try SeedImages.jpeg())
        add("png", SeedImages.png())
        add("webp", try SeedImages.webp())
        add("gif", SeedImages.gif())
        add("animated-gif", SeedAnimations.gif())
        add("animated-png", SeedAnimations.apng())
        add("animated-webp", try SeedAnimations.webp())
        let image = try TestImage.waves(PixelSize(width: 150, height: 140))
        for format in OutputFormat.allCases { add("large-\(format)", [try ImageEncoder.encode(image, as: format)]) }
        #if TIFF
        files += TIFFFile.samples.map { ($0.name, $0.bytes) }
        #endif
        files += (BMPFile.samples + ICOFile.samples).map { ($0.name, $0.bytes) }
        #if AVIF
        add("avif-sequence", [SequenceFile.avif])
        files += CodedFile.avif.map { ($0.name, $0.bytes) }
        #endif
        #if HEIC
        files += CodedFile.heic.map { ($0.name, $0.bytes) }
        #endif
        #if JPEGXL
        files += CodedFile.jpegxl.map { ($0.name, $0.bytes) }
        #endif
        return files
    }
}
