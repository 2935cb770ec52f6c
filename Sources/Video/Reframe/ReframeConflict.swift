package import Motion

/// A part of a ``ReframeRequest`` that does not fit the video or the plan.
///
/// A program describes it with the names of its options.
package enum ReframeConflict: Error, Hashable, Sendable {
    /// A part of a request that needs all frames of a shot.
    package enum WholeShots: Hashable, Sendable {
        /// The layout, which plans whole shots.
        case layout(Layout)
        /// A plan as one document.
        case planDocument
        /// People who stay visible, by their numbers in a plan.
        case visibleNumbers
    }

    /// A combination with ``ReframeRequest/planFrom`` that reads the video twice.
    package enum TwoReadings: Hashable, Sendable {
        /// A plan without frames, which are planned first.
        case planWithoutFrames
        /// A redaction of heads, which are searched first.
        case redaction
    }

    /// The results cannot have this format, because the source has another one.
    case format(ReframeRequest.Format, source: VideoInputFormat)
    /// The video is read only once.
    case singleReading(WholeShots)
    /// The video must be a file, not a pipe.
    case pipe(TwoReadings)
    /// No person has the number; the plan contains persons 1 to `count`.
    case unknownPerson(Int, count: Int)
    /// Neither the request nor the plan in this file has an aspect ratio.
    case missingAspect(plan: String)
    /// The crops of the plan in this file have no aspect ratio that can be used.
    case unusableAspect(plan: String)
    /// The name of the result, or standard output for nil, does not imply the format of the result.
    case unknownFormat(output: String?)
}
