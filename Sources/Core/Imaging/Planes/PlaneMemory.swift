import CImageCodec

/// The memory of planes, which is reused for the next picture.
package enum PlaneMemory {
    /// Returns unused memory to the system; to be called when no work is left.
    package static func release() { hr_memory_release() }
}
