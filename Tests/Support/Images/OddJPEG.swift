import CImageCodec
package import Geometry
import Imaging

/// Writes kinds of JPEG files that the service reads but never writes.
package struct OddJPEG: Sendable {
    /// The colour model of the components.
    package enum Color: Sendable, CaseIterable {
        case gray, ycbcr, rgb, cmyk, ycck
    }

    /// The colour model; files in CMYK and YCCK get an Adobe marker.
    package var color: Color
    /// The horizontal and vertical sampling factors of each component, 1 to 4.
    package var sampling: [(horizontal: Int, vertical: Int)]
    /// Whether the file is progressive.
    package var isProgressive: Bool
    /// Whether it is arithmetic-coded.
    package var isArithmetic: Bool
    /// The quality, 1…100.
    package var quality: Int

    /// A kind of file; the default sampling factors are 1 by 1.
    package init(
        _ color: Color,
        sampling: [(horizontal: Int, vertical: Int)]? = nil,
        isProgressive: Bool = false,
        isArithmetic: Bool = false,
        quality: Int = 95
    ) {
        self.color = color
        self.sampling = sampling ?? Array(repeating: (1, 1), count: 4)
        self.isProgressive = isProgressive
        self.isArithmetic = isArithmetic
        self.quality = quality
    }

    /// A file in which component `c` has the value `value(c, x, y)` at the centre of each sample, with `x`, `y` in
    /// pixels.
    package func encode(
        _ size: PixelSize,
        value: (_ component: Int, _ x: Double, _ y: Double) -> Double
    ) throws -> [UInt8] {
        let used = sampling.prefix(componentCount)
        let maximum = (used.map(\.horizontal).max() ?? 1, used.map(\.vertical).max() ?? 1)
        let planes = try used.enumerated().map { index, factors in
            let plane = PixelSize(
                width: (size.width * factors.horizontal + maximum.0 - 1) / maximum.0,
                height: (size.height * factors.vertical + maximum.1 - 1) / maximum.1
            )
            let across = Double(maximum.0) / Double(factors.horizontal)
            let down = Double(maximum.1) / Double(factors.vertical)
            return try Plane(plane) { x, y in
                let exact = value(index, (Double(x) + 0.5) * across, (Double(y) + 0.5) * down)
                return UInt8(min(max(exact.rounded(), 0), 255))
            }
        }
        return try write(planes, size)
    }

    private var componentCount: Int {
        switch color {
        case .gray: 1
        case .ycbcr, .rgb: 3
        case .cmyk, .ycck: 4
        }
    }

    private func write(_ planes: [Plane], _ size: PixelSize) throws -> [UInt8] {
        var options = hr_jpeg_options()
        options.color =
            switch color {
            case .gray: HR_JPEG_GRAY
            case .ycbcr: HR_JPEG_YCC
            case .rgb: HR_JPEG_RGB
            case .cmyk: HR_JPEG_CMYK
            case .ycck: HR_JPEG_YCCK
            }
        let factors = sampling + Array(repeating: (1, 1), count: 4 - min(4, sampling.count))
        options.h_samp = (c(factors[0].0), c(factors[1].0), c(factors[2].0), c(factors[3].0))
        options.v_samp = (c(factors[0].1), c(factors[1].1), c(factors[2].1), c(factors[3].1))
        options.width = c(size.width)
        options.height = c(size.height)
        options.quality = c(quality)
        options.progressive = isProgressive
        options.arithmetic = isArithmetic
        var (buffer, error) = (hr_buffer(), hr_error())
        defer { hr_buffer_free(&buffer) }
        let views = planes.compactMap { plane in
            plane.withUnsafeSamples { samples in
                // The planes must outlive the call below.
                samples.baseAddress.map {
                    hr_plane(
                        data: $0,
                        stride: plane.bytesPerRow,
                        width: c(plane.size.width),
                        height: c(plane.size.height)
                    )
                }
            }
        }
        let status = withExtendedLifetime(planes) { hr_jpeg_encode(views, &options, &buffer, &error) }
        guard status == HR_OK else { throw CodecError.failed("the test's encoder gave status \(status.rawValue)") }
        return Array(UnsafeBufferPointer(start: buffer.data, count: buffer.count))
    }

    private func c(_ number: Int) -> Int32 { Int32(number) }
}
