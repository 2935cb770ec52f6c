package import Geometry
package import Imaging

/// The scales and the memory that a search needs, derived from the source's header.
package protocol SearchNeeds: Sendable {
    /// The side of the smallest face that the luma detector finds, in pixels of its input.
    var smallestDetectableSide: Int { get }

    /// Returns the size of the decoded source for the first pass, with the source's aspect ratio.
    func firstSize(of task: SearchTask) -> PixelSize

    /// Returns the memory of the search for framing, in bytes.
    ///
    /// - Parameters:
    ///   - task: The search.
    ///   - header: The header of the source.
    ///   - scale: The scale of the job's first decode, which the search uses too.
    /// - Returns: The maximum number of bytes in addition to the image at that scale.
    func searchBytes(of task: SearchTask, in header: ImageHeader, at scale: DecodeScale) -> Int

    /// Returns the memory for redaction passes that the search for framing has not already reserved, in bytes.
    ///
    /// - Parameters:
    ///   - redaction: The passes of the redaction.
    ///   - framing: The passes of the search for framing.
    /// - Returns: The bytes in addition to the memory of the search for framing.
    func redactionBytes(of redaction: SearchPlan, beside framing: SearchPlan) -> Int
}

extension SearchNeeds {
    /// Returns the memory of one pass of a detector, in bytes.
    ///
    /// It consists of a working image, its pyramid (3.3 times its area), and 31 feature planes of floats, with one cell
    /// per 64 pixels.
    func passBytes(_ size: PixelSize) -> Int { size.area * 10 }
}
