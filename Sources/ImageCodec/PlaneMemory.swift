import CImageCodec

/// The memory of planes, which is kept for the next picture.
package enum PlaneMemory {
    /// Gives what no plane uses back to the system; for when no work is left.
    package static func release() { hr_memory_release() }
}
