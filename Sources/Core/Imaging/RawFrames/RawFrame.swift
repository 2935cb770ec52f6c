package import Geometry

/// One frame of a raw video: the unconverted planes of the file, at any bit depth.
package struct RawFrame: Sendable {
    package let size: PixelSize
    package let layout: SampleLayout
    /// The planes, luma first; with 16-bit samples, a plane has two columns of bytes for each sample.
    let planes: [Plane]

    /// A frame from the bytes of a file.
    ///
    /// - Parameters:
    ///   - size: At least 1 by 1.
    ///   - layout: The planes.
    ///   - bytes: The samples of all planes: ``SampleLayout/bytes(of:)`` bytes.
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

    /// A frame of a decoded image, whose planes it shares.
    ///
    /// - Parameter image: A grey or YCbCr image; its alpha is not used.
    package init(_ image: PlanarImage) {
        let subsampling: ChromaSubsampling?
        switch image.colorModel {
        case .gray: subsampling = nil
        case .ycbcr(let own): subsampling = own
        case .rgb, .cmyk: preconditionFailure("a frame has luma")
        }
        self.init(size: image.size, layout: SampleLayout(subsampling: subsampling), planes: image.planes)
    }

    init(size: PixelSize, layout: SampleLayout, planes: [Plane]) {
        self.size = size
        self.layout = layout
        self.planes = planes
    }

    /// Appends the samples of all planes, luma first, row by row, without gaps.
    ///
    /// These are ``SampleLayout/bytes(of:)`` bytes. Samples of two bytes are little-endian. The header of a frame, for
    /// example `FRAME` in Y4M, is not included.
    package func append(to bytes: inout [UInt8]) {
        bytes.reserveCapacity(bytes.count + layout.bytes(of: size))
        for plane in planes { plane.append(to: &bytes) }
    }

    /// Returns luma with eight bits; the plane is shared if the frame also has eight bits.
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

    /// The frame as an image with eight bits, for the analysis of its colours.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func image() throws(CodecError) -> PlanarImage {
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
    /// - Returns: A frame of the same layout; chroma keeps its position relative to luma.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func resampled(_ region: FractionalRect, to size: PixelSize) throws(CodecError) -> RawFrame {
        let results = try layout.planeSizes(of: size).enumerated().map { (index, samples) throws(CodecError) in
            let part = index == 0 ? region : chroma(of: region, to: size, samples: samples)
            return try scaled(planes[index], part, to: samples)
        }
        return RawFrame(size: size, layout: layout, planes: results)
    }

    /// The region of a chroma plane for a region of luma.
    private func chroma(of region: FractionalRect, to size: PixelSize, samples: PixelSize) -> FractionalRect {
        guard let subsampling = layout.subsampling else { return region }
        let (across, down) = (region.width / Double(size.width), region.height / Double(size.height))
        var part = region.divided(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        // The last samples may extend over the edge of the image.
        part.width = across * Double(samples.width)
        part.height = down * Double(samples.height)
        // Samples on the first of `n` pixels lie (n − 1) / 2n of a sample before the centre of these pixels, in the
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

    // MARK: Means of cells

    /// The means of the cells of a coarse grid, with eight bits: first luma, then blue chroma, then red chroma.
    ///
    /// At most eight rows and eight columns of each cell are read, so the time does not depend on the size.
    ///
    /// - Returns: Three times `columns` × `rows` samples; 128 for the chroma of a grey frame.
    package func grid(columns: Int, rows: Int) -> [UInt8] {
        var cells: [UInt8] = []
        cells.reserveCapacity(3 * columns * rows)
        let sizes = layout.planeSizes(of: size)
        for index in 0..<3 {
            if sizes.indices.contains(index) {
                appendGrid(of: planes[index], sizes[index], columns, rows, to: &cells)
            } else {
                cells += [UInt8](repeating: 128, count: columns * rows)
            }
        }
        return cells
    }

    private func appendGrid(of plane: Plane, _ samples: PixelSize, _ columns: Int, _ rows: Int, to cells: inout [UInt8])
    {
        let (isWide, shift) = (layout.sampleBytes == 2, layout.depth - 8)
        for row in 0..<rows {
            let top = row * samples.height / rows
            let bottom = max(top + 1, (row + 1) * samples.height / rows)
            for column in 0..<columns {
                let left = column * samples.width / columns
                let right = max(left + 1, (column + 1) * samples.width / columns)
                var (sum, count) = (0, 0)
                for y in stride(from: top, to: bottom, by: max(1, (bottom - top) / 8)) {
                    let line = plane.base + y * plane.bytesPerRow
                    for x in stride(from: left, to: right, by: max(1, (right - left) / 8)) {
                        sum += isWide ? min(255, (Int(line[2 * x]) | Int(line[2 * x + 1]) << 8) >> shift) : Int(line[x])
                        count += 1
                    }
                }
                cells.append(UInt8(sum / max(1, count)))
            }
        }
    }
}

extension RawFrame {
    /// Returns red, green and blue of a part of the frame, scaled to a size; only luma for a grey frame.
    ///
    /// - Parameters:
    ///   - region: A part of the frame.
    ///   - size: The size of the result, at least 1 by 1.
    /// - Returns: Planes of eight bits, all of the size of the result.
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func colors(in region: PixelRect, scaledTo size: PixelSize) throws(CodecError) -> [Plane] {
        let image = try image()
        let part = FractionalRect(region)
        guard let subsampling = layout.subsampling else {
            return [try Resampler.resample(image.planes[0], region: part, to: size, filter: .linear)]
        }
        let chroma = part.divided(horizontal: subsampling.horizontal, vertical: subsampling.vertical)
        let planes = try image.planes.enumerated().map { (index, plane) throws(CodecError) in
            try Resampler.resample(plane, region: index == 0 ? part : chroma, to: size, filter: .linear)
        }
        let scaled = PlanarImage(size: size, colorModel: .ycbcr(.none), planes: planes)
        return try Resampler.resample(scaled, region: FractionalRect(PixelRect(size)), to: size, model: .rgb).planes
    }
}

extension RawFrame {
    /// Returns this frame with all pixels of the masks replaced; see ``PlanarImage/redacted(_:as:)``.
    ///
    /// If samples have more than eight bits, their replacements have only eight significant bits.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    package func redacted(_ masks: [RedactionMask], as style: RedactionStyle) throws(CodecError) -> RawFrame {
        let image = try image()
        let narrow = try image.redacted(masks, as: style)
        guard layout.sampleBytes == 2 else { return RawFrame(size: size, layout: layout, planes: narrow.planes) }
        let blank = PlanarImage(
            size: size,
            colorModel: image.colorModel,
            planes: try image.planes.map { (plane) throws(CodecError) in try Plane(plane.size, filledWith: 0) }
        )
        // Grey is 128 in every plane, so every sample other than 0 is masked.
        let marks = try blank.redacted(masks, as: .fill)
        let shift = layout.depth - 8
        var results: [Plane] = []
        for (index, wide) in planes.enumerated() {
            let (samples, mark) = (narrow.planes[index], marks.planes[index])
            let copy = try Plane(unset: wide.size)
            for y in 0..<samples.size.height {
                let (from, to) = (wide.base + y * wide.bytesPerRow, copy.base + y * copy.bytesPerRow)
                for x in 0..<samples.size.width {
                    let isMasked = mark[x: x, y: y] != 0
                    let own = Int(from[2 * x]) | Int(from[2 * x + 1]) << 8
                    let value = isMasked ? Int(samples[x: x, y: y]) << shift : own
                    to[2 * x] = UInt8(value & 255)
                    to[2 * x + 1] = UInt8(value >> 8)
                }
            }
            results.append(copy)
        }
        return RawFrame(size: size, layout: layout, planes: results)
    }
}
