import Geometry
import Imaging

/// Crops a decoded image, scales the crop and encodes it.
struct RenderStage {
    let header: ImageHeader
    let output: ImageOutput
    let limits: PipelineLimits
    let profile: ProfileUse
    let effects: EffectStage
    /// The notice of copyright to write; nil for none.
    let copyright: CopyrightNotice?
    /// The turn and mirroring of the scaled crop.
    var turn = Orientation.up
    /// Draws stickers; nil for none.
    var finish: StickerFinish?

    /// The pixels of the source that affect any of the crops, in pixels of the source at `size`.
    ///
    /// - Parameters:
    ///   - crops: The crops; at least one.
    ///   - size: The size of the source at its decode scale.
    ///   - source: The full size of the source.
    /// - Returns: A rectangle inside the source at `size`.
    static func pixels(for crops: [FramePlan.Crop], in size: PixelSize, source: PixelSize) -> PixelRect {
        let parts = crops.map { crop in
            let region = region(of: crop.rect, in: size, source: source)
            // The filter reaches three result samples, or chroma samples, of which each may cover four pixels.
            let shrink = max(1, region.width / Double(crop.picture.width), region.height / Double(crop.picture.height))
            let reach = Int((4 * (3 * shrink + 2)).rounded(.up))
            let (left, top) = (Int(region.x) - reach, Int(region.y) - reach)
            let right = Int((region.x + region.width).rounded(.up)) + reach
            let bottom = Int((region.y + region.height).rounded(.up)) + reach
            return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
        }
        let (left, top) = (parts.map(\.x).min() ?? 0, parts.map(\.y).min() ?? 0)
        let right = parts.map(\.maxX).max() ?? size.width
        let bottom = parts.map(\.maxY).max() ?? size.height
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top).intersection(PixelRect(size))
    }

    /// Crops a JPEG without loss.
    ///
    /// - Parameters:
    ///   - source: The bytes of the source.
    ///   - crop: The crop, in pixels of the upright source; begins at block boundaries.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError/codec(_:)``.
    func cut(_ source: [UInt8], crop: PixelRect) throws(PipelineError) -> EncodedImage {
        do {
            let bytes = try LosslessCropping.crop(source, to: crop, limits: limits.decode)
            let file = copyright?.added(toJPEG: bytes) ?? bytes
            return EncodedImage(format: .jpeg, file: (file, nil), size: crop.size)
        } catch {
            throw .codec(error)
        }
    }

    /// Scales and encodes a crop.
    ///
    /// - Parameters:
    ///   - part: The upright image or the part that the crop needs, possibly decoded at a reduced scale.
    ///   - crop: The crop, in pixels of the upright source.
    ///   - size: The size of the result before the turn, in pixels.
    /// - Returns: The encoded file.
    /// - Throws: ``PipelineError/codec(_:)``.
    func render(_ part: PartialImage, crop: PixelRect, size: PixelSize) throws(PipelineError) -> EncodedImage {
        let image = part.image
        let format =
            effects.addsAlpha
            ? output.resolvedWithAlpha(for: header, size: size, limits: limits)
            : output.resolved(for: header, size: size, limits: limits)
        let profile = format.keepsProfile ? profile : .srgb
        let region = Self.region(of: crop, in: part, source: header.size)
        do {
            let options = output.options(for: header, copyright)
            let kept = ImageEncoder.model(for: effects.colorModel(of: image.colorModel), as: format, options)
            let model = finish == nil ? kept : .rgb
            var picture = try effects.picture(of: image, region, to: size, model: model, profile: profile)
            if let finish {
                if let animation = try finish.animation(of: picture) { return animation }
                picture = try finish.drawn(on: picture)
            }
            let result = try picture.oriented(turn)
            let file = try ImageEncoder.file(of: result, as: format, options.turned(turn))
            return EncodedImage(format: format, file: file, size: result.size)
        } catch {
            throw .codec(error)
        }
    }

    /// The region of a crop in the source at another scale, in pixels of that scale.
    static func region(of crop: PixelRect, in size: PixelSize, source: PixelSize) -> FractionalRect {
        // A reduced image is rounded up to whole pixels, so the actual ratio of sizes applies.
        let scaleX = Double(size.width) / Double(source.width)
        let scaleY = Double(size.height) / Double(source.height)
        return FractionalRect(
            x: Double(crop.x) * scaleX,
            y: Double(crop.y) * scaleY,
            width: Double(crop.width) * scaleX,
            height: Double(crop.height) * scaleY
        )
    }

    /// The region of a crop in the decoded part of a source of size `source`, in pixels of the part.
    static func region(of crop: PixelRect, in part: PartialImage, source: PixelSize) -> FractionalRect {
        var region = region(of: crop, in: part.wholeSize, source: source)
        region.x -= Double(part.x)
        region.y -= Double(part.y)
        return region
    }
}
