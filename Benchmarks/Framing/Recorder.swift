import FaceDetection
import Foundation
import Framing
import Geometry
import Imaging
import Pipeline

/// Searches images for people in the same way as the service.
struct Recorder {
    private let accuracy: Accuracy
    private let folder: URL

    init(accuracy: String, folder: String) {
        guard let accuracy = Accuracy(rawValue: accuracy) else { fail("not an accuracy: \(accuracy)") }
        self.accuracy = accuracy
        self.folder = URL(filePath: folder)
    }

    func record(_ files: [String]) throws {
        var search = try FaceDetectorModel.standard.makeSearch()
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: file)))
            var job = FrameJob(source: SourceBytes(bytes), target: .plan)
            job.options.accuracy = accuracy
            let measured = try MeasuredJob(job, limits: PipelineLimits(), needs: search.needs)
            let outcome = measured.run(JobContext(), search: &search)
            guard let findings = outcome.findings else { fail("\(file): \(outcome.result)") }
            var row = RecordedImage(file: file, size: findings.size, people: findings.faces.map(\.subjectWithEyes))
            if row.people.isEmpty {
                row.attention = .init(try attention(measured, bytes, findings, needs: search.needs))
            }
            try row.print()
        }
    }

    /// The attention profile of an image without people.
    private func attention(
        _ measured: MeasuredJob,
        _ bytes: [UInt8],
        _ findings: DetectionResult,
        needs: any SearchNeeds
    ) throws -> AttentionProfile {
        let plan = DecodePlan(job: measured.job, header: measured.header, needs: needs)
        let image = try ImageDecoder.decode(bytes, header: measured.header, scale: plan.attentionScale)
        let doubtful = findings.doubtfulFaces(after: accuracy, in: plan.area)
        return try AttentionStage(sourceSize: findings.size, area: plan.area).profile(
            of: image,
            doubtfulFaces: doubtful
        )
    }
}
