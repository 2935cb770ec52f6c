import Cryptography
import Encodings
package import HeadroomAPI
package import HTTPTypes
import Requests
import TotalFunctions
import UntrustedText

/// The URLs of thumbor, with the additions of imagor.
///
/// `/SIGNATURE|unsafe/…/SOURCE`; ``ThumborPath`` parses the text after the signature.
package struct ThumborURLFormat: ConfigurableURLFormat {
    package static let name = URLFormatName.thumbor
    package static let title = "thumbor and imagor"
    package static let settings: [URLFormatSetting<Self>] = [
        .secrets(
            "thumbor-key",
            "File with thumbor's SECURITY_KEY. With it, URLs below /thumbor require a signature.",
            \.keys
        )
    ]

    /// The keys of thumbor (`SECURITY_KEY`) and imagor (`IMAGOR_SECRET`).
    package var keys: [Secret] = []

    package init() {}

    /// A URL format whose URLs must be signed with one of the keys, if there are keys.
    package init(keys: [Secret]) { self.keys = keys }

    package var signing: Signing { .keys(keys) }

    package static var optionNames: [String] { ThumborTranslation.filterNames }

    @discardableResult
    package func verify(_ address: ForeignURL) throws(Problem) -> Int {
        let (signature, rest) = Self.split(address)
        // thumbor compares encoded signatures, so their padding is required.
        let text = (PercentEncoding.decoded(Array(signature)) ?? "").utf8
        let given = text.count % 4 == 0 ? Base64.bytes(text) ?? [] : []
        var messages = [Array(rest)]
        // A client or a proxy may have encoded the options after signing.
        if let unencoded = ThumborPath(Substring(rest)).unencoded { messages.append(Array(unencoded.utf8)) }
        // imagor also supports SHA-256 and SHA-512.
        let hash: MessageDigest = given.count == 32 ? .sha256 : given.count == 64 ? .sha512 : .sha1
        let expected = keys.map { key in
            messages.map { message in key.withBytes { hash.authenticationCode(of: message, key: $0) } }
        }
        return try position(of: given, among: expected, of: String(decoding: rest, as: UTF8.self), .badRequest)
    }

    package func translate(_ address: ForeignURL) throws(Problem) -> Translation {
        let (signature, rest) = Self.split(address)
        guard signature.elementsEqual("unsafe".utf8) || signing.isRequired else {
            throw .invalid(option: "The signature", expected: "unsafe, because this service has no key")
        }
        return try ThumborTranslation(ThumborPath(Substring(rest))).result
    }

    /// The first part of a path, and the rest after its slash.
    static func split(_ address: ForeignURL) -> (first: Substring.UTF8View, rest: Substring.UTF8View) {
        let path = Substring(address.path).utf8.dropFirst()
        let end = path.firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
        return (path[..<end], path[end...].dropFirst())
    }

    /// thumbor ignores a rectangle outside the image, and `gifv` for a still image.
    package func relaxed(_ translation: Translation, after problem: Problem) -> Translation? {
        var relaxed = translation
        switch problem.cause {
        case .regionOutside where translation[.region] != nil: relaxed[.region] = nil
        case .stillImage:
            relaxed[.format] = "source"
            relaxed.ignore("gifv")
        default: return translation.relaxed(after: problem)
        }
        return relaxed
    }

    /// thumbor's status: 400 for sources that are not supported, cannot be decoded or are too large.
    package func status(of problem: Problem) -> HTTPResponse.Status {
        switch problem.kind {
        case .unsupportedImage, .unreadableImage, .tooLarge: .badRequest
        default: problem.status
        }
    }

    /// The problem with imagor's status, 410.
    package var expired: Problem { Problem(.expired, .gone, "The URL has expired. Create a new URL.") }
}

/// The parts of a thumbor URL after its signature, in their fixed order.
///
/// A part out of order starts the source, as in libthumbor's expression `Url.regex`.
struct ThumborPath {
    enum Side: Equatable {
        /// Not given; follows from the other side or from the image.
        case free
        /// `orig`: the side of the image.
        case original
        case pixels(Int)

        var pixels: Int? { if case .pixels(let pixels) = self { pixels } else { nil } }

