package import Geometry

extension Framer {
    /// Returns the crop around objects that a network found, for an image without faces.
    ///
    /// - Parameters:
    ///   - placement: The weighed objects of the image.
    ///   - size: The upright image's size.
    ///   - aspect: The crop's aspect ratio; nil keeps the image's own.
    ///   - request: Zoom, and the size of the crop; zoom reduces each side as for a crop by attention.
    ///   - attention: The attention profile of the image; it decides between nearly equal crops.
    /// - Returns: A crop inside the image; nil if no object counts, so that only attention decides.
    package static func subjectCrop(
        _ placement: SubjectPlacement,
        in size: PixelSize,
        aspect: AspectRatio?,
        request: FramingRequest,
        attention: AttentionProfile
    ) -> PixelRect? {
        guard size.width > 0, size.height > 0, !placement.isEmpty else { return nil }
        let widest = request.widest(aspect, in: size)
        let near = attentionCrop(attention, widest: widest, aspect: aspect, zoom: 0, in: size)
        let crop = placement.crop(near: near, in: PixelRect(size))
        guard request.zoom > 0, let area = placement.area(in: crop)?.intersection(crop) else { return crop }
        let minimum = widest.scaled(by: 1 - AttentionConstants.maxZoom)
        let tight = PixelSize(width: max(area.width, minimum.width), height: max(area.height, minimum.height))
        let zoomed = zoomedSize(from: widest, to: tight, aspect: aspect, zoom: request.zoom)
        // The crop is in the centre of the objects, and inside the widest crop, so that zoom only removes parts of it.
        return PixelRect(
            x: min(max((area.x + area.maxX - zoomed.width) / 2, crop.x), crop.maxX - zoomed.width),
            y: min(max((area.y + area.maxY - zoomed.height) / 2, crop.y), crop.maxY - zoomed.height),
            width: zoomed.width,
            height: zoomed.height
        )
    }
}
