import CImageCodec

/// The conversion of pixels to sRGB by an ICC profile.
final class ColorTransform: @unchecked Sendable {
    // @unchecked Sendable: `handle` is written only by `init`, and running it changes nothing.

    private let handle: OpaquePointer
    /// The colour model of the pixels: grey, RGB or CMYK.
    let source: ColorModel
    /// The colour model of the converted pixels.
    var result: ColorModel { source == .gray ? .gray : .rgb }
    /// Whether any colour changes by more than rounding; a profile of sRGB changes none.
    let changesColors: Bool
    /// Memory in bytes.
    let bytes: Int

    /// The conversion of a profile; nil if it is damaged, or not one of `source`.
    init?(_ profile: ICCProfile, source: ColorModel) {
        var handle: OpaquePointer?
        do {
            try profile.bytes.withUnsafeBufferPointer { (buffer) throws(CFailure) in
                guard let start = buffer.baseAddress else { return }
                try check { hr_transform_open(start, buffer.count, source.space, &handle, $0) }
            }
        } catch {
            hr_transform_close(handle)
            return nil
        }
        guard let handle else { return nil }
        self.handle = handle
        self.source = source
        changesColors = hr_transform_changes(handle)
        bytes = hr_transform_bytes(handle) + profile.bytes.count
    }

    deinit { hr_transform_close(handle) }

    /// The picture in sRGB, without a profile; alpha stays.
    ///
    /// - Parameter image: A picture in the colour model `source`.
    /// - Returns: A picture in the colour model `result`.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    func converted(_ image: PlanarImage) throws(CodecError) -> PlanarImage {
        precondition(image.colorModel == source, "a picture of the profile's colour model")
        var planes: [Plane] = []
        for _ in 0..<result.planeCount {
            planes.append(try Plane(unset: image.size))
        }
        do {
            try check { hr_transform_run(handle, image.planes.map(\.view), planes.map(\.view), $0) }
        } catch {
            throw error.status == HR_NO_MEMORY ? .outOfMemory : .failed(error.message)
        }
        return PlanarImage(size: image.size, colorModel: result, planes: planes, alpha: image.alpha)
    }
}

extension ColorModel {
    /// The model in which a picture's colours are converted.
    var converting: ColorModel {
        switch self {
        case .gray, .rgb, .cmyk: self
        case .ycbcr: .rgb
        }
    }

    fileprivate var space: hr_color_space {
        switch self {
        case .gray: HR_COLOR_GRAY
        case .rgb, .ycbcr: HR_COLOR_RGB
        case .cmyk: HR_COLOR_CMYK
        }
    }
}