        /// The side times a factor up to 1, at least one pixel.
        func scaled(by factor: Double) -> Side {
            pixels.map { .pixels(max(1, Int(clamping: (Double($0) * factor).rounded()))) } ?? self
        }
    }

    /// The way in which the image is fitted to the requested size.
    enum Mode {
        case cover, inside, outside, stretch
    }

    private(set) var isDebug = false
    private(set) var isMeta = false
    /// The arguments of `trim`; nil without it.
    private(set) var trim: [Substring]?
    /// Left, top, right and bottom; nil for the whole image.
    private(set) var crop: [Substring]?
    private(set) var mode = Mode.cover
    private(set) var isAdaptive = false
    private(set) var width = Side.free
    private(set) var height = Side.free
    private(set) var mirrorsColumns = false
    private(set) var mirrorsRows = false
    private(set) var halign: Substring?
    private(set) var valign: Substring?
    private(set) var isSmart = false
    /// The filters with their arguments, unchanged.
    private(set) var filters: [(name: Substring, arguments: Substring)] = []
    /// Whether the arguments of ``filters`` are already decoded, because the part arrived encoded as a whole.
    private(set) var hasDecodedFilters = false
    /// The text with its encoded parts decoded; nil if no part is encoded, or if the decoded text could be split
    /// differently.
    private(set) var unencoded: String?
    /// The source, with its received percent-encoding.
    private(set) var source: Substring = ""

    init(_ text: Substring) {
        var cursor = PathCursor(text)
        // The words `debug` and `meta` come first, in this order.
        isDebug = cursor.take("debug")
        isMeta = cursor.take("meta")
        trim = cursor.take { part in
            let parts = part.bytes.split(separator: ":", omittingEmptySubsequences: false)
            return parts.first == "trim" && parts.count <= 3 ? Array(parts.dropFirst()) : nil
        }
        crop = cursor.take(Self.corners)
        readMode(&cursor)
        readSize(&cursor)
        halign = cursor.take { ["left", "right", "center"].contains($0) ? $0 : nil }
        valign = cursor.take { ["top", "bottom", "middle"].contains($0) ? $0 : nil }
        isSmart = cursor.take("smart")
        readFilters(&cursor)
        source = cursor.rest
        unencoded = cursor.unencoded
    }

    /// Reads the filters: either plain, with arguments that may contain slashes, or in a part that is encoded as a
    /// whole.
    private mutating func readFilters(_ cursor: inout PathCursor) {
        let prefix = "filters:"
        let encoded = cursor.next.map { part -> Bool in
            // The parentheses of plain filters stay unencoded.
            !part.utf8.contains(UInt8(ascii: "(")) && part.utf8.contains(UInt8(ascii: "%"))
        }
        if encoded == true {
            let text = cursor.take { part -> Substring? in
                part.utf8.starts(with: prefix.utf8) && part.utf8.last == UInt8(ascii: ")") ? part : nil
            }
            if let text {
                filters = Self.filters(text.dropFirst(prefix.count).dropLast())
                hasDecodedFilters = true
                return
            }
        }
        // The name and its colon may be the only encoded text.
        guard let next = cursor.next, OptionSegment.decoded(next).utf8.starts(with: prefix.utf8) else { return }
        var after = cursor
        guard let text = after.take(until: ")/") else { return }
        let begin = text.utf8.starts(with: prefix.utf8) ? prefix.utf8.count : prefix.utf8.count + 2
        filters = Self.filters(Substring(text.utf8.dropFirst(begin)))
        cursor = after
    }

    private static func corners(_ part: Substring) -> [Substring]? {
        let corners = part.bytes.split(separator: ":", omittingEmptySubsequences: false).map {
            $0.bytes.split(separator: "x", omittingEmptySubsequences: false)
        }
        guard corners.count == 2, corners.allSatisfy({ $0.count == 2 }) else { return nil }
        let numbers = corners.flatMap(\.self)
        return numbers.allSatisfy { Double(plainDecimal: $0) != nil } ? numbers : nil
    }

    private mutating func readMode(_ cursor: inout PathCursor) {
        let modes: [(Substring, Mode, Bool)] = [
            ("fit-in", .inside, false), ("full-fit-in", .outside, false), ("adaptive-fit-in", .inside, true),
            ("adaptive-full-fit-in", .outside, true), ("stretch", .stretch, false),
        ]
        guard let found = cursor.take({ part in modes.first { $0.0 == part } }) else { return }
        (mode, isAdaptive) = (found.1, found.2)
    }

