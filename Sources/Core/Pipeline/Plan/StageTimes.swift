/// The duration of each stage of a job.
package struct StageTimes: Codable, Sendable {
    /// Waiting for a worker.
    package var queue = Duration.zero
    /// Decoding the source, including all decodes.
    package var decode = Duration.zero
    /// Detection, and scaling to its working size.
    package var detect = Duration.zero
    /// Choosing the crops, with the attention map.
    package var frame = Duration.zero
    /// Cropping, scaling and encoding the result.
    package var encode = Duration.zero

    /// The names of stages, in the order of a job.
    package enum Stage: String, CaseIterable, Sendable {
        case queue, decode, detect, frame, encode
    }

    /// The time of every stage.
    package var all: [(stage: Stage, time: Duration)] {
        [(.queue, queue), (.decode, decode), (.detect, detect), (.frame, frame), (.encode, encode)]
    }

    /// The stages of this job; every job has a queue stage, but a plan, for example, has no encoding stage.
    package var spent: [(stage: Stage, time: Duration)] { all.filter { $0.stage == .queue || $0.time > .zero } }
}
