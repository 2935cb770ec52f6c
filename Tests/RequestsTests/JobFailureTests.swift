import Geometry
import Imaging
import Pipeline
import Requests
import TestPacing
import Testing

@Suite(.limitedConcurrency) struct JobFailureTests {
    private static let cases: [(PipelineError, JobFailure.Kind, String)] = [
        (.codec(.unsupportedFormat(named: "PDF")), .unsupportedImage, "PDF"),
        (.codec(.unsupportedFormat(named: "MP4")), .unsupportedImage, "-frames:v 1 frame.png."),
        (.codec(.truncated(.jpeg)), .unreadableImage, ""),
        (.backdrop(.truncated(.png)), .unreadableImage, "The backdrop: "),
        (.noSuchFace(index: 9, found: 1), .noSuchFace, "Face 9 does not exist: 1 face found."),
        (.noSuchFace(index: 9, found: 0), .noSuchFace, "no faces found."),
        (.resultTooLarge(.init(width: 300, height: 200), maxPixels: 100), .tooLarge, "300×200 pixels"),
        (.regionOutside(.init(width: 300, height: 200)), .invalidParameter, "300×200 pixels"),
        (.tookTooLong(limit: .milliseconds(1500)), .tooLarge, "longer than 2 s"),
        (.overloaded(retryAfter: .seconds(3)), .overloaded, "retry later"),
        (.sourceRefused(retryAfter: .seconds(90)), .unreadableImage, "another 2 min"),
        (.cancelled, .internalError, "could not be processed"),
    ]

    @Test(arguments: cases)
    func `an error has a kind and a text for callers`(error: PipelineError, kind: JobFailure.Kind, text: String) {
        let failure = JobFailure(error)
        #expect(failure.kind == kind)
        #expect(text.isEmpty || failure.detail.contains(text))
    }

    @Test(arguments: [PipelineError.detector("dlib: /etc"), .workerLost("dlib: /etc")])
    func `the text of a detector or a worker is not for callers`(error: PipelineError) {
        let failure = JobFailure(error)
        #expect(failure.kind == .internalError && !failure.detail.contains("dlib"))
    }
}
