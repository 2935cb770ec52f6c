/// What the grammars of imgix, Cloudinary and Cloudflare have in common.
extension Translation {
    /// Sets width and height in pixels.
    mutating func set(_ size: RequestedSize) {
        self[.width] = size.width.map { "\($0)" }
        self[.height] = size.height.map { "\($0)" }
    }

    /// Sets the colour of bars and of transparent parts; only bars can be transparent.
    mutating func setBackground(_ color: CSSColor, isPadded: Bool, option: String) {
        if !isPadded, color.alpha == 0 { return }
        self[.background] = color.background
        if color.losesAlpha { ignore("\(option): alpha") }
    }

    /// Reports an option without effect.
    mutating func ignore(_ option: String) {
        if !ignored.contains(option) { ignored.append(option) }
    }
}
