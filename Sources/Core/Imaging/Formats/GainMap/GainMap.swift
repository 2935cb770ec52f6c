import UntrustedText
package import Geometry

/// A gain map: a second image in a file that contains the brightness gain of each pixel on an HDR display (ISO 21496-1,
/// Adobe's gain map specification 1.0, Ultra HDR 1.1).
package struct GainMap: Sendable {
    /// The file of the map: the embedded JPEG, or a copy of the source with the map as its primary image.
    let file: [UInt8]
    /// The meaning of its samples.
    let metadata: GainMapMetadata

    /// Reads the gain map of a JPEG; nil if there is none, or if its metadata are not supported.
    ///
    /// Its position is read from the list of images (MPF, CIPA DC-007) or else from the directory of the XMP packet.
    /// Without both, the map is the first image after the primary image that has the metadata of a gain map.
    package init?(jpeg bytes: [UInt8]) {
        let primary = JPEGSegments(bytes[...])
        let stated = MPFEntries(primary, in: bytes).places.prefix(Self.maxImages)
        let listed = Self.listed(primary, in: bytes)
        // The list and the directory refer to the same image in most files.
        let places = stated + [listed].compactMap(\.self).filter { place in !stated.contains(place) }
        for place in places {
            guard let found = Self(bytes[place]) else { continue }
            self = found
            return
        }
        for place in JPEGImages(bytes).prefix(1 + Self.maxImages) where place.lowerBound > 0 {
            guard let found = Self(bytes[place]) else { continue }
            self = found
            return
        }
        return nil
    }

    /// Reads the map in a part of a JPEG file; nil if the part does not contain a gain map.
    private init?(_ part: ArraySlice<UInt8>) {
        guard part.starts(with: [0xFF, 0xD8, 0xFF]), let metadata = GainMapMetadata(JPEGSegments(part)) else {
            return nil
        }
        self.init(file: Array(part), metadata: metadata)
    }

    /// Reads the gain map of a JPEG, HEIC or AVIF file; the base image of an AVIF must be SDR.
    ///
    /// The initializer returns nil if there is none, or if its metadata are not supported.
    package init?(_ bytes: [UInt8], format: InputFormat) {
        if format == .jpeg {
            self.init(jpeg: bytes)
            return
        }
        #if AVIF || HEIC
        guard Self.isRead(in: format), let items = try? HEIFItems(bytes, format), let map = items.gainMap,
            let metadata = GainMapMetadata(iso: map.metadata), !metadata.isBasedOnHDR
        else { return nil }
        self.init(file: items.file(showing: map.item), metadata: metadata)
        #else
        return nil
        #endif
    }

    /// Whether gain maps are read from files of a format.
    package static func isRead(in format: InputFormat) -> Bool { ["jpeg", "heic", "avif"].contains(format.rawValue) }

    init(file: [UInt8], metadata: GainMapMetadata) {
        self.file = file
        self.metadata = metadata
    }

    /// Whether the samples of another map have the same meaning.
    package func hasSameMetadata(as other: GainMap) -> Bool { metadata == other.metadata }

    /// The maximum number of images that are examined in a file; cameras write up to about five.
    private static let maxImages = 16

    /// Returns the range of the last image in the file; its length is in the directory of the XMP packet (Ultra HDR
    /// 1.1).
    private static func listed(_ primary: JPEGSegments, in bytes: [UInt8]) -> Range<Int>? {
        guard let packet = primary.xmp.map(GainMapMetadata.text), let item = packet.bytes.firstRange(of: "\"GainMap\"")
        else { return nil }
        // The attributes of an element can have any order.
        let start = packet.utf8[..<item.lowerBound].lastIndex(of: UInt8(ascii: "<")) ?? packet.startIndex
        let element = packet[start...].bytes.prefix(before: ">")
        guard let name = element.bytes.firstRange(of: "Length=\"") else { return nil }
        let digits = element[name.upperBound...].bytes.prefix(before: "\"")
        guard digits.utf8.count <= 18, let length = Int(digits), length > 0, length < bytes.count else { return nil }
        return bytes.count - length..<bytes.count
    }

    // MARK: Cropping

    /// Returns the gain map of a crop as a JPEG file with its metadata.
    ///
    /// - Parameters:
    ///   - region: The crop in fractions of the upright image.
    ///   - size: The size of the crop's image; the map is not larger.
    ///   - turn: The rotation of the finished image.
    ///   - source: The header of the source, whose orientation also applies to its map.
    ///   - limits: The limits of decoding.
    /// - Returns: The file.
    /// - Throws: ``CodecError``, including for a map with more pixels than the image.
    package func cropped(
        to region: FractionalRect,
        of size: PixelSize,
        turn: Orientation,
        source: ImageHeader,
        limits: DecodeLimits
    ) throws(CodecError) -> [UInt8] {
        let header = try ImageHeader.read(file)
        guard header.storedSize.area <= source.storedSize.area else {
            throw .corrupt(source.format, "its gain map has more pixels than the image")
        }
        let decoded = try ImageDecoder.decode(file, header: header, limits: limits)
        // If the map has its own orientation, the decoder has already applied it.
        let map = header.orientation == .up ? try decoded.oriented(source.orientation) : decoded
        let (width, height) = (Double(map.size.width), Double(map.size.height))
        let part = FractionalRect(
            x: region.x * width,
            y: region.y * height,
            width: region.width * width,
            height: region.height * height
        )
        let own = PixelSize(
            width: min(max(1, Int(part.width.rounded())), size.width),
            height: min(max(1, Int(part.height.rounded())), size.height)
        )
        let model: ColorModel = map.colorModel == .gray ? .gray : .ycbcr(.none)
        let scaled = try Resampler.resample(map, region: part, to: own, model: model, filter: .linear).oriented(turn)
        var options = EncodingOptions(quality: Self.quality)
        options.chroma = .full
        return metadata.added(toMap: try ImageEncoder.encode(scaled, as: .jpeg, options))
    }

    /// Returns a file with an image and its gain map; see ``GainMapMetadata/joined(_:_:_:)``.
    package func joined(_ image: [UInt8], _ map: [UInt8], _ copyright: CopyrightNotice?) -> [UInt8] {
        metadata.joined(image, map, copyright)
    }

    /// The quality of gain maps in outputs.
    ///
    /// It is high because applying a map multiplies its errors.
    private static let quality = 92
}

