/// The parts of a thumbor address after its signature, in their fixed order.
///
/// A part out of order begins the source, as in libthumbor's expression `Url.regex`.
struct ThumborPath {
    /// A requested side.
    enum Side: Equatable {
        /// It follows from the other, or is the picture's own.
        case free
        /// That of the picture.
        case original
        case pixels(Int)

        var pixels: Int? { if case .pixels(let pixels) = self { pixels } else { nil } }
    }

    /// How the picture is brought to the requested size.
    enum Mode {
        case cover, inside, outside, stretch
    }

    private(set) var isDebug = false
    private(set) var isMeta = false
    /// The arguments of `trim`; nil without it.
    private(set) var trim: [Substring]?
    /// Left, top, right and bottom; nil for the whole picture.
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
    /// The filters with their arguments, as sent.
    private(set) var filters: [(name: Substring, arguments: Substring)] = []
    /// The source, percent-encoded as sent.
    private(set) var source: Substring = ""

    /// Parses what follows the signature.
    init(_ text: Substring) {
        var cursor = PathCursor(text)
        // imagor has its own word first.
        isDebug = cursor.take("debug")
        isMeta = cursor.take("meta")
        trim = cursor.take { part in
            let parts = part.split(separator: ":", omittingEmptySubsequences: false)
            return parts[0] == "trim" && parts.count <= 3 ? Array(parts.dropFirst()) : nil
        }
        crop = cursor.take(Self.corners)
        readMode(&cursor)
        readSize(&cursor)
        halign = cursor.take { ["left", "right", "center"].contains($0) ? $0 : nil }
        valign = cursor.take { ["top", "bottom", "middle"].contains($0) ? $0 : nil }
        isSmart = cursor.take("smart")
        if cursor.rest.utf8.starts(with: "filters:".utf8) {
            var after = cursor
            if let text = after.take(until: ")/") {
                filters = Self.filters(text.dropFirst("filters:".count))
                cursor = after
            }
        }
        source = cursor.rest
    }

    private static func corners(_ part: Substring) -> [Substring]? {
        let corners = part.split(separator: ":", omittingEmptySubsequences: false).map {
            $0.split(separator: "x", omittingEmptySubsequences: false)
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
            let sides = part.split(separator: "x", omittingEmptySubsequences: false)
            let read = sides.compactMap(Self.side)
            return sides.count == 2 && read.count == 2 ? read : nil
        }
        guard let size else { return }
        (mirrorsColumns, width) = size[0]
        (mirrorsRows, height) = size[1]
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

    /// `a(b):c(d)`, of which the last parenthesis has been removed.
    private static func filters(_ text: some StringProtocol) -> [(name: Substring, arguments: Substring)] {
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
