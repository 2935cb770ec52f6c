/// How long each stage of a job took.
package struct StageTimes: Codable, Sendable {
    /// Waiting for a worker.
    package var queue = Duration.zero
    /// From bytes to pixels, once or twice.
    package var decode = Duration.zero
    /// Scaling to the working size and finding faces.
    package var detect = Duration.zero
    /// Choosing the crops, with what attention looks at.
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

    /// The stages that the job went through: all have a queue, but a plan needs no encoding, for example.
    package var spent: [(stage: Stage, time: Duration)] { all.filter { $0.stage == .queue || $0.time > .zero } }
}
