import CLinux

/// How glibc's allocator is set for a service that works on large pictures.
enum Allocator {
    /// Blocks of at least this many bytes are mapped by themselves, and given back to the system when they are freed.
    private static let mappedBlockBytes: Int32 = 1 << 20

    /// The heaps that threads share; by default there are eight for every core, and each keeps what it once needed.
    private static let heaps: Int32 = 4

    /// Keeps memory at what the pictures being worked on need.
    ///
    /// Without a fixed size glibc raises the limit to the largest block it has seen freed, up to 32 MiB, and from then on
    /// planes of pixels come from heaps that fragment: memory grew for thousands of requests.
    static func configure() {
        mallopt(M_MMAP_THRESHOLD, mappedBlockBytes)
        mallopt(M_ARENA_MAX, heaps)
    }
}
