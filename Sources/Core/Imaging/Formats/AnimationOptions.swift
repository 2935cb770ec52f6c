/// The encoding options of an animation, apart from its format.
struct AnimationOptions {
    /// The number of times that it plays; 0 plays it forever.
    var plays: Int
    /// 1 to 100.
    var quality: Int
    /// The copyright notice, for encoders that write it with the frames.
    var copyright: CopyrightNotice?
    var hasAlpha: Bool
}
