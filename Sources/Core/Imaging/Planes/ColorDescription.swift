/// The colour space of an image's samples as code points of ITU-T H.273, as in `nclx` boxes and PNG's `cICP`.
///
/// It is used if a file lacks an ICC profile. Decoded planes are always full range, and YCbCr planes always BT.601;
/// `matrix` and `isFullRange` describe the file.
package struct ColorDescription: Hashable, Sendable {
    /// ColourPrimaries: 1 is BT.709 and sRGB, 9 BT.2020, 12 Display P3, 2 unspecified.
    package var primaries: UInt16
    /// TransferCharacteristics: 13 is sRGB, 1 BT.709, 8 linear, 16 PQ, 18 HLG, 2 unspecified.
    package var transfer: UInt16
    /// MatrixCoefficients: 0 is RGB, 1 BT.709, 5 and 6 BT.601, 9 BT.2020, 2 unspecified.
    package var matrix: UInt16
    /// Whether the file's samples use the whole range of their depth.
    package var isFullRange: Bool

    /// A colour space by its code points in H.273, which are not checked.
    ///
    /// - Parameters:
    ///   - primaries: ColourPrimaries, such as 1 for BT.709 and sRGB.
    ///   - transfer: TransferCharacteristics, such as 13 for sRGB.
    ///   - matrix: MatrixCoefficients of the file; 0 for RGB.
    ///   - isFullRange: Whether the file's samples use the whole range of their depth.
    package init(primaries: UInt16, transfer: UInt16, matrix: UInt16 = 0, isFullRange: Bool = true) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// Whether the transfer characteristics are PQ or HLG.
    var isHDR: Bool { transfer == 16 || transfer == 18 }

    /// sRGB, IEC 61966-2-1.
    package static let sRGB = ColorDescription(primaries: 1, transfer: 13)
}
