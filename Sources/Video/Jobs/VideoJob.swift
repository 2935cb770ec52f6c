package import Geometry
package import Pipeline

/// A job with one frame of an MJPEG stream.
///
/// A frame is analysed and rendered by two jobs: the crop depends on other frames, which only the stream's owner knows.
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
        /// Reduces the frame to a grid of this size, and searches it for faces; if it `redacts`, all of it for heads;
        /// with the `mouths` of faces, if it is wanted.
        case analyse(grid: PixelSize, Search, redacts: Bool = false, mouths: Bool = false)
        /// Scales a part of the frame to a size and encodes it as a JPEG of this quality, 1 to 100; without what a
        /// cover hides. A frame that `isWhole` lies on a blurred enlargement of itself.
        case render(FractionalRect, to: PixelSize, quality: Int, cover: FrameCover? = nil, isWhole: Bool = false)
    }

    /// Which part of a frame is searched for faces.
    package enum Search: Codable, Hashable, Sendable {
        /// Nothing.
        case none
        /// All of it, for faces of at least this share of its short side; nil for that of the detector.
        case whole(smallestFace: Double?)
        /// The surroundings of recently found faces, in pixels of the frame.
        case near([PixelRect])
    }

    /// The most faces of ``Search/near(_:)``.
    package static let maxNear = 16
}
