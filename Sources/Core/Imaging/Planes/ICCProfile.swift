import CImageCodec

/// An ICC colour profile: the meaning of an image's samples.
///
/// Colours that a file describes without ICC are also converted to a profile.
package struct ICCProfile: Hashable, Sendable {
    package let bytes: [UInt8]

    /// The maximum size of a profile in bytes; larger ones are ignored.
    ///
    /// Display profiles have up to 10 kB, printer profiles about 2 MB.
    static let maxBytes = 4 << 20

    /// A profile; nil if the bytes are invalid: the header is 128 bytes with "acsp" at 36 (ICC.1:2022, 7.2).
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard (128...Self.maxBytes).contains(bytes.count), bytes.dropFirst(36).starts(with: "acsp".utf8) else {
            return nil
        }
        self.bytes = Array(bytes)
    }

    /// A profile in the memory of a library; nil if it is missing, invalid or too large.
    init?(at start: UnsafePointer<UInt8>?, count: Int) {
        guard let start else { return nil }
        self.init(UnsafeBufferPointer(start: start, count: count))
    }

    /// Whether the profile applies to pixels of `model`; its data colour space is at byte 16.
    func describes(_ model: ColorModel) -> Bool {
        let space =
            switch model {
            case .gray: "GRAY"
            case .rgb, .ycbcr: "RGB "
            case .cmyk: "CMYK"
            }
        return bytes[16..<20].elementsEqual(space.utf8)
    }

    // MARK: Profiles of other descriptions

    /// The profile of a colour space by its code points; nil for sRGB, and for code points without a definition.
    ///
    /// - Parameters:
    ///   - description: The code points of a file's pixels; matrix and range are ignored.
    ///   - model: The colour model of the decoded pixels.
    package init?(_ description: ColorDescription, for model: ColorModel) {
        let (primaries, transfer) = (Int32(description.primaries), Int32(description.transfer))
        self.init { hr_profile_of_code_points(primaries, transfer, model == .gray, $0, $1) }
    }

    /// Creates the profile of samples that are light to the power of `gamma`; nil for sRGB and for invalid values.
    ///
    /// A gamma of 0.45455 means the sRGB curve. Chromaticities are x and y of white, red, green and blue.
    init?(gamma: Double, chromaticities: [Double]?, for model: ColorModel) {
        let points = chromaticities?.count == 8 ? chromaticities : nil
        self.init { hr_profile_of_gamma(gamma, points, model == .gray, $0, $1) }
    }

    /// Returns the profile for the same colours after their samples are encoded with the sRGB curve.
    ///
    /// The result is nil unless the samples are nearly proportional to light, so that 8 bits are too few for dark
    /// colours.
    func ofEncodedLight(for model: ColorModel) -> ICCProfile? {
        ICCProfile { hr_profile_of_encoded_light(bytes, bytes.count, model == .gray, $0, $1) }
    }

    /// A profile that a C function writes into a buffer.
    private init?(_ write: (UnsafeMutablePointer<hr_buffer>, UnsafeMutablePointer<hr_error>) -> hr_status) {
        var buffer = hr_buffer()
        defer { hr_buffer_free(&buffer) }
        var error = hr_error()
        guard write(&buffer, &error) == HR_OK, buffer.count > 0 else { return nil }
        self.init(UnsafeBufferPointer(start: buffer.data, count: buffer.count))
    }
}

/// The sRGB curve for samples of 16 bits that are proportional to light.
enum LightCurve {
    /// The 8-bit sample for each 16-bit sample.
    static let table = [UInt8](unsafeUninitializedCapacity: Int(HR_WIDE_LEVELS)) { buffer, count in
        guard let start = buffer.baseAddress else { return }
        hr_encode_light(start)
        count = Int(HR_WIDE_LEVELS)
    }
}
