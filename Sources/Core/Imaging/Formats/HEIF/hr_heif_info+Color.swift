import CImageCodec

extension hr_heif_info {
    /// The code points of the file.
    var colorDescription: ColorDescription {
        ColorDescription(
            primaries: UInt16(clamping: primaries),
            transfer: UInt16(clamping: transfer),
            matrix: UInt16(clamping: matrix),
            isFullRange: full_range
        )
    }
}
