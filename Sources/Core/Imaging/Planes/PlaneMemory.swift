import CImageCodec

/// The memory of planes, which is reused for the next picture.
package enum PlaneMemory {
    /// Returns unused memory to the system; to be called when no work is left.
    package static func release() { hr_memory_release() }

    /// The most bytes of planes that a call holds at a time on the calling thread, beside those of before.
    ///
    /// For tests of the memory that jobs are admitted with. Calls do not nest.
    package static func mostHeld<Failure: Error>(during body: () throws(Failure) -> Void) throws(Failure) -> Int {
        hr_memory_count_anew()
        try body()
        return hr_memory_most_held()
    }
}
