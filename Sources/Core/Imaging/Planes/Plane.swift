import CImageCodec
package import Geometry

/// Samples of one byte in rows, in memory aligned for vector units.
///
/// A plane is immutable after the function that creates it returns, so images can share planes.
package final class Plane: @unchecked Sendable {
    // @unchecked Sendable: `base` is written only before the function that creates the plane returns.

    /// The alignment of addresses and strides that zimg needs on processors with 512-bit vectors.
    package static let alignment = 64

    /// Columns and rows of samples.
    package let size: PixelSize
    /// The distance between rows in bytes, a multiple of ``alignment``.
    package let bytesPerRow: Int

    let base: UnsafeMutablePointer<UInt8>
    /// The plane that owns the memory of this part; nil if the plane has its own memory.
    private let owner: Plane?

    /// A plane with undefined samples, at least 1 by 1, with rows long enough for a decoder's whole blocks; the caller
    /// sets every sample.
    ///
    /// - Throws: ``CodecError/outOfMemory``.
    init(unset size: PixelSize, minimumBytesPerRow: Int = 0) throws(CodecError) {
        precondition(size.width > 0 && size.height > 0, "a plane has samples")
        self.size = size
        bytesPerRow = Plane.bytesPerRow(max(size.width, minimumBytesPerRow))
        guard let memory = hr_memory_take(bytesPerRow * size.height) else { throw .outOfMemory }
        base = memory.bindMemory(to: UInt8.self, capacity: bytesPerRow * size.height)
        owner = nil
    }

    /// The part of a plane that `rect` covers, sharing its memory; its rows may be unaligned.
    private init(_ rect: PixelRect, of plane: Plane) {
        size = rect.size
        bytesPerRow = plane.bytesPerRow
        base = plane.base + rect.y * plane.bytesPerRow + rect.x
        owner = plane
    }

    deinit {
        if owner == nil { hr_memory_give(base, bytesPerRow * size.height) }
    }

    /// The stride of rows of `width` samples.
    static func bytesPerRow(_ width: Int) -> Int { (width + alignment - 1) / alignment * alignment }

    /// The bytes of planes of a size whose sides have at most 31 bits, and of other memory; `Int.max` on overflow.
    static func bytes(_ size: PixelSize, count: Int, and others: Int = 0) -> Int {
        let plane = bytesPerRow(size.width).multipliedReportingOverflow(by: size.height)
        let planes = plane.partialValue.multipliedReportingOverflow(by: count)
        let all = planes.partialValue.addingReportingOverflow(others)
        return plane.overflow || planes.overflow || all.overflow ? .max : all.partialValue
    }

    /// Gives access to the samples; row `y` starts at `y * bytesPerRow`, and bytes after its width are undefined.
    package func withUnsafeSamples<Result, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The memory may end after the last row of a part.
        let lastRow = owner == nil ? bytesPerRow : size.width
        return try body(UnsafeBufferPointer(start: base, count: bytesPerRow * (size.height - 1) + lastRow))
    }

    /// The samples row by row, without gaps.
    var samples: [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(size.area)
        append(to: &samples)
        return samples
    }

    /// Appends the samples row by row, without gaps.
    func append(to bytes: inout [UInt8]) {
        for y in 0..<size.height { bytes += UnsafeBufferPointer(start: base + y * bytesPerRow, count: size.width) }
    }

    /// The sample in column `x` of row `y`.
    package subscript(x x: Int, y y: Int) -> UInt8 {
        precondition(x >= 0 && x < size.width && y >= 0 && y < size.height, "outside the plane")
        return base[y * bytesPerRow + x]
    }

    /// The samples, row by row without padding.
    package var compactSamples: [UInt8] {
        withUnsafeSamples { samples in
            (0..<size.height).flatMap { samples[($0 * bytesPerRow)..<($0 * bytesPerRow + size.width)] }
        }
    }
}

