/// The likelihood that a colour is skin, of any complexion, mostly from chroma.
///
/// The likelihood is highest in the middle of the ellipse that fills the range of skin, and decreases to its rim. Grey
/// lies outside of it.
enum SkinTone {
    /// The likelihood for full-range BT.601 samples: 0 for no skin, 1 for the most typical skin.
    static func likelihood(luma: UInt8, blue: UInt8, red: UInt8) -> Float {
        let across = (Float(blue) - AttentionConstants.skinBlue.middle) / AttentionConstants.skinBlue.reach
        let down = (Float(red) - AttentionConstants.skinRed.middle) / AttentionConstants.skinRed.reach
        let nearness = max(0, 1 - across * across - down * down)
        return nearness * min(1, Float(luma) / AttentionConstants.fullSkinLuma)
    }
}
