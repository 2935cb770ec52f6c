import Pipeline

/// What is done to a picture beside its crop, as a label of metrics.
enum PictureEffect: String, CaseIterable {
    case align, filter, follow, key, redact, sticker, upright

    /// Those that the options ask for.
    static func all(of options: FrameOptions) -> [PictureEffect] {
        allCases.filter { effect in
            switch effect {
            case .align: if case .eyes = options.faceTurn { true } else { false }
            case .filter: !options.filters.isEmpty
            case .follow: options.motion == .follow
            case .key: options.key != nil
            case .redact: options.redaction != nil
            case .sticker: !options.stickers.isEmpty
            case .upright: options.faceTurn == .upright
            }
        }
    }
}
