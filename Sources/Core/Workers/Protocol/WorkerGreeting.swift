/// The properties of a worker process.
///
/// The process sends them when it is ready.
package struct WorkerGreeting: Codable, Sendable {
    package var detectorName: String
    /// The minimum size of an object that the detector finds, in pixels.
    package var smallestDetectableSide: Int
    /// The address space of the process before any job, in bytes.
    package var addressSpaceBytes: Int

    /// Creates a greeting with the given properties.
    package init(detectorName: String, smallestDetectableSide: Int, addressSpaceBytes: Int) {
        self.detectorName = detectorName
        self.smallestDetectableSide = smallestDetectableSide
        self.addressSpaceBytes = addressSpaceBytes
    }

    /// Whether the numbers are small enough for arithmetic without overflow, and the name fits into a header.
    ///
    /// A process has an address space of 47 or 48 bits. The thread sanitizer uses almost all of it.
    var isPlausible: Bool {
        (0...1 << 48).contains(addressSpaceBytes) && (1...1 << 15).contains(smallestDetectableSide)
            && detectorName.utf8.count <= 4096
    }
}
