package import FaceDetection
package import Imaging

extension Plane {
    /// Calls `body` with the plane as input for a detector; the view is only valid during the call.
    package func withView<Value>(_ body: (LumaImage) throws -> Value) throws -> Value {
        try withUnsafeSamples { samples in
            guard let pixels = samples.baseAddress else { throw DetectionError.invalidImage }
            return try body(LumaImage(pixels: pixels, size: size, bytesPerRow: bytesPerRow))
        }
    }
}

extension [Plane] {
    /// Calls `body` with three planes as input for a network: red, green and blue, or the same grey plane three times.
    ///
    /// The views are only valid during the call.
    func withColorViews<Value>(_ body: (LumaImage, LumaImage, LumaImage) throws -> Value) throws -> Value {
        guard let red = first, let blue = last else { throw DetectionError.invalidImage }
        return try red.withView { red in
            try self[count / 2].withView { green in
                try blue.withView { blue in try body(red, green, blue) }
            }
        }
    }
}

extension Plane {
    /// The plane as a grey image.
    var image: PlanarImage { PlanarImage(size: size, colorModel: .gray, planes: [self]) }
}
