/// Changes the marker segments of a JPEG file (T.81, B.1.1).
package enum JPEGSegments {
    /// `jpeg` with a segment of the given marker and payload inserted after its first two bytes.
    package static func inserting(_ marker: UInt8, _ payload: [UInt8], into jpeg: [UInt8]) -> [UInt8] {
        let length = payload.count + 2
        return jpeg.prefix(2) + [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + payload + jpeg.dropFirst(2)
    }

    /// `jpeg` without the segments of the given marker before the first scan.
    package static func removing(_ marker: UInt8, from jpeg: [UInt8]) -> [UInt8] {
        var result = Array(jpeg.prefix(2))
        for segment in segments(jpeg) where jpeg[segment.lowerBound + 1] != marker {
            result += jpeg[segment]
        }
        return result + jpeg[(segments(jpeg).last?.upperBound ?? 2)...]
    }

    /// The range of each segment up to the first scan's header, including its marker.
    package static func segments(_ jpeg: [UInt8]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var offset = 2
        while offset + 4 <= jpeg.count, jpeg[offset] == 0xFF {
            let end = offset + 2 + (Int(jpeg[offset + 2]) << 8 | Int(jpeg[offset + 3]))
            result.append(offset..<end)
            if jpeg[offset + 1] == 0xDA { break }
            offset = end
        }
        return result
    }

    /// `jpeg` with an Exif segment.
    package static func tagged(_ orientation: Int, _ jpeg: [UInt8]) -> [UInt8] {
        inserting(0xE1, Array("Exif\0\0".utf8) + ExifBlock.tiff(orientation: orientation), into: jpeg)
    }
}
