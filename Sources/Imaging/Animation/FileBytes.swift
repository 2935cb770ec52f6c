/// A copy of a file at an address that does not change, for libraries that read it piece by piece.
final class FileBytes {
    let buffer: UnsafeBufferPointer<UInt8>

    init(_ bytes: [UInt8]) {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        buffer = UnsafeBufferPointer(copy)
    }

    deinit { buffer.deallocate() }
}
