import CImageCodec
import Geometry

/// The decoded components of a JPEG, each in a plane with the size of the component.
struct JPEGComponents {
    let size: PixelSize
    let color: hr_jpeg_color
    let planes: [Plane]
    /// The position of the first row in the stored image.
    let firstRow: Int
    private let layout: [hr_jpeg_component]

    /// Allocates planes for a decoder to fill.
    init(_ layout: hr_jpeg_layout, color: hr_jpeg_color) throws(CodecError) {
        size = PixelSize(width: Int(layout.width), height: Int(layout.height))
        firstRow = Int(layout.first_row)
        self.color = color
        let all = [layout.component.0, layout.component.1, layout.component.2, layout.component.3]
        self.layout = Array(all.prefix(Int(layout.components)))
        planes = try self.layout.map { (component) throws(CodecError) in
            let size = PixelSize(width: Int(component.width), height: Int(component.height))
            return try Plane(unset: size, minimumBytesPerRow: component.min_stride)
        }
    }

    /// The image of the components.
    ///
    /// CMYK is kept if it has a CMYK profile, and is otherwise converted to RGB.
    func image(iccProfile: ICCProfile? = nil) throws(CodecError) -> PlanarImage {
        switch color {
        case HR_JPEG_GRAY:
            return PlanarImage(size: size, colorModel: .gray, planes: [try plane(0)], iccProfile: iccProfile)
        case HR_JPEG_YCC:
            if let subsampling = chromaSubsampling {
                let model = ColorModel.ycbcr(subsampling)
                return PlanarImage(size: size, colorModel: model, planes: planes, iccProfile: iccProfile)
            }
            let model = ColorModel.ycbcr(.none)
            return PlanarImage(size: size, colorModel: model, planes: try fullPlanes(3), iccProfile: iccProfile)
        case HR_JPEG_RGB:
            return PlanarImage(size: size, colorModel: .rgb, planes: try fullPlanes(3), iccProfile: iccProfile)
        case HR_JPEG_YCCK:
            // YCCK is CMYK in which the complements of the inks were converted like RGB (Adobe Technical Note 5116).
            let complement = try ColorConversion.rgb(fromYCbCr: try fullPlanes(3))
            return try printed(
                try complement.map { (ink) throws(CodecError) in try ink.inverted() },
                iccProfile: iccProfile
            )
        default:
            return try printed(try fullPlanes(3), iccProfile: iccProfile)
        }
    }

    /// Returns the image for the light that three inks reflect (255 without ink) and for black.
    private func printed(_ light: [Plane], iccProfile: ICCProfile?) throws(CodecError) -> PlanarImage {
        let planes = light + [try plane(3)]
        let image = PlanarImage(size: size, colorModel: .cmyk, planes: planes, iccProfile: iccProfile)
        return image.iccProfile == nil ? try image.printed() : image
    }

    private func fullPlanes(_ count: Int) throws(CodecError) -> [Plane] {
        try (0..<count).map { (index) throws(CodecError) in try plane(index) }
    }

    /// Component `index` with a sample for every pixel.
    func plane(_ index: Int) throws(CodecError) -> Plane {
        let component = layout[index]
        let region = FractionalRect(
            x: 0,
            y: 0,
            width: Double(size.width) * Double(component.h_num) / Double(component.h_den),
            height: Double(size.height) * Double(component.v_num) / Double(component.v_den)
        )
        return try Resampler.resample(planes[index], region: region, to: size, filter: .linear)
    }

    /// The subsampling of the decoded chroma planes; nil if the planes differ, or if the factors are not whole numbers.
    private var chromaSubsampling: ChromaSubsampling? {
        JPEGComponents.subsampling(
            across: (layout[0].h_num, layout[1].h_num, layout[2].h_num),
            down: (layout[0].v_num, layout[1].v_num, layout[2].v_num),
            maximum: (layout[0].h_den, layout[0].v_den)
        )
    }

    /// Returns the subsampling for the sampling factors of luma and both chroma components.
    static func subsampling(
        across: (Int32, Int32, Int32),
        down: (Int32, Int32, Int32),
        maximum: (Int32, Int32)? = nil
    ) -> ChromaSubsampling? {
        let (maxAcross, maxDown) = maximum ?? (max(across.0, across.1, across.2), max(down.0, down.1, down.2))
        guard across.0 == maxAcross, down.0 == maxDown, across.1 == across.2, down.1 == down.2,
            maxAcross % across.1 == 0, maxDown % down.1 == 0, maxAcross / across.1 <= 4, maxDown / down.1 <= 4
        else { return nil }
        return ChromaSubsampling(horizontal: Int(maxAcross / across.1), vertical: Int(maxDown / down.1))
    }
}