    private mutating func readSize(_ cursor: inout PathCursor) {
        let size = cursor.take { part -> [(Bool, Side)]? in
            let sides = part.bytes.split(separator: "x", omittingEmptySubsequences: false)
            let read = sides.compactMap(Self.side)
            return sides.count == 2 && read.count == 2 ? read : nil
        }
        guard let across = size?.first, let down = size?.last else { return }
        (mirrorsColumns, width) = across
        (mirrorsRows, height) = down
    }

    private static func side(_ text: Substring) -> (isMirrored: Bool, Side)? {
        let isMirrored = text.first == "-"
        let digits = isMirrored ? text.dropFirst() : text
        if digits.isEmpty { return (isMirrored, .free) }
        if digits == "orig" { return (isMirrored, .original) }
        guard digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        // A number that is too long is larger than any limit.
        let pixels = Int(plainDigits: digits) ?? Int(Int32.max)
        return (isMirrored, pixels == 0 ? .free : .pixels(pixels))
    }

    /// Parses `a(b):c(d)` without its last parenthesis.
    private static func filters(_ text: some TextSlice) -> [(name: Substring, arguments: Substring)] {
        var found: [(name: Substring, arguments: Substring)] = []
        var cursor = PathCursor(text)
        while let name = cursor.take(until: "(") {
            let arguments = cursor.take(until: "):")
            found.append((name, arguments ?? cursor.rest))
            if arguments == nil { break }
        }
        return found
    }
}

/// Reads the parts of a raw path between slashes, from left to right.
private struct PathCursor {
    /// The text that has not been read, without a leading slash.
    private(set) var rest: Substring
    /// The parts that were read, decoded, with a slash after each.
    ///
    /// Nil once a part could be split differently.
    private var read: String? = ""
    /// Whether a part was decoded.
    private var hasDecoded = false

    /// The path with decoded parts; nil if no part was encoded, or if a part could be split differently.
    var unencoded: String? { hasDecoded ? read.map { $0 + rest } : nil }

    /// A cursor at the start of a path, whose first slash is skipped.
    init(_ path: some TextSlice) {
        rest = Substring(path)
        if rest.utf8.first == UInt8(ascii: "/") { rest = Substring(rest.utf8.dropFirst()) }
    }

    /// The next part; nil if it is the last one, which is the source.
    var next: Substring? {
        rest.utf8.firstIndex(of: UInt8(ascii: "/")).map { rest[..<$0] }
    }

    /// Reads the next part, decoded, if it is accepted and another part follows.
    mutating func take<Value>(_ accept: (Substring) -> Value?) -> Value? {
        guard let next else { return nil }
        let part = OptionSegment.decoded(next)
        guard let value = accept(part) else { return nil }
        note(part, of: next)
        skip(next.utf8.count)
        return value
    }

    private mutating func note(_ part: Substring, of sent: Substring) {
        if part.utf8.count != sent.utf8.count {
            hasDecoded = true
            if !OptionSegment.isPlain(part) { read = nil }
        }
        read?.append(contentsOf: "\(part)/")
    }

    /// Reads the next part if it is this word and another part follows.
    mutating func take(_ word: String) -> Bool { take { $0 == word ? true : nil } ?? false }

    /// Reads text up to `mark` and the bytes of `mark`; nil without `mark`.
    mutating func take(until mark: String) -> Substring? {
        let (text, mark) = (rest.utf8, Array(mark.utf8))
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].starts(with: mark) {
                let found = rest[..<index]
                read?.append(contentsOf: "\(found)\(String(decoding: mark, as: UTF8.self))")
                rest = rest[text.index(index, offsetBy: mark.count)...]
                return found
            }
            index = text.index(after: index)
        }
        return nil
    }

    private mutating func skip(_ count: Int) { rest = Substring(rest.utf8.dropFirst(count + 1)) }
}

extension URLFormatName {
    /// thumbor and imagor.
    package static let thumbor = URLFormatName("thumbor", otherStarts: ["/unsafe/"])
}
