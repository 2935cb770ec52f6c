/// The quantisation of a JPEG, which determines its quality and, together with the content, the file size.
package struct JPEGQuantization: Hashable, Sendable {
    /// 64 divisors per component, row by row, for the upright image.
    package let tables: [[UInt16]]
    /// The colour model of the tables, with its subsampling.
    package let colorModel: ColorModel

    /// The quality from 1 to 100 that makes libjpeg quantise luma about as coarsely.
    ///
    /// The scaling follows `jpeg_quality_scaling`; the table is from T.81, K.1, and its divisors add up to 3688. Used
    /// for formats without quantisation tables, and for tables of other encoders.
    package var estimatedQuality: Int {
        let sum = tables.first.map { $0.reduce(0) { $0 + Int($1) } } ?? 0
        let percent = Double(sum) / 3688 * 100
        let quality = percent > 100 ? 5000 / percent : (200 - percent) / 2
        return min(max(Int(quality.rounded()), 1), 100)
    }

    /// The quantisation of the image rotated by 90°, in which horizontal frequencies become vertical.
    package var transposed: JPEGQuantization {
        let turned = tables.map { table in (0..<64).map { table[$0 % 8 * 8 + $0 / 8] } }
        guard case .ycbcr(let subsampling) = colorModel else {
            return JPEGQuantization(tables: turned, colorModel: colorModel)
        }
        return JPEGQuantization(tables: turned, colorModel: .ycbcr(subsampling.transposed))
    }

    /// Whether an image can be encoded with these tables, with at most a conversion of its subsampling.
    func applies(to model: ColorModel) -> Bool {
        switch (colorModel, model) {
        case (.gray, .gray), (.ycbcr, .ycbcr): true
        default: false
        }
    }
}
