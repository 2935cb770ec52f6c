#if AVIF
/// Decodes the pictures of an AVIF sequence.
final class AVIFFrames: FrameStream {
    // The handle reads from the copy, so it goes first.
    private let handle: AVIFHandle
    private let file: FileBytes
    private var left: Int
    private var isFirst = true

    init(_ bytes: [UInt8], frames: Int, limits: DecodeLimits) throws(CodecError) {
        file = FileBytes(bytes)
        handle = try AVIFHandle(file.buffer, limits: limits)
        left = frames
    }

    func next() throws(CodecError) -> AnimatedFrame? {
        guard left > 0 else { return nil }
        left -= 1
        do {
            let image = try handle.decode()
            isFirst = false
            return AnimatedFrame(image, milliseconds: handle.milliseconds)
        } catch {
            left = 0
            guard !isFirst, error != .outOfMemory else { throw error }
            return nil
        }
    }
}
#endif
