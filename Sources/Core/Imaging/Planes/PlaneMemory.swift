import CImageCodec

/// The memory of planes, which is reused for the next image.
///
/// ``Plane`` allocates it, and returns it when its last reference is released.
package enum PlaneMemory {
    /// Returns unused memory of planes, and of the heap of the process, to the system.
    ///
    /// Any thread may call it at any time. Planes in use are not affected, but the next image has to allocate its
    /// memory again, so call it when no job is running or waiting.
    package static func release() { hr_memory_release() }

    /// The peak size in bytes of the planes that a call allocates on the calling thread, not counting earlier planes.
    ///
    /// It is for tests of the memory that is reserved for jobs. Calls cannot be nested.
    package static func peak<Failure: Error>(during body: () throws(Failure) -> Void) throws(Failure) -> Int {
        hr_memory_count_anew()
        try body()
        return hr_memory_most_held()
    }
}
