import CImageCodec
package import Geometry

/// One frame of a raw video: planes as they are in the file, at any depth.
package struct RawFrame: Sendable {
    /// Width and height of the picture.
    package let size: PixelSize
    /// The meaning of the planes.
    package let layout: SampleLayout
    /// The planes, luma first; with 16-bit samples, a plane has two columns of bytes for each sample.
    let planes: [Plane]

    /// A frame of the bytes of a file.
    ///
    /// - Parameters:
    ///   - size: At least 1 by 1.
    ///   - layout: The planes.
    ///   - bytes: The samples of all planes, as many as ``SampleLayout/bytes(of:)``.
    /// - Throws: ``CodecError/outOfMemory``.
    package init(size: PixelSize, layout: SampleLayout, bytes: [UInt8]) throws(CodecError) {
        precondition(bytes.count == layout.bytes(of: size), "all samples of a frame")
        self.size = size
        self.layout = layout
        var planes: [Plane] = []
        var start = 0
        for samples in layout.planeSizes(of: size) {
            let rowBytes = samples.width * layout.sampleBytes
            let plane = try Plane(unset: PixelSize(width: rowBytes, height: samples.height))
            bytes.withUnsafeBufferPointer { buffer in
                for y in 0..<samples.height {
                    let row = UnsafeBufferPointer(rebasing: buffer[start + y * rowBytes..<start + (y + 1) * rowBytes])
                    _ = UnsafeMutableBufferPointer(start: plane.base + y * plane.bytesPerRow, count: rowBytes)
                        .update(fromContentsOf: row)
                }
            }
            start += rowBytes * samples.height
            planes.append(plane)
        }
        self.planes = planes
    }

    /// A frame of a decoded picture, whose planes it shares.
    ///
    /// - Parameter image: A grey or YCbCr picture; its alpha is not used.
    package init(_ image: PlanarImage) {
        let subsampling: ChromaSubsampling?
        switch image.colorModel {
        case .gray: subsampling = nil
        case .ycbcr(let own): subsampling = own
        case .rgb, .cmyk: preconditionFailure("a frame has luma")
        }
        self.init(size: image.size, layout: SampleLayout(subsampling: subsampling), planes: image.planes)
    }

    private init(size: PixelSize, layout: SampleLayout, planes: [Plane]) {
        self.size = size
        self.layout = layout
        self.planes = planes
    }

    /// Appends the samples of all planes, without gaps, to the bytes of a file.
    package func append(to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + layout.bytes(of: size))
        for plane in planes {
            plane.withUnsafeSamples { samples in
                for y in 0..<plane.size.height {
                    bytes += samples[y * plane.bytesPerRow..<y * plane.bytesPerRow + plane.size.width]
                }
            }
        }
    }

    /// Luma with eight bits; shared with the frame if it has eight bits.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func luma() throws(CodecError) -> Plane {
        guard layout.sampleBytes == 2 else { return planes[0] }
        let (wide, shift) = (planes[0], layout.depth - 8)
        let plane = try Plane(unset: size)
        for y in 0..<size.height {
            let (from, to) = (wide.base + y * wide.bytesPerRow, plane.base + y * plane.bytesPerRow)
            for x in 0..<size.width {
                to[x] = UInt8(min(255, (Int(from[2 * x]) | Int(from[2 * x + 1]) << 8) >> shift))
            }
        }
        return plane
    }

    /// The frame as a picture with eight bits, for the analysis of its colours.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func picture() throws(CodecError) -> PlanarImage {
        let luma = try luma()
        guard let subsampling = layout.subsampling else {
            return PlanarImage(size: size, colorModel: .gray, planes: [luma])
        }
        let chroma = try [1, 2].map { index throws(CodecError) in
            let samples = layout.planeSizes(of: size)[index]
            let alone = SampleLayout(subsampling: nil, depth: layout.depth)
            return try RawFrame(size: samples, layout: alone, planes: [planes[index]]).luma()
        }
        return PlanarImage(size: size, colorModel: .ycbcr(subsampling), planes: [luma] + chroma)
    }

    /// The part of the frame that `region` covers, scaled to a size.
    ///
    /// - Parameters:
    ///   - region: A part of the frame, with fractions of pixels.
    ///   - size: The size of the result, at least 1 by 1.
    /// - Returns: A frame of the same layout; chroma keeps its place relative to luma.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func resampled(_ region: FractionalRect, to size: PixelSize) throws(CodecError) -> RawFrame {
        var results: [Plane] = []
        for (index, samples) in layout.planeSizes(of: size).enumerated() {
            let part = index == 0 ? region : chroma(of: region, to: size, samples: samples)
            results.append(try scaled(planes[index], part, to: samples))
        }
        return RawFrame(size: size, layout: layout, planes: results)
    }

    /// The region of a chroma plane that belongs to one of luma.
    private func chroma(of region: FractionalRect, to size: PixelSize, samples: PixelSize) -> FractionalRect {
        guard let subsampling = layout.subsampling else { return region }
        let (across, down) = (region.width / Double(size.width), region.height / Double(size.height))
        var part = region.divided(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        // The last samples may extend over the edge of the picture.
        part.width = across * Double(samples.width)
        part.height = down * Double(samples.height)
        // Samples on the first of `n` pixels lie (n − 1) / 2n of a sample before the middle of the pixels, in the
        // source and in the result.
        func offset(_ pixels: Int, _ scale: Double) -> Double { (1 - scale) * Double(pixels - 1) / Double(2 * pixels) }
        if layout.isLeft { part.x += offset(subsampling.horizontal, across) }
        if layout.isTop { part.y += offset(subsampling.vertical, down) }
        return part
    }

    private func scaled(_ plane: Plane, _ region: FractionalRect, to samples: PixelSize) throws(CodecError) -> Plane {
        guard layout.sampleBytes == 2 else { return try Resampler.resample(plane, region: region, to: samples) }
        return try Resampler.resample(wide: plane, depth: layout.depth, region: region, to: samples)
    }
}
