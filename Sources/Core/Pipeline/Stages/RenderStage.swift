import Framing
import Geometry
import Imaging

/// Makes the image of a crop: scales it, with its effects, places it in the result, draws stickers and the watermark on
/// it, and encodes it.
struct RenderStage {
    let header: ImageHeader
    let options: FrameOptions
    let output: ImageOutput
    let limits: PipelineLimits
    let effects: EffectStage
    /// The notice of copyright to write; nil for none.
    let copyright: CopyrightNotice?
    /// The turn and mirroring of the result.
    let turn: Orientation
    /// The gain map to keep; nil for none.
    var gainMap: GainMap?
    /// Draws the stickers; nil for none.
    var stickers: StickerStage?
    /// Draws the watermark; nil for none.
    var mark: MarkStage?

    /// How a crop is placed in its result.
    private enum Placement {
        /// It is the result.
        case fills
        /// It lies on the background, which shows beside it and through it.
        case bars
        /// Its visible part is turned, on the background.
        case turned(TurnedCrop)
    }

    private func placement(of crop: FramePlan.Crop) -> Placement {
        if let turned = crop.turned { return .turned(turned) }
        let showsGround = crop.hasBars || options.flattensAlpha && (header.hasAlpha || effects.addsAlpha)
        return showsGround ? .bars : .fills
    }

    /// Crops a JPEG without loss, at block boundaries, in pixels of the upright source.
    func cut(_ source: [UInt8], crop: PixelRect) throws(PipelineError) -> EncodedImage {
        let bytes = try codec(LosslessCropping.crop(source, to: crop, limits: limits.decode))
        return EncodedImage(format: .jpeg, file: (copyright?.added(toJPEG: bytes) ?? bytes, nil), size: crop.size)
    }

    /// Scales and encodes a crop of the upright image, or of the part of it that the crop needs, at any scale.
    func render(_ part: PartialImage, _ crop: FramePlan.Crop) throws(PipelineError) -> EncodedImage {
        let placement = placement(of: crop)
        let gainMap = keptMap(placement)
        let choice =
            gainMap == nil ? FormatChoice(output, header: header, size: crop.output, limits: limits) : nil
        let mayHaveAlpha = header.hasAlpha || addsAlpha(placement)
        let format =
            gainMap == nil ? choice?.scaled(hasAlpha: mayHaveAlpha) ?? format(of: crop.output, placement) : .jpeg
        let encoding = output.options(for: header, gainMap == nil ? copyright : nil)
        return try codec { () throws(CodecError) in
            let isDrawnOn = stickers != nil || mark != nil
            var picture = try placed(part, crop, placement, as: format, encoding, isDrawnOn: isDrawnOn)
            if let stickers {
                if let animation = try animation(of: picture, crop, stickers) { return animation }
                picture = try stickers.drawn(on: picture, crop)
            }
            if let mask = MaskStage(options) { picture = try mask.applied(to: picture, as: format) }
            var result = try picture.oriented(turn)
            if let mark { result = try mark.drawn(on: result, crop.mark) }
            let options = encoding.turned(turn)
            if let choice {
                let smallest = try choice.smallest(of: result, options)
                return EncodedImage(format: smallest.format, file: smallest.file, size: result.size)
            }
            var file = try ImageEncoder.file(of: result, as: format, options)
            if let gainMap { file.bytes = try joined(file.bytes, gainMap, crop) }
            return EncodedImage(format: format, file: file, size: result.size)
        }
    }

    /// The gain map, if the crop fills the result without a background.
    private func keptMap(_ placement: Placement) -> GainMap? {
        if case .fills = placement { gainMap } else { nil }
    }

    /// A crop's JPEG file with its part of the gain map.
    private func joined(_ file: [UInt8], _ gainMap: GainMap, _ crop: FramePlan.Crop) throws(CodecError) -> [UInt8] {
        let whole = header.size
        let region = FractionalRect(
            x: Double(crop.rect.x) / Double(whole.width),
            y: Double(crop.rect.y) / Double(whole.height),
            width: Double(crop.rect.width) / Double(whole.width),
            height: Double(crop.rect.height) / Double(whole.height)
        )
        let (size, limits) = (crop.output, limits.decode)
        let map = try gainMap.cropped(to: region, of: size, turn: turn, source: header, limits: limits)
        return gainMap.joined(file, map, copyright)
    }

