package import Geometry
package import Pipeline

/// A job with one frame of an MJPEG stream.
///
/// One job analyses a frame, and a second job renders it, because the crop depends on other frames, which only the
/// stream session has.
package struct VideoJob: Codable, Sendable {
    /// The frame: a JPEG.
    package var source: SourceBytes
    /// The work to do with the frame.
    package let task: Task

    /// A job with one frame.
    ///
    /// - Parameters:
    ///   - source: The frame: a JPEG, not checked yet.
    ///   - task: The work to do with it.
    package init(_ source: [UInt8], _ task: Task) {
        self.source = SourceBytes(source)
        self.task = task
    }

    /// The work of a job.
    package enum Task: Codable, Hashable, Sendable {
        /// Decodes the planes.
        case decode
        /// Reduces the frame to a grid of this size, and searches it for faces.
        ///
        /// `redacts` searches the whole frame for heads; `mouths` also reads the mouths of faces.
        case analyse(grid: PixelSize, Search, redacts: Bool = false, mouths: Bool = false)
        /// Scales a part of the frame to a size, applies the masks of a cover, and encodes the part as a JPEG of this
        /// quality, 1 to 100.
        ///
        /// With `isWhole`, the whole frame is drawn on a blurred enlargement of itself.
        case render(FractionalRect, to: PixelSize, quality: Int, cover: FrameCover? = nil, isWhole: Bool = false)
    }

    /// The part of a frame that is searched for faces.
    package enum Search: Codable, Hashable, Sendable {
        /// Nothing.
        case none
        /// The whole frame, for faces of at least this fraction of its short side; nil for the detector's minimum.
        case whole(smallestFace: Double?)
        /// The surroundings of recently found faces, in pixels of the frame.
        case near([PixelRect])
    }

    /// The maximum number of faces in ``Search/near(_:)``.
    package static let maxNear = 16
}
