import Geometry

/// The likelihood that a colour is skin, of any complexion, mostly from chroma.
///
/// Chai and Ngan (IEEE Trans. Circuits and Systems for Video Technology 9:4, 1999) found skin of all kinds at Cb
/// 77…127 and Cr 133…173. The likelihood is highest in the middle of the ellipse that fills that range, and decreases
/// to its rim. Grey lies outside of it.
enum SkinTone {
    private static let middle: (blue: Float, red: Float) = (102, 153)
    private static let reach: (blue: Float, red: Float) = (25, 20)

    /// The likelihood for full-range BT.601 samples: 0 for no skin, 1 for the most typical skin.
    static func likelihood(luma: UInt8, blue: UInt8, red: UInt8) -> Float {
        let across = (Float(blue) - middle.blue) / reach.blue
        let down = (Float(red) - middle.red) / reach.red
        let nearness = 1 - across * across - down * down
        guard nearness > 0 else { return 0 }
        // The chroma of shadows and blown highlights is unreliable.
        let shade = min(max((Float(luma) - 30) / 40, 0), 1)
        let glare = min((255 - Float(luma)) / 25, 1)
        return nearness * shade * glare
    }
}
