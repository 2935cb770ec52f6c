import CImageCodec

/// Converts planes of equal size between colour models.
enum ColorConversion {
    /// Converts luma and chroma with a sample for every pixel to red, green and blue.
    static func rgb(fromYCbCr planes: [Plane]) throws(CodecError) -> [Plane] {
        let results = try [Plane](unset: planes[0].size, count: planes.count)
        try planes.withViews(into: results) { (from, to) throws(CodecError) in
            try check { hr_ycc_to_rgb(from, to, $0) }
        }
        return results
    }

    /// Converts red, green and blue to luma and chroma with a sample for every pixel.
    static func ycbcr(fromRGB planes: [Plane]) throws(CodecError) -> [Plane] {
        let results = try [Plane](unset: planes[0].size, count: planes.count)
        try planes.withViews(into: results) { (from, to) throws(CodecError) in
            try check { hr_rgb_to_ycc(from, to, $0) }
        }
        return results
    }
}
