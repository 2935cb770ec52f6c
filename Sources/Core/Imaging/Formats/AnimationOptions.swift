/// How an animation is encoded, apart from its format.
struct AnimationOptions {
    /// The number of times that it plays; 0 is for ever.
    var plays: Int
    /// 1 to 100.
    var quality: Int
    /// The notice of copyright, for encoders that write it with the frames.
    var copyright: CopyrightNotice?
    var hasAlpha: Bool
}
