/// A way in which a viewer or a program may show an image with transparent pixels.
package enum ImageView: CaseIterable, Sendable {
    /// Over white, as this program and paper do.
    case overWhite
    case overBlack
    /// The colours without alpha, as in programs that drop alpha.
    case colors
    case alpha
}
