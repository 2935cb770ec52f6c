/// The value of a position, compared in the order of the fields.
package struct CropScore: Comparable {
    /// The value of a whole face; a whole head is worth ``head`` more.
    ///
    /// The two are nearly equal: with equal weights, the search maximises the number of faces and heads together,
    /// and keeps a face without its hair rather than none.
    package static let face = 10.0
    /// The additional value of a whole head.
    package static let head = 9.0
    /// Values that differ by less than half of this are equal, because sums of fractions are rounded.
    static let grain = 1e-6

    /// In units of ``grain``.
    var value = 0
    var area = 0
    var paddedHeads = 0

    package static func < (left: CropScore, right: CropScore) -> Bool {
        (left.value, left.area, left.paddedHeads) < (right.value, right.area, right.paddedHeads)
    }
}
