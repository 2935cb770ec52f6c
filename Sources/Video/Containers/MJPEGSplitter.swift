package import Geometry

/// Splits a stream of JPEG frames, incrementally: frames one after another, or the parts of a `multipart` body.
///
/// A frame extends from SOI to EOI, found by its markers and segment lengths (ITU-T T.81, annex B). Bytes between
/// frames are skipped, so the boundaries and lengths of a multipart body are not needed and may be wrong.
///
/// The time is linear in the bytes. At most one frame is in memory, plus the last appended bytes.
package struct MJPEGSplitter: Sendable {
    /// The limits of a stream.
    package struct Limits: Hashable, Sendable {
        /// The maximum size of a frame, in bytes.
        package var frameBytes = 1 << 24
        /// The maximum number of bytes without a frame, for example the header of a part.
        package var gapBytes = 1 << 16
        /// The maximum side of a frame, in pixels.
        package var side = Y4MHeader.maxSide
        /// The maximum number of pixels of a frame.
        package var pixels = Y4MHeader.maxPixels

        /// Frames of at most 16 MiB and at most the maximum size of raw video, with gaps of at most 64 KiB.
        package init() {}
    }

    /// A frame in its stored form.
    package struct Frame: Hashable, Sendable {
        /// A JPEG, from SOI to EOI.
        package let bytes: [UInt8]
        /// The size that its header declares, before rotation by EXIF.
        package let size: PixelSize
    }

    /// The part of the stream that comes next.
    private enum Place { case gap, marker, scan }

    private let limits: Limits
    /// Frames that were skipped because their structure is damaged, or because their size exceeds the limits.
    package private(set) var damaged = 0
    /// The appended bytes, starting with the current frame or gap.
    private var buffer: [UInt8] = []
    /// The first byte of the current frame, or of the gap.
    private var start = 0
    /// The next byte to examine; beyond the end while a segment is incomplete.
    private var position = 0
    private var place = Place.gap
    /// The start index of the search for the next frame if this frame is cut off: in the last segment, or after it.
    ///
    /// Bytes that were searched for markers are not searched again, because each frame starts with a marker.
    private var lastSegment = 0
    private var size: PixelSize?
    private var hasScan = false
    /// The number of bytes since the last intact or damaged frame, and its limit, which allows for the rest of a
    /// damaged frame.
    private var gap = 0
    private var maxGap: Int

    /// A splitter at the start of a stream.
    ///
    /// Frames of a larger size than allowed are skipped and counted in ``damaged``; a longer frame or gap is an error
    /// of ``next()``.
    package init(limits: Limits = Limits()) {
        self.limits = limits
        maxGap = limits.gapBytes
    }

    /// Appends the next bytes of the stream.
    ///
    /// Call ``next()`` afterwards until it returns nil.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        if start > 0 {
            // bounded: a frame or a gap starts inside the buffer
            buffer.removeFirst(start)
            position -= start
            lastSegment -= min(start, lastSegment)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next frame; nil if more bytes are needed.
    ///
    /// - Throws: ``VideoError`` if a limit of bytes is exceeded. The splitter must not be used after that.
    package mutating func next() throws(VideoError) -> Frame? {
        while true {
            let before = (position, place)
            var frame: Frame?
            switch place {
            case .gap: try findStart()
            case .marker: frame = readMarker()
            case .scan: findMarker()
            }
            if let frame { return frame }
            if place != .gap, min(position, buffer.count) - start > limits.frameBytes {
                throw .unsupported("a frame of more than \(limits.frameBytes) bytes", expected: "smaller frames")
            }
            if before == (position, place) || position >= buffer.count { return nil }
        }
    }

    /// Ends the stream: an incomplete frame counts as damaged.
    package mutating func finish() {
        if place != .gap { damaged += 1 }
        (buffer, start, position, place) = ([], 0, 0, .gap)
    }

    /// Skips bytes up to the start of a frame.
    private mutating func findStart() throws(VideoError) {
        // The marker after SOI makes an accidental start improbable.
        let found = Self.mark(in: buffer, from: position) { first, second in
            guard let first else { return nil }
            guard first == 0xD8 else { return false }
            return second.map { $0 == 0xFF }
        }
        gap += found.index - position
        (start, position) = (found.index, found.index)
        guard gap <= maxGap else {
            throw .invalid("a stream with \(maxGap) bytes that are not part of a frame", expected: "MJPEG")
        }
        guard found.isMatch else { return }
        position = start + 2
        place = .marker
        lastSegment = position
        size = nil
        hasScan = false
    }

    /// Moves to the end of the entropy-coded data.
    private mutating func findMarker() {
        let found = Self.mark(in: buffer, from: position) { first, _ in
            first.map { $0 != 0 && !(0xD0...0xD7).contains($0) }
        }
        position = found.index
        guard found.isMatch else { return }
        lastSegment = position
        place = .marker
    }

    /// Skips the current frame, and searches for the next frame from an index.
    private mutating func skipFrame(to index: Int) {
        damaged += 1
        (gap, maxGap) = (0, limits.frameBytes)
        (start, position) = (index, index)
        place = .gap
    }

    /// Reads a marker and the header of its segment, if they are complete.
    private mutating func readMarker() -> Frame? {
        guard position + 1 < buffer.count else { return nil }
        let code = buffer[position + 1]
        guard buffer[position] == 0xFF, code != 0 else {
            skipFrame(to: lastSegment)
            return nil
        }
        switch code {
        case 0xFF: pass(1)
        case 0x01, 0xD0...0xD7: pass(2)
        // Another frame starts within this one.
        case 0xD8: skipFrame(to: position)
        case 0xD9: return end()
        default: readSegment(code)
        }
        return nil
    }

    /// Skips bytes that belong to no segment.
    private mutating func pass(_ count: Int) {
        position += count
        lastSegment = position
    }

    private mutating func end() -> Frame? {
        position += 2
        guard let size, hasScan else {
            skipFrame(to: position)
            return nil
        }
        // bounded: a frame starts before its last marker, which is in the buffer
        let frame = Frame(bytes: Array(buffer[start..<position]), size: size)
        start = position
        place = .gap
        (gap, maxGap) = (0, limits.gapBytes)
        return frame
    }

    private mutating func readSegment(_ code: UInt8) {
        let isFrameHeader = (0xC0...0xCF).contains(code) && ![0xC4, 0xC8, 0xCC].contains(code)
        guard position + (isFrameHeader ? 8 : 3) < buffer.count else { return }
        let length = number(at: position + 2)
        guard length >= (isFrameHeader ? 8 : 2) else { return skipFrame(to: position + 2) }
        if isFrameHeader {
            let size = PixelSize(width: number(at: position + 7), height: number(at: position + 5))
            guard size.width > 0, size.height > 0, size.longSide <= limits.side, size.area <= limits.pixels else {
                return skipFrame(to: position + 2)
            }
            self.size = size
        }
        if code == 0xDA {
            hasScan = true
            place = .scan
        }
        lastSegment = position + 4
        position += 2 + length
    }

    private func number(at index: Int) -> Int { Int(buffer[index]) << 8 | Int(buffer[index + 1]) }

    /// Returns the index of the next 0xFF whose following bytes match; without a match, the index where the search must
    /// continue.
    ///
    /// Following bytes that have not arrived are nil; `matches` returns nil if it needs them.
    private static func mark(
        in bytes: [UInt8],
        from start: Int,
        where matches: (UInt8?, UInt8?) -> Bool?
    ) -> (index: Int, isMatch: Bool) {
        bytes.withUnsafeBufferPointer { buffer in
            var index = start
            while index < buffer.count {
                guard buffer[index] == 0xFF else {
                    index += 1
                    continue
                }
                let first = index + 1 < buffer.count ? buffer[index + 1] : nil
                let second = index + 2 < buffer.count ? buffer[index + 2] : nil
                guard let isMatch = matches(first, second) else { return (index, false) }
                if isMatch { return (index, true) }
                index += 1
            }
            return (max(start, buffer.count), false)
        }
    }
}
