import Framing
import Geometry
import Imaging

/// Makes the image of a crop: scales it, applies its steps, and encodes it.
struct RenderStage {
    let header: ImageHeader
    let options: FrameOptions
    let output: ImageOutput
    let limits: PipelineLimits
    let context: JobContext
    /// The steps for the pixels of each crop.
    let steps: CropSteps
    /// The animated stickers; nil for none.
    let stickers: FaceStickers?
    /// The copyright notice to write; nil for none.
    let copyright: CopyrightNotice?
    /// The gain map to keep; nil for none.
    var gainMap: GainMap?

    /// The rotation and mirroring of the result.
    private var turn: Orientation { options.turn }

    /// Crops a JPEG losslessly, at block boundaries, in pixels of the upright source.
    func cut(_ source: [UInt8], crop: PixelRect) throws(PipelineError) -> EncodedImage {
        let bytes = try codec(LosslessCropping.crop(source, to: crop, limits: limits.decode))
        return EncodedImage(format: .jpeg, file: (copyright?.added(toJPEG: bytes) ?? bytes, nil), size: crop.size)
    }

    /// Scales and encodes a crop; `part` is the upright image or at least the part that the crop needs, at any scale.
    func render(_ part: PartialImage, _ crop: FramePlan.Crop) throws(PipelineError) -> EncodedImage {
        // A gain map is only kept if the crop fills its result without a background.
        let gainMap = steps.fill(crop) && OutputFormat.jpeg.holds(crop.output) ? gainMap : nil
        let choice =
            gainMap == nil ? FormatChoice(output, header: header, size: crop.output, limits: limits) : nil
        let addsAlpha = steps.addAlpha(crop)
        let format =
            gainMap == nil
            ? choice?.scaled(hasAlpha: header.hasAlpha || addsAlpha) ?? format(of: crop.output, addsAlpha) : .jpeg
        let encoding = output.options(for: header, gainMap == nil ? copyright : nil)
        let model = steps.model(of: crop, from: part.image, as: format, encoding)
        let moment = AnimationTime(crop: crop, format: format, model: model)
        let image = try codec(image(part, steps.still, moment))
        if let stickers, let animation = try animation(of: image, moment, stickers) { return animation }
        return try codec { () throws(CodecError) in
            let result = try steps.moving.applied(to: image, at: moment)
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

    /// Returns a crop's JPEG file with its part of the gain map.
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

    /// Returns a crop for placeholders, in red, green and blue, or in grey.
    func placeholder(_ part: PartialImage, _ crop: FramePlan.Crop) throws(CodecError) -> PlanarImage {
        let encoding = output.options(for: header, copyright)
        let model = steps.model(of: crop, from: part.image, as: .png, encoding, isRGB: true)
        return try image(part, steps.ofPlaceholders, AnimationTime(crop: crop, format: .png, model: model))
    }

    /// Returns a scaled crop with some of its steps applied.
    private func image(
        _ part: PartialImage,
        _ steps: CropSteps,
        _ moment: AnimationTime
    ) throws(CodecError) -> PlanarImage {
        var region = Self.region(of: moment.crop.rect, in: part.wholeSize, source: header.size)
        region.x -= Double(part.x)
        region.y -= Double(part.y)
        // A gain map applies to the unconverted samples of the source, so the profile must be kept.
        let profile = gainMap != nil ? .keep : moment.format.keepsProfile ? options.profile : .srgb
        return try steps.result(of: part.image, region, profile: profile, at: moment)
    }

    /// Returns the format of a result whose format does not depend on its pixels.
    ///
    /// If no format is requested and a part of the result is transparent, this is a format with alpha.
    private func format(of size: PixelSize, _ addsAlpha: Bool) -> OutputFormat {
        addsAlpha
            ? output.resolvedWithAlpha(for: header, size: size, limits: limits)
            : output.resolved(for: header, size: size, limits: limits)
    }

    /// Returns an animation of a still image with animated stickers, which loops forever; nil if the result is a still
    /// image.
    ///
    /// The animated stickers are not drawn on `image` yet.
    private func animation(
        of image: PlanarImage,
        _ moment: AnimationTime,
        _ stickers: FaceStickers
    ) throws(PipelineError) -> EncodedImage? {
        guard let format = stickers.animatedFormat(of: moment.crop.output, output, header, limits) else { return nil }
        let size = turn.upright(moment.crop.output)
        let moment = AnimationTime(crop: moment.crop, format: format, model: moment.model)
        let writer = try codec(
            AnimationEncoder.begin(
                format,
                size: size,
                plays: 0,
                quality: output.quality?.level,
                copyright: copyright,
                hasAlpha: image.alpha != nil || options.mask != nil
            )
        )
        let steps = try codec(steps.moving.prepared(for: moment.crop))
        let times = stickers.times
        for (index, time) in times.enumerated() {
            try context.check()
            let end = index + 1 < times.count ? times[index + 1] : stickers.loop
            try codec {
                () throws(CodecError) in
                try writer.add(try steps.applied(to: image, at: moment.at(time)), milliseconds: end - time)
            }
        }
        let bytes = try codec(writer.finish())
        if let maximum = output.maxBytes, bytes.count > maximum { return nil }
        let file = copyright?.added(toAnimation: bytes, as: format, size) ?? bytes
        return EncodedImage(format: format, file: (file, nil), size: size)
    }

    // MARK: Regions

    /// Returns the pixels of the source that affect any of the crops; without crops, all pixels.
    ///
    /// The rectangle is in pixels of the source at `size`, the size at its decode scale.
    static func pixels(for crops: [FramePlan.Crop], in size: PixelSize, source: PixelSize) -> PixelRect {
        let parts = crops.map { crop in
            let region = region(of: crop.rect, in: size, source: source)
            // The filter uses three samples of luma or chroma of the result on each side, and a chroma sample may cover
            // four pixels.
            let shrink = max(1, region.width / Double(crop.image.width), region.height / Double(crop.image.height))
            let reach = Int((4 * (3 * shrink + 2)).rounded(.up))
            let (left, top) = (Int(region.x), Int(region.y))
            let right = Int((region.x + region.width).rounded(.up))
            let bottom = Int((region.y + region.height).rounded(.up))
            return PixelRect(x: left, y: top, width: right - left, height: bottom - top).grown(by: reach)
        }
        return parts.isEmpty ? PixelRect(size) : PixelRect(around: parts).intersection(PixelRect(size))
    }

    /// Returns the region of a crop in the source at another scale, in pixels of that scale.
    static func region(of crop: PixelRect, in size: PixelSize, source: PixelSize) -> FractionalRect {
        // The size of a reduced image is rounded up to whole pixels, so the actual ratio of the sizes is used.
        FractionalRect(crop).stretched(from: source, to: size)
    }
}
