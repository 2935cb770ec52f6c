package import Geometry
package import Imaging

/// The first line of a Y4M file, as yuv4mpeg(5) of MJPEG Tools describes it.
package struct Y4MHeader: Hashable, Sendable {
    /// The maximum length of the line, including its line feed.
    static let maxLineBytes = 1024
    /// The maximum side of a frame in pixels.
    package static let maxSide = 16_384
    /// The maximum number of pixels of a frame.
    package static let maxPixels = 1 << 26

    package var size: PixelSize
    package let layout: SampleLayout
    /// Frames a second; nil if the header does not state it.
    package let fps: Double?
    /// The tags that are written unchanged, with their letters: all tags except width and height.
    private var tags: [String]

    /// Parses a header.
    ///
    /// - Parameter line: The first line, without its line feed.
    /// - Throws: ``VideoError/invalid(_:expected:)`` or ``VideoError/unsupported(_:expected:)``.
    package init(_ line: [UInt8]) throws(VideoError) {
        guard line.count < Self.maxLineBytes else {
            throw .invalid("a header of more than \(Self.maxLineBytes) bytes", expected: "a shorter one")
        }
        guard line.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw .invalid("a header with bytes that are not ASCII", expected: "YUV4MPEG2 and tags such as W640")
        }
        let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.first == "YUV4MPEG2" else { throw .invalid(Self.quoted(words.first ?? ""), expected: "YUV4MPEG2") }
        var values: [Character: String] = [:]
        var tags: [String] = []
        for word in words.dropFirst() {
            guard let letter = word.first else { continue }
            if letter != "X", values.updateValue(String(word.dropFirst()), forKey: letter) != nil {
                throw .invalid("a header with two tags \(letter)", expected: "each tag once")
            }
            if letter != "W", letter != "H" { tags.append(word) }
        }
        size = PixelSize(width: try Self.side(values["W"], tag: "W"), height: try Self.side(values["H"], tag: "H"))
        guard size.area <= Self.maxPixels else {
            let frame = "a frame of \(size.width) × \(size.height) pixels"
            throw .unsupported(frame, expected: "at most \(Self.maxPixels) pixels")
        }
        if let interlacing = values["I"], interlacing != "p", interlacing != "?" {
            throw .unsupported(
                "I\(Self.shortened(interlacing)), interlaced video,",
                expected: "progressive video, such as from ffmpeg's filter yadif"
            )
        }
        layout = try Self.layout(values["C"] ?? "420jpeg")
        fps = try Self.ratio(values["F"], tag: "F", maximum: 1000)
        _ = try Self.ratio(values["A"], tag: "A", maximum: 1000)
        self.tags = tags
    }

    /// A header of progressive video with square pixels.
    ///
    /// - Parameters:
    ///   - size: The size of a frame.
    ///   - layout: The planes of a frame, with eight bits and 4:2:0, 4:2:2, 4:4:4 or only luma.
    ///   - fps: Frames a second.
    package init(size: PixelSize, layout: SampleLayout, fps: Double) {
        self.size = size
        self.layout = layout
        self.fps = fps
        let chroma =
            switch layout.subsampling {
            case nil: "mono"
            case .halvedAcross?: "422"
            case ChromaSubsampling.none?: "444"
            default: "420jpeg"
            }
        tags = ["F\(Int((fps * 1000).rounded())):1000", "Ip", "A1:1", "C\(chroma)"]
    }

    /// The header without its comments (tags `X`), except the comment for the range of the samples.
    package var withoutComments: Y4MHeader {
        var header = self
        let kept = ["XCOLORRANGE=FULL", "XCOLORRANGE=LIMITED"]
        header.tags = tags.filter { $0.utf8.first != UInt8(ascii: "X") || kept.contains($0) }
        return header
    }

    /// The line with its line feed.
    package var bytes: [UInt8] {
        Array((["YUV4MPEG2", "W\(size.width)", "H\(size.height)"] + tags).joined(separator: " ").utf8) + [0x0A]
    }

    private static func side(_ text: String?, tag: Character) throws(VideoError) -> Int {
        let expected = "\(tag)1 to \(tag)\(maxSide)"
        guard let text else { throw .invalid("a header without the tag \(tag)", expected: expected) }
        guard let side = number(text), (1...maxSide).contains(side) else {
            throw .invalid(quoted("\(tag)\(text)"), expected: expected)
        }
        return side
    }

    /// A number of at most nine digits.
    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.count <= 9 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }

    /// A ratio of two numbers; nil if it is missing or `0:0`, which means unknown.
    private static func ratio(_ text: String?, tag: Character, maximum: Double) throws(VideoError) -> Double? {
        guard let text else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number(Substring($0)) }
        guard parts.count == 2, numbers.count == 2 else {
            throw .invalid(quoted("\(tag)\(text)"), expected: "two numbers such as \(tag)25:1")
        }
        if numbers[0] == 0 || numbers[1] == 0 { return nil }
        let value = Double(numbers[0]) / Double(numbers[1])
        guard value <= maximum, value >= 1 / maximum else {
            throw .unsupported(quoted("\(tag)\(text)"), expected: "a ratio from 1:\(Int(maximum)) to \(Int(maximum)):1")
        }
        return value
    }

    private static func layout(_ name: String) throws(VideoError) -> SampleLayout {
        switch name {
        case "420jpeg", "420": return SampleLayout(subsampling: .halved)
        case "420mpeg2": return SampleLayout(subsampling: .halved, isLeft: true)
        case "420paldv": return SampleLayout(subsampling: .halved, isLeft: true, isTop: true)
        case "422": return SampleLayout(subsampling: .halvedAcross, isLeft: true)
        case "444": return SampleLayout(subsampling: ChromaSubsampling.none)
        case "411": return SampleLayout(subsampling: ChromaSubsampling(horizontal: 4, vertical: 1), isLeft: true)
        case "mono": return SampleLayout(subsampling: nil)
        default: break
        }
        let deep: [(String, ChromaSubsampling?, Bool)] = [
            ("420p", .halved, true), ("422p", .halvedAcross, true), ("444p", ChromaSubsampling.none, false),
            ("mono", nil, false),
        ]
        for (prefix, subsampling, isLeft) in deep where name.utf8.starts(with: prefix.utf8) {
            if let depth = Int(name.dropFirst(prefix.count)), [9, 10, 12, 14, 16].contains(depth) {
                return SampleLayout(subsampling: subsampling, depth: depth, isLeft: isLeft)
            }
        }
        throw .unsupported(
            quoted("C\(name)"),
            expected:
                "C420jpeg, C420mpeg2, C420paldv, C411, C422, C444, Cmono, or one of C420p10, C422p10, C444p10, Cmono10"
        )
    }

    private static func quoted(_ text: String) -> String { "\u{201C}\(shortened(text))\u{201D}" }

    private static func shortened(_ text: String) -> String { text.count > 40 ? "\(text.prefix(40))…" : text }
}