    /// A crop as it is encoded, in red, green and blue or grey, without stickers and watermark.
    func picture(_ part: PartialImage, _ crop: FramePlan.Crop) throws(CodecError) -> PlanarImage {
        let encoding = output.options(for: header, copyright)
        var picture = try placed(part, crop, placement(of: crop), as: .png, encoding, isDrawnOn: true)
        if let mask = MaskStage(options) { picture = try mask.applied(to: picture, as: .png) }
        return try picture.oriented(turn)
    }

    /// A crop in its result.
    private func placed(
        _ part: PartialImage,
        _ crop: FramePlan.Crop,
        _ placement: Placement,
        as format: ImageFormat,
        _ encoding: EncodingOptions,
        isDrawnOn: Bool
    ) throws(CodecError) -> PlanarImage {
        switch placement {
        case .fills:
            let own = effects.colorModel(of: part.image.colorModel)
            let model = modelToDrawOn(own, isDrawnOn) ?? ImageEncoder.model(for: own, as: format, encoding)
            return try scaled(part, crop.rect, to: crop.output, model, format)
        case .bars: return try onGround(part, crop, as: format, encoding, isDrawnOn: isDrawnOn)
        case .turned(let turned): return try self.turned(part, crop, turned, as: format, isDrawnOn: isDrawnOn)
        }
    }

    /// The format of a result that is not chosen by its pixels; if none is requested and some of it is transparent, one
    /// with alpha.
    private func format(of size: PixelSize, _ placement: Placement) -> ImageFormat {
        addsAlpha(placement)
            ? output.resolvedWithAlpha(for: header, size: size, limits: limits)
            : output.resolved(for: header, size: size, limits: limits)
    }

    /// Whether some of a result is transparent although its source may be opaque.
    private func addsAlpha(_ placement: Placement) -> Bool {
        let needsAlpha = if case .fills = placement { effects.addsAlpha } else { options.background == .transparent }
        return needsAlpha || MaskStage(options).map { !$0.hasGround } ?? false
    }

    /// The background of a result; white instead of transparency in a format without alpha.
    private func ground(_ format: ImageFormat) -> Background {
        options.background == .transparent && !format.keepsAlpha ? .white : options.background
    }

    // MARK: Placements

    private func onGround(
        _ part: PartialImage,
        _ crop: FramePlan.Crop,
        as format: ImageFormat,
        _ encoding: EncodingOptions,
        isDrawnOn: Bool
    ) throws(CodecError) -> PlanarImage {
        let ground = ground(format)
        let own = effects.colorModel(of: part.image.colorModel)
        var model = own == .cmyk || own == .gray && !ground.isGray ? .rgb : own
        if part.image.alpha != nil || effects.addsAlpha || ground == .transparent {
            // Only grey and RGB pictures have alpha; the encoder converts them after blending.
            if model != .gray { model = .rgb }
        } else {
            model = ImageEncoder.model(for: model, as: format, encoding)
        }
        let drawn = modelToDrawOn(model, isDrawnOn) ?? model
        let picture = try scaled(part, crop.rect, to: crop.picture.size, drawn, format)
        return try picture.laid(on: ground, of: crop.output, at: crop.picture)
    }

    private func turned(
        _ part: PartialImage,
        _ crop: FramePlan.Crop,
        _ turned: TurnedCrop,
        as format: ImageFormat,
        isDrawnOn: Bool
    ) throws(CodecError) -> PlanarImage {
        let scale = Double(crop.output.width) / turned.width
        let visible = crop.rect.size.scaled(by: scale)
        let ground = ground(format)
        let isGray = effects.colorModel(of: part.image.colorModel) == .gray && ground.isGray && !isDrawnOn
        let picture = try scaled(part, crop.rect, to: visible, isGray ? .gray : .rgb, format)
        let turn = PictureTurn(
            centre: PixelPoint(
                x: (turned.centre.x - Double(crop.rect.x)) * Double(visible.width) / Double(crop.rect.width),
                y: (turned.centre.y - Double(crop.rect.y)) * Double(visible.height) / Double(crop.rect.height)
            ),
            place: PixelPoint(x: Double(crop.output.width) / 2, y: Double(crop.output.height) / 2),
            roll: turned.roll
        )
        return try picture.turned(turn, to: crop.output, on: ground)
    }

