import Requests
import ArgumentParser

struct DetectionOptions: ParsableArguments {
    @Option(.accuracy) var accuracy: String?
    @Option(.minFace) var minFace: String?

    @Option(Settings.detector) var detector: String?

    @Option(Settings.workers) var workers: String?
}
