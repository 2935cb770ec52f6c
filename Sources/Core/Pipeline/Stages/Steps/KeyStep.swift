import Geometry
import Imaging

/// Scales a crop, converts its colours, and then applies the effects, in the order of this file: key and backdrop, then
/// filters.
///
/// Bars, the turn and the encoding follow, so effects change the pixels of the crop only.
struct EffectStage {
    let options: FrameOptions
    /// The colour that becomes transparent; nil if none was requested, or if the picture's borders have none.
    var keyColor: KeyColor?
    /// The decoded picture of the backdrop; nil unless the backdrop is a picture.
    var backdrop: PlanarImage?

    /// Whether there are effects.
    static func isNeeded(_ options: FrameOptions) -> Bool { !options.filters.isEmpty || options.key != nil }

    /// The memory of the effects for one crop, in bytes.
    static func bytesNeeded(_ options: FrameOptions, _ size: PixelSize) -> Int {
        guard isNeeded(options) else { return 0 }
        // The crop with its key and without it, and the backdrop with its conversion.
        let key = options.key == nil ? 0 : 12 * size.area
        // The crop in red, green and blue, and its conversion to the model of the file.
        return key + 8 * size.area + options.filters.bytesNeeded(area: size.area, longSide: size.longSide)
    }

    /// Whether results have alpha even if the source has none.
    var addsAlpha: Bool { options.key != nil && options.backdrop == nil }

    /// The colour model of a crop with effects, of a source in the given one.
    func colorModel(of source: ColorModel) -> ColorModel {
        guard Self.isNeeded(options) else { return source }
        // Only grey and RGB pictures have alpha, and neither the key nor the backdrop is grey.
        if addsAlpha || options.key != nil && source == .gray { return .rgb }
        return options.filters.colorModel(of: source)
    }

    /// A region of a picture, scaled, converted and with its effects.
    ///
    /// Parameters and errors equal those of ``PlanarImage/rendered(_:to:model:profile:)``.
    func picture(
        of image: PlanarImage,
        _ region: FractionalRect,
        to size: PixelSize,
        model: ColorModel,
        profile: ProfileUse
    ) throws(CodecError) -> PlanarImage {
        guard Self.isNeeded(options) else {
            return try image.rendered(region, to: size, model: model, profile: profile)
        }
        // A profile of grey does not apply to the RGB picture.
        let profile = image.colorModel == .gray ? .srgb : profile
        var picture = try image.rendered(region, to: size, model: .rgb, profile: profile)
        if let key = options.key, let keyColor {
            picture = try onBackdrop(try picture.without(keyColor, key))
        }
        picture = try picture.filtered(by: options.filters)
        return try picture.converted(to: model)
    }

    /// The keyed picture `front`, laid over the backdrop if there is one.
    private func onBackdrop(_ front: PlanarImage) throws(CodecError) -> PlanarImage {
        let whole = PixelRect(front.size)
        switch options.backdrop {
        case nil: return front
        case .color(let color):
            let background = Background.color(red: color.red, green: color.green, blue: color.blue)
            return try front.laid(on: background, of: front.size, at: whole)
        case .blur:
            return try front.laid(on: .blur, of: front.size, at: whole)
        case .picture:
            guard let backdrop else { return front }
            let cover = backdrop.size.covering(front.size)
            let ground = try backdrop.rendered(cover, to: front.size, model: .rgb, profile: .srgb).flattened()
            return try front.laid(over: ground)
        }
    }
}

extension PixelSize {
    /// The largest region in the middle of a picture of this size that has the shape of another one.
    fileprivate func covering(_ other: PixelSize) -> FractionalRect {
        let scale = min(Double(width) / Double(other.width), Double(height) / Double(other.height))
        let (across, down) = (Double(other.width) * scale, Double(other.height) * scale)
        let (left, top) = ((Double(width) - across) / 2, (Double(height) - down) / 2)
        return FractionalRect(x: left, y: top, width: across, height: down)
    }
}

extension FramePipeline {
    /// The effects of the job, with the border colour and the backdrop that they need; the plan gets the colour of the
    /// borders.
    mutating func effects(on plan: inout FramePlan) throws(PipelineError) -> EffectStage {
        var stage = EffectStage(options: job.options)
        guard job.rendering == .scaling || job.options.placeholder != nil, let key = job.options.key else {
            return stage
        }
        stage.keyColor = if let color = key.color { color } else { try borderColor() }
        if job.options.backdrop == .picture { stage.backdrop = try backdrop(for: plan) }
        if job.rendering == .scaling, key.color == nil { plan.borderKey = BorderKey(stage.keyColor) }
        return stage
    }

    /// The colour of the source's borders; nil if they have none.
    private mutating func borderColor() throws(PipelineError) -> KeyColor? {
        let picture = try source.picture(exactlyAt: decodePlan.borderScale)
        let whole = FractionalRect(PixelRect(picture.size))
        return try codec(
            picture.rendered(whole, to: decodePlan.borderSize, model: .rgb, profile: job.options.profile)
                .flattened().borderColor()
        )
    }

    /// The backdrop's picture, at the smallest scale that covers every crop.
    private func backdrop(for plan: FramePlan) throws(PipelineError) -> PlanarImage? {
        guard let bytes = job.backdrop?.array else { return nil }
        do {
            let header = try ImageHeader.read(bytes)
            let sizes = plan.crops.map(\.picture.size)
            let size = PixelSize(width: sizes.map(\.width).max() ?? 1, height: sizes.map(\.height).max() ?? 1)
            let scale = DecodeScale.smallest(of: header, atLeast: size, from: header.size)
            return try ImageDecoder.decode(bytes, header: header, scale: scale, limits: limits.decode)
        } catch {
            throw .backdrop(error)
        }
    }
}