    /// The model of a picture that is changed after it is placed; nil if it is not.
    private func modelToDrawOn(_ own: ColorModel, _ isDrawnOn: Bool) -> ColorModel? {
        if isDrawnOn { return .rgb }
        return options.mask == nil ? nil : own == .gray ? .gray : .rgb
    }

    /// A rectangle of the source, scaled and with its effects.
    private func scaled(
        _ part: PartialImage,
        _ rect: PixelRect,
        to size: PixelSize,
        _ model: ColorModel,
        _ format: ImageFormat
    ) throws(CodecError) -> PlanarImage {
        var region = Self.region(of: rect, in: part.wholeSize, source: header.size)
        region.x -= Double(part.x)
        region.y -= Double(part.y)
        // A gain map is relative to the samples of the source.
        let profile = gainMap != nil ? .keep : format.keepsProfile ? options.profile : .srgb
        return try effects.picture(of: part.image, region, to: size, model: model, profile: profile)
    }

    // MARK: Regions

    /// The pixels of the source that affect any of the crops, in pixels of the source at `size`, the size at its decode
    /// scale; all of them without crops.
    static func pixels(for crops: [FramePlan.Crop], in size: PixelSize, source: PixelSize) -> PixelRect {
        let parts = crops.map { crop in
            let region = region(of: crop.rect, in: size, source: source)
            // The filter reaches three result samples, or chroma samples, of which each may cover four pixels.
            let shrink = max(1, region.width / Double(crop.picture.width), region.height / Double(crop.picture.height))
            let reach = Int((4 * (3 * shrink + 2)).rounded(.up))
            let (left, top) = (Int(region.x), Int(region.y))
            let right = Int((region.x + region.width).rounded(.up))
            let bottom = Int((region.y + region.height).rounded(.up))
            return PixelRect(x: left, y: top, width: right - left, height: bottom - top).grown(by: reach)
        }
        return parts.isEmpty ? PixelRect(size) : PixelRect(around: parts).intersection(PixelRect(size))
    }

    /// The region of a crop in the source at another scale, in pixels of that scale.
    static func region(of crop: PixelRect, in size: PixelSize, source: PixelSize) -> FractionalRect {
        // A reduced image is rounded up to whole pixels, so the actual ratio of sizes applies.
        FractionalRect(crop).stretched(from: source, to: size)
    }
}

extension FramePipeline {
    /// Adds the placeholder of each crop to a plan: of the finished result, scaled down, without stickers and
    /// watermark.
    ///
    /// It is made of pixels at the smallest sufficient scale, also if finer ones were decoded for a search, so that it
    /// is the same when the faces are known.
    mutating func addPlaceholders(to plan: inout FramePlan, _ effects: EffectStage) throws(PipelineError) {
        guard let kind = job.options.placeholder, job.target.crops == .shapes else { return }
        let stage = renderStage(plan, effects, ImageOutput(format: .png))
        for index in plan.crops.indices {
            let small = plan.crops[index].preview
            let scale = decodePlan.scale(for: small)
            let rect = RenderStage.pixels(for: [small], in: header.size(atScale: scale), source: header.size)
            let pixels = try source.part(rect, exactlyAt: scale)
            let picture = try codec(stage.picture(pixels, small))
            plan.crops[index].placeholder = PreviewPixels(picture).map { Placeholder(kind, of: $0) }
            try context.check()
        }
    }
}

extension FramePlan.Crop {
    /// The same crop with a small result.
    fileprivate var preview: FramePlan.Crop {
        var small = self
        small.output = PreviewPixels.size(for: output)
        let (across, down) = (
            Double(small.output.width) / Double(output.width), Double(small.output.height) / Double(output.height)
        )
        let left = min(Int((Double(picture.x) * across).rounded()), small.output.width - 1)
        let top = min(Int((Double(picture.y) * down).rounded()), small.output.height - 1)
        small.picture = PixelRect(
            x: left,
            y: top,
            width: min(max(1, Int((Double(picture.width) * across).rounded())), small.output.width - left),
            height: min(max(1, Int((Double(picture.height) * down).rounded())), small.output.height - top)
        )
        return small
    }
}

extension Background {
    /// Whether the background is grey if the picture is grey.
    fileprivate var isGray: Bool {
        switch self {
        case .color(let red, let green, let blue): red == green && green == blue
        case .transparent, .blur, .average: true
        }
    }
}
