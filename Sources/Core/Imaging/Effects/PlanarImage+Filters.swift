import CImageCodec
import Geometry

extension PlanarImage {
    /// Applies filters to this RGB image in order.
    ///
    /// Samples are used in their encoded form, without linearisation.
    ///
    /// Transparent pixels have no weight in a blur, which also blurs alpha; other filters keep alpha.
    ///
    /// - Throws: ``CodecError/outOfMemory`` or ``CodecError/failed(_:)``.
    package func filtered(by filters: [ImageFilter]) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb, "filters change red, green and blue")
        var result = self
        var steps = FilterPart.parts(of: filters)[...]
        while let step = steps.first {
            switch step {
            case .blur(let deviation):
                result = try result.blurred(deviation)
                steps.removeFirst()
            case .sharpen(let amount, let deviation):
                result = try result.sharpened(amount, deviation)
                steps.removeFirst()
            case .matrix, .curves, .vignette:
                let points = steps.prefix { $0.isOfPixel }
                result = try result.changed(by: Array(points))
                steps.removeFirst(points.count)
            }
        }
        return result
    }

    /// Applies steps that change each pixel independently.
    private func changed(by steps: [FilterPart]) throws(CodecError) -> PlanarImage {
        let results = try [Plane](unset: size, count: planes.count)
        let curves = steps.flatMap { if case .curves(let curves) = $0 { curves.samples } else { [] as [UInt8] } }
        curves.withUnsafeBufferPointer { tables in
            var table = tables.baseAddress
            let steps = steps.map { step in
                var c = hr_step()
                switch step {
                case .matrix(let matrix):
                    c.kind = HR_STEP_MATRIX
                    withUnsafeMutableBytes(of: &c.matrix) { $0.copyBytes(from: matrix.samples.flatMap(\.bytes)) }
                case .curves(let curves):
                    c.kind = HR_STEP_CURVES
                    c.curves = table
                    table = table?.advanced(by: curves.samples.count)
                case .vignette(let strength):
                    c.kind = HR_STEP_VIGNETTE
                    c.strength = Float(strength)
                case .blur, .sharpen: preconditionFailure("changes several pixels")
                }
                return c
            }
            planes.withViews(into: results) { hr_filter_steps($0, $1, steps, Int32(steps.count)) }
        }
        return replacing(results, alpha: alpha)
    }

    private func blurred(_ deviation: Double) throws(CodecError) -> PlanarImage {
        var results = try [Plane](unset: size, count: planes.count + (alpha == nil ? 0 : 1))
        try withViews(into: results) { (from, opacity, to) throws(CodecError) in
            try check { hr_blur(from, opacity, to, Int32(from.count), deviation, $0) }
        }
        let opacity = alpha == nil ? nil : results.removeLast()
        return replacing(results, alpha: opacity)
    }

    private func sharpened(_ amount: Double, _ deviation: Double) throws(CodecError) -> PlanarImage {
        let results = try [Plane](unset: size, count: planes.count)
        try withViews(into: results) { (from, opacity, to) throws(CodecError) in
            try check { hr_sharpen(from, opacity, to, Int32(from.count), deviation, Float(amount), $0) }
        }
        return replacing(results, alpha: alpha)
    }
}

extension PlanarImage {
    /// Returns this image with transparent corners that are cut along quarter ellipses.
    ///
    /// The opacity of a pixel on the edge is the fraction of the pixel inside the ellipse, with an error of up to about
    /// a twentieth. It is computed from the distance of the pixel's centre to the edge, which is approximated by the
    /// value of the ellipse's equation divided by the length of its gradient (Taubin 1994).
    ///
    /// - Parameters:
    ///   - across: The radius along the columns, at most half of the width.
    ///   - down: The radius along the rows, at most half of the height.
    /// - Returns: An image of the same model, which must be grey or RGB, with alpha.
    /// - Throws: ``CodecError/outOfMemory``.
    package func roundedOff(across: Double, down: Double) throws(CodecError) -> PlanarImage {
        precondition(colorModel == .rgb || colorModel == .gray, "only grey and RGB images have alpha")
        let (halfWidth, halfHeight) = (Double(size.width) / 2, Double(size.height) / 2)
        let (across, down) = (min(max(across, 0), halfWidth), min(max(down, 0), halfHeight))
        let cover = try Plane(size) { x, y in
            // Distances of the pixel's centre from the centre of the nearest corner's ellipse, positive towards the
            // corner.
            let right = abs(Double(x) + 0.5 - halfWidth) - (halfWidth - across)
            let below = abs(Double(y) + 0.5 - halfHeight) - (halfHeight - down)
            guard right > 0, below > 0, across > 0, down > 0 else { return 255 }
            let (u, v) = (right / across, below / down)
            let slope = 2 * ((u / across) * (u / across) + (v / down) * (v / down)).squareRoot()
            let distance = (u * u + v * v - 1) / slope
            return UInt8((min(max(0.5 - distance, 0), 1) * 255).rounded())
        }
        return replacing(planes, alpha: try alpha?.multiplied(by: cover) ?? cover)
    }
}

extension FilterPart {
    /// Whether the step changes each pixel independently.
    fileprivate var isOfPixel: Bool {
        switch self {
        case .matrix, .curves, .vignette: true
        case .blur, .sharpen: false
        }
    }
}

extension Float {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: self) { Array($0) } }
}
