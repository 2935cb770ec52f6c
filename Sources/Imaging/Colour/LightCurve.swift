import CImageCodec

/// The curve of sRGB for samples of 16 bits that are proportional to light.
enum LightCurve {
    /// The sample of 8 bits for each of 16 bits.
    static let table = [UInt8](unsafeUninitializedCapacity: Int(HR_WIDE_LEVELS)) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        hr_encode_light(start)
        count = Int(HR_WIDE_LEVELS)
    }
}
