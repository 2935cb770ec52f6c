import CImageCodec

extension ICCProfile {
    /// The profile of a colour space by its code points; nil for sRGB, and for code points without a definition.
    ///
    /// - Parameters:
    ///   - description: Of a file's pixels; matrix and range do not matter.
    ///   - model: The colour model of the decoded pixels.
    package init?(_ description: ColorDescription, for model: ColorModel) {
        self.init { buffer, error in
            hr_profile_of_code_points(
                Int32(description.primaries),
                Int32(description.transfer),
                model == .gray,
                buffer,
                error
            )
        }
    }

    /// The profile of samples that are light to the power of `gamma`; nil for sRGB, and for values without meaning.
    ///
    /// - Parameters:
    ///   - gamma: Such as 0.45455, which stands for the curve of sRGB.
    ///   - chromaticities: x and y of white, red, green and blue; nil for those of sRGB.
    ///   - model: The colour model of the decoded pixels.
    init?(gamma: Double, chromaticities: [Double]?, for model: ColorModel) {
        self.init { buffer, error in
            hr_profile_of_gamma(gamma, chromaticities?.count == 8 ? chromaticities : nil, model == .gray, buffer, error)
        }
    }

    /// The profile of the same colours after samples went through the curve of sRGB; nil unless they are nearly
    /// proportional to light, so that 8 bits are too few for their dark colours.
    func ofEncodedLight(for model: ColorModel) -> ICCProfile? {
        ICCProfile { buffer, error in
            bytes.withUnsafeBufferPointer { profile in
                guard let start = profile.baseAddress else { return HR_OK }
                return hr_profile_of_encoded_light(start, profile.count, model == .gray, buffer, error)
            }
        }
    }

    /// A profile that a C function writes into a buffer.
    private init?(_ write: (UnsafeMutablePointer<hr_buffer>, UnsafeMutablePointer<hr_error>) -> hr_status) {
        var buffer = hr_buffer()
        defer { hr_buffer_free(&buffer) }
        var error = hr_error()
        guard write(&buffer, &error) == HR_OK, buffer.count > 0 else { return nil }
        self.init(Array(UnsafeBufferPointer(start: buffer.data, count: buffer.count)))
    }
}
