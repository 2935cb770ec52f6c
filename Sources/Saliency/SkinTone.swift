/// How likely a colour is skin, of any complexion: chroma tells, luma hardly does.
///
/// Chai and Ngan (IEEE Trans. Circuits and Systems for Video Technology 9:4, 1999) found skin of all kinds at Cb 77…127
/// and Cr 133…173. This takes the ellipse that fills that range, so that a colour is skin the more the nearer it is to
/// the middle. Grey lies outside of it.
enum SkinTone {
    private static let middle: (blue: Float, red: Float) = (102, 153)
    private static let reach: (blue: Float, red: Float) = (25, 20)

    /// 0 for what is not skin, 1 for the most typical skin, of full-range BT.601 samples.
    static func likelihood(luma: UInt8, blue: UInt8, red: UInt8) -> Float {
        let across = (Float(blue) - middle.blue) / reach.blue
        let down = (Float(red) - middle.red) / reach.red
        let nearness = 1 - across * across - down * down
        guard nearness > 0 else { return 0 }
        // Shadows and blown highlights have chroma that means nothing.
        let shade = min(max((Float(luma) - 30) / 40, 0), 1)
        let glare = min((255 - Float(luma)) / 25, 1)
        return nearness * shade * glare
    }
}
