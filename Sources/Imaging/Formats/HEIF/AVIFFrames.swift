#if AVIF
/// Decodes the pictures of an AVIF sequence.
final class AVIFFrames: FrameStream {
    // The handle reads from the copy, so it goes first.
    private let handle: AVIFHandle
    private let file: FileBytes
    private let count: Int
    private var index = 0

    init(_ bytes: [UInt8], frames: Int, limits: DecodeLimits) throws(CodecError) {
        file = FileBytes(bytes)
        handle = try AVIFHandle(file.buffer, limits: limits)
        count = frames
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard index < count else { return nil }
        do {
            let image = try handle.decode()
            defer { index += 1 }
            return AnimatedFrame(image, milliseconds: handle.milliseconds(of: index))
        } catch {
            guard index > 0, error != .outOfMemory else { throw error }
            index = count
            return nil
        }
    }
}
#endif