extension Plane {
    /// A plane whose sample in column `x` of row `y` is `sample(x, y)`.
    package convenience init(_ size: PixelSize, sample: (_ x: Int, _ y: Int) -> UInt8) throws(CodecError) {
        try self.init(unset: size)
        for y in 0..<size.height {
            for x in 0..<size.width { base[y * bytesPerRow + x] = sample(x, y) }
        }
    }

    convenience init(_ size: PixelSize, filledWith value: UInt8) throws(CodecError) {
        try self.init(unset: size)
        withTarget { hr_fill([$0], value) }
    }

    /// The part of this plane that `rect` covers, without a copy.
    func cropped(to rect: PixelRect) -> Plane {
        precondition(PixelRect(size).contains(rect) && rect.area > 0, "outside the plane")
        return Plane(rect, of: self)
    }

    /// A copy of this plane, or of the part that `rect` covers.
    func copied(_ rect: PixelRect? = nil) throws(CodecError) -> Plane {
        let copy = try Plane(unset: rect?.size ?? size)
        self.copy(rect, into: copy)
        return copy
    }

    /// Copies the samples, or only the samples that `rect` covers, into a plane of that size that is not shared yet.
    func copy(_ rect: PixelRect? = nil, into target: Plane) {
        let part = rect ?? PixelRect(size)
        precondition(target.size == part.size && PixelRect(size).contains(part), "planes of one size")
        [self].withViews(into: [target]) { hr_copy($0, Int32(part.x), Int32(part.y), $1) }
    }

    /// Returns the transformed plane, which is upright if the plane was stored with this orientation.
    ///
    /// - Parameter orientation: The transformation, which may also be a requested rotation.
    /// - Returns: A plane of the size ``Orientation/upright(_:)``; for ``Orientation/up`` this plane itself.
    /// - Throws: ``CodecError/outOfMemory``.
    package func oriented(_ orientation: Orientation) throws(CodecError) -> Plane {
        guard orientation != .up else { return self }
        let result = try Plane(unset: orientation.upright(size))
        [self].withViews(into: [result]) { hr_orient($0, Int32(orientation.rawValue), $1) }
        return result
    }

    func inverted() throws(CodecError) -> Plane {
        let result = try Plane(unset: size)
        [self].withViews(into: [result]) { hr_invert($0, $1) }
        return result
    }

    /// Returns the product with another plane of the same size; a sample of 255 means 1.
    func multiplied(by factor: Plane) throws(CodecError) -> Plane {
        let result = try Plane(unset: size)
        [self, factor].withViews(into: [result]) { from, to in hr_multiply([from[0]], [from[1]], to) }
        return result
    }

    /// Returns this plane blended over white by alpha.
    func flattened(by alpha: Plane) throws(CodecError) -> Plane {
        let result = try Plane(unset: size)
        [self, alpha].withViews(into: [result]) { from, to in hr_flatten([from[0]], [from[1]], to) }
        return result
    }

    /// The number of samples that differ by more than `tolerance` from the samples of a plane of the same size.
    package func changes(from other: Plane, over tolerance: UInt8) -> Int {
        precondition(size == other.size, "planes of one size")
        return [self, other].withViews { hr_count_changes([$0[0]], [$0[1]], tolerance) }
    }

    /// This plane as the alpha of an image; nil if it is opaque.
    ///
    /// Many programs write opaque alpha, and all further steps are cheaper without alpha.
    var unlessOpaque: Plane? { isFilled(with: 255) ? nil : self }

    func isFilled(with value: UInt8) -> Bool { withView { hr_is_filled([$0], value) } }
}

extension [Plane] {
    /// Planes of one size with undefined samples; the caller sets every sample.
    init(unset size: PixelSize, count: Int) throws(CodecError) {
        self.init()
        for _ in 0..<count { append(try Plane(unset: size)) }
    }

    /// Divides premultiplied samples by alpha, in place; only for planes that are not shared yet.
    func unpremultiply(by alpha: Plane) {
        for plane in self { [alpha].withViews(into: [plane]) { alpha, plane in hr_unpremultiply(plane, alpha) } }
    }
}
