/// A file with a repeated part.
///
/// The first bytes of a fuzzer's input select the part; the other bytes are the file.
///
/// The lengths of enclosing elements grow with the part. One other number also grows, for example a count of the
/// repeated elements.
struct GrownFile {
    /// The formats of lengths in files.
    enum Lengths: UInt8, CaseIterable {
        case none
        /// Boxes: 32 bits for the length of the whole box, then four letters.
        case boxes
        /// Chunks of PNG: 32 bits for the length of the content, then four letters, and a checksum after the content.
        case chunks
        /// Chunks of RIFF: four letters, then 32 bits for the length of the content, in little-endian order.
        case riff
        /// Segments of JPEG: 0xFF and a marker, then 16 bits for the number of bytes after the marker.
        case segments
    }

    /// The bytes before the file.
    static let headerBytes = 10
    /// The maximum lengths of grown files.
    ///
    /// Repeated values are chosen more often.
    private static let maxBytes = [0, 0, 0, 1 << 12, 1 << 14, 1 << 16, 1 << 16, 1 << 18]
    /// A fixed length for all grown files, which replaces the lengths above; nil in fuzzers.
    nonisolated(unsafe) static var fixedBytes: Int?

    let bytes: [UInt8]

    /// Returns an input that repeats the part at `start`: `count` bytes, or, with 0, the number of bytes in the part's own
    /// length field.
    static func input(_ file: [UInt8], _ lengths: Lengths, from start: Int, count: Int, counter: Int? = nil) -> [UInt8]
    {
        func number(_ value: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        let head = [6, lengths.rawValue] + number(start) + number(count)
        return head + (counter.map { number($0) + [1, 0] } ?? [0, 0, 0, 0]) + file
    }

    /// Returns the inputs that repeat a part of a file: each part with a length field; without such parts, parts of
    /// several lengths at any position.
    static func seeds(_ file: [UInt8], _ lengths: Lengths, maximum: Int = 40) -> [[UInt8]] {
        let plain = [UInt8](repeating: 0, count: headerBytes) + file
        guard lengths != .none else {
            let places = stride(from: 0, to: file.count, by: max(1, file.count / 8))
            return [plain]
                + places.flatMap { place in [1, 4, 16, 64].map { input(file, lengths, from: place, count: $0) } }
                .prefix(maximum)
        }
        let starts = file.indices.filter { Self.length(in: file, lengths, at: $0) != nil }
        return [plain] + starts.prefix(maximum).map { input(file, lengths, from: $0, count: 0) }
    }

    init(_ input: UnsafeBufferPointer<UInt8>) {
        let head = Array(input.prefix(Self.headerBytes))
        let file = Array(input.dropFirst(Self.headerBytes))
        guard head.count == Self.headerBytes, !file.isEmpty else {
            bytes = file
            return
        }
        var maximum = Self.maxBytes[Int(head[0] % 8)]
        if maximum > 0, let fixed = Self.fixedBytes { maximum = fixed }
        let lengths = Lengths(rawValue: head[1] % 5) ?? .none
        let start = (Int(head[2]) << 8 | Int(head[3])) % file.count
        var count = Int(head[4]) << 8 | Int(head[5])
        if count == 0 { count = Self.length(in: file, lengths, at: start) ?? 1 }
        let end = min(start + count, file.count)
        let copies = max(0, maximum - file.count) / (end - start)
        guard copies > 0 else {
            bytes = file
            return
        }
        var grown = Array(file[..<end])
        grown.reserveCapacity(maximum + file.count)
        for _ in 0..<copies { grown += file[start..<end] }
        grown += file[end...]
        let added = copies * (end - start)
        for place in 0..<start {
            guard let (width, isLittle) = Self.enclosing(start..<end, in: file, lengths, at: place) else { continue }
            Self.add(added, to: &grown, at: place, width, isLittle: isLittle)
        }
        if head[8] & 1 == 1 {
            let place = Int(head[6]) << 8 | Int(head[7])
            let (width, isLittle) = (head[8] & 2 == 0 ? 2 : 4, head[8] & 4 == 0)
            let number = head[9] & 1 == 0 ? copies : added
            if place + width <= grown.count { Self.add(number, to: &grown, at: place, width, isLittle: isLittle) }
        }
        bytes = grown
    }

    private static func number(in file: [UInt8], at place: Int, _ width: Int, isLittle: Bool = false) -> Int? {
        guard place >= 0, place + width <= file.count else { return nil }
        return (0..<width).reduce(0) { $0 << 8 | Int(file[place + (isLittle ? width - 1 - $1 : $1)]) }
    }

    private static func add(_ value: Int, to file: inout [UInt8], at place: Int, _ width: Int, isLittle: Bool) {
        let sum = (number(in: file, at: place, width, isLittle: isLittle) ?? 0) + value
        for index in 0..<width {
            let shift = 8 * (isLittle ? index : width - 1 - index)
            file[place + index] = UInt8(truncatingIfNeeded: sum >> shift)
        }
    }

    private static func hasLetters(_ file: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place + 4 <= file.count else { return false }
        return file[place..<place + 4].allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Returns the whole length of the element at a position; nil if no element of the format starts there.
    private static func length(in file: [UInt8], _ lengths: Lengths, at place: Int) -> Int? {
        let whole: Int?
        switch lengths {
        case .none: return nil
        case .boxes: whole = hasLetters(file, at: place + 4) ? number(in: file, at: place, 4) : nil
        case .chunks: whole = hasLetters(file, at: place + 4) ? number(in: file, at: place, 4).map { $0 + 12 } : nil
        case .riff:
            let content = number(in: file, at: place + 4, 4, isLittle: true)
            whole = hasLetters(file, at: place) ? content.map { $0 + 8 + $0 % 2 } : nil
        case .segments:
            let content = file[place] == 0xFF ? number(in: file, at: place + 2, 2) : nil
            whole = content.map { $0 + 2 }
        }
        return whole.flatMap { $0 >= 4 && place + $0 <= file.count ? $0 : nil }
    }

    /// Returns the width and the byte order of a length field at a position, if its content encloses the part;
    /// otherwise nil.
    private static func enclosing(
        _ part: Range<Int>,
        in file: [UInt8],
        _ lengths: Lengths,
        at place: Int
    ) -> (width: Int, isLittle: Bool)? {
        let start = lengths == .riff ? place - 4 : lengths == .segments ? place - 2 : place
        guard start >= 0, let length = length(in: file, lengths, at: start), start + length >= part.upperBound,
            part.lowerBound > start
        else { return nil }
        return (lengths == .segments ? 2 : 4, lengths == .riff)
    }
}
