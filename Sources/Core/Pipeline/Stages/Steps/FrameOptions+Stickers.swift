extension FrameOptions {
    /// Returns the stickers that are omitted on some faces, with the numbers of these faces.
    package func omittedStickers(on faces: [Face]) -> [FramePlan.OmittedSticker] {
        stickers.prefix(Sticker.maxStickers).compactMap { sticker in
            let omitted = faces.prefix(Sticker.maxFaces).indices.filter { sticker.isOmitted(on: faces[$0]) }
            return omitted.isEmpty ? nil : .init(name: sticker.name, faces: omitted.map { $0 + 1 })
        }
    }
}
