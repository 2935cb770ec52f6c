/// The faces that a search finds in one frame of a video.
package struct FrameFaces {
    /// Faces above the detector's threshold, each once.
    var sure: [Face] = []
    /// Detections below it, from ``FrameTask/doubtful`` on.
    var doubtful: [Face] = []
    /// The detections of all passes, for redaction.
    var all: [Face] = []
}
