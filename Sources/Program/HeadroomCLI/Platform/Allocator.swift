import CLinux

/// Configuration of glibc's allocator for a service that processes large pictures.
enum Allocator {
    /// Blocks of at least this many bytes are mapped separately, and returned to the system when they are freed.
    private static let mappedBlockBytes: Int32 = 1 << 20

    /// The number of arenas; the default is eight per core, each of which keeps its peak memory.
    private static let heaps: Int32 = 4

    /// Limits the memory to what the current pictures need.
    ///
    /// Without a fixed threshold glibc raises it to the largest freed block, up to 32 MiB, and then allocates planes
    /// of pixels in arenas that fragment: memory grew for thousands of requests.
    static func configure() {
        mallopt(M_MMAP_THRESHOLD, mappedBlockBytes)
        mallopt(M_ARENA_MAX, heaps)
    }
}
