/// A way in which a viewer or a program may show a picture with transparent pixels.
package enum PictureView: CaseIterable, Sendable {
    /// Over white, as this program and paper do.
    case overWhite
    case overBlack
    /// The colours without alpha, which programs show that drop it.
    case colors
    case alpha
}
