/// The faces that a search finds in one frame of a video.
package struct FrameFaces {
    /// Faces above the detector's threshold, each once.
    package internal(set) var sure: [Face] = []
    /// Detections below the threshold, with a score of at least ``FrameTask/doubtful``.
    package internal(set) var doubtful: [Face] = []
    /// The detections of all passes, for redaction.
    package internal(set) var all: [Face] = []
}
