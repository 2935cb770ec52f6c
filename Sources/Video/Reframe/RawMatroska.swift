import Geometry

/// Frames with their times, as Matroska with uncompressed video (RFC 9559), which ffmpeg reads from a pipe.
enum RawMatroska {
    /// Nanoseconds per tick.
    private static let tick = 10_000

    static func header(size: PixelSize, fps: Double) -> [UInt8] {
        let document =
            element(0x4286, number(1)) + element(0x42F7, number(1)) + element(0x42F2, number(4))
            + element(0x42F3, number(8)) + element(0x4282, Array("matroska".utf8)) + element(0x4287, number(4))
            + element(0x4285, number(2))
        let name = Array("headroom".utf8)
        let information = element(0x2A_D7B1, number(tick)) + element(0x4D80, name) + element(0x5741, name)
        let video =
            element(0xB0, number(size.width)) + element(0xBA, number(size.height))
            + element(0x2E_B524, Array("I420".utf8))
        let track =
            element(0xD7, number(1)) + element(0x73C5, number(1)) + element(0x83, number(1)) + element(0x9C, number(0))
            + element(0x23_E383, number(Int((1e9 / fps).rounded()))) + element(0x86, Array("V_UNCOMPRESSED".utf8))
            + element(0xE0, video)
        // A segment of unknown size.
        let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        return element(0x1A45_DFA3, document) + segment + element(0x1549_A966, information)
            + element(0x1654_AE6B, element(0xAE, track))
    }

    /// A cluster with one frame, from the samples of its three planes and its time, 0 or later.
    static func frame(_ samples: [UInt8], at seconds: Double) -> [UInt8] {
        let time = element(0xE7, number(Int((min(max(0, seconds), 1e9) * 1e9 / Double(tick)).rounded())))
        // Track 1, the time of the cluster, a key frame.
        let block = head(0xA3, count: samples.count + 4) + [0x81, 0, 0, 0x80]
        return head(0x1F43_B675, count: time.count + block.count + samples.count) + time + block + samples
    }

    private static func element(_ identifier: UInt32, _ content: [UInt8]) -> [UInt8] {
        head(identifier, count: content.count) + content
    }

    /// An element's identifier and its size, in eight bytes.
    private static func head(_ identifier: UInt32, count: Int) -> [UInt8] {
        let name = bytes(UInt64(identifier)).drop { $0 == 0 }
        return name + [0x01] + bytes(UInt64(count)).dropFirst()
    }

    private static func number(_ value: Int) -> [UInt8] {
        let digits = Array(bytes(UInt64(max(0, value))).drop { $0 == 0 })
        return digits.isEmpty ? [0] : digits
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
}