/// The list of the images in a file (CIPA DC-007, 5.2.3).
private struct MPFEntries {
    /// The ranges of all images except the first, in file order.
    ///
    /// They do not overlap.
    private(set) var places: [Range<Int>] = []

    init(_ segments: JPEGSegments, in bytes: [UInt8]) {
        guard let data = segments.content(0xE2, "MPF\0"), data.count >= 8 else { return }
        let start = data.startIndex
        let isBigEndian = data[start] == 0x4D
        func number(_ offset: Int, _ count: Int) -> Int? {
            guard offset >= 0, offset <= data.count - count else { return nil }
            let part = data[start + offset..<start + offset + count]
            return (isBigEndian ? Array(part) : part.reversed()).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(4, 4), let fields = number(directory, 2) else { return }
        for field in 0..<fields {
            let place = directory + 2 + 12 * field
            guard let tag = number(place, 2), let count = number(place + 4, 4), let list = number(place + 8, 4) else {
                return
            }
            guard tag == 0xB002 else { continue }
            for entry in 1..<max(1, min(count / 16, 100)) {
                guard let size = number(list + 16 * entry + 4, 4), let offset = number(list + 16 * entry + 8, 4) else {
                    break
                }
                // Offsets are relative to the header of the list.
                let from = start + offset
                guard offset > 0, size > 0, from < bytes.count else { continue }
                places.append(from..<min(from + size, bytes.count))
            }
            // Only the first list is used.
            break
        }
        places = Self.separated(places)
    }

    /// The ranges in file order, without duplicates.
    ///
    /// Each range ends at the latest where the next range starts.
    private static func separated(_ places: [Range<Int>]) -> [Range<Int>] {
        var separate: [Range<Int>] = []
        for place in places.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            guard let last = separate.last else {
                separate.append(place)
                continue
            }
            // If several ranges start at the same offset, the longest is used.
            let start = last.lowerBound
            separate[separate.count - 1] = start..<(place.lowerBound == start ? place : last).upperBound
            guard place.lowerBound > start else { continue }
            separate[separate.count - 1] = start..<min(last.upperBound, place.lowerBound)
            separate.append(place)
        }
        return separate
    }
}
