import BinaryCoding
import CSandbox
import Dispatch
import FaceDetection
import Framing
import Geometry
import Glibc
import Imaging
import Pipeline
import Synchronization
import Workers

/// A worker under the control of an attacker: it follows the protocol and sends forged replies.
enum LyingWorker {
    static func run(_ lie: String) -> Never {
        let bytes = ["boast": Int.max, "shrink": Int.min][lie] ?? 1 << 30
        let greeting = WorkerGreeting(detectorName: "faulty", smallestDetectableSide: 80, addressSpaceBytes: bytes)
        guard let link = try? WorkerLink(), let head = try? BinaryCoder.bytes(of: greeting) else { exit(64) }
        link.greet(head)
        var isRehearsal = true
        while let request = link.next(releaseMemory: {}) {
            // The self-test must succeed, because otherwise the worker would not get a job.
            response(request, isRehearsal && lie != "unfit" ? "honest" : lie, link)
            isRehearsal = false
        }
        exit(0)
    }

    private static func response(_ request: WorkerLink.Request, _ lie: String, _ link: WorkerLink) {
        switch lie {
        case "garbage":
            link.reply(to: request, head: Array("garbage".utf8), body: [])
        case "nothing":
            link.reply(to: request, head: [], body: [])
        case "long":
            link.reply(to: request, head: [UInt8](repeating: 0x20, count: 5 << 20), body: [])
        case "greedy":
            _ = link.ask(for: Int.max, of: request)
            link.reply(to: request, head: [], body: [])
        case "endless":
            tell(request, of: [Int.max], body: .max, link)
        case "twice":
            tell(request, of: [Int.max, Int.max], body: .max, link)
        case "unfit":
            exit(66)
        case "deaf":
            close(Int32(3))
            while true { pause() }
        default:
            let saysOther = lie == "findings" || lie == "failure"
            guard var result = honest(request)?.result,
                let findings = honest(request, detectorName: saysOther ? "another" : "faulty")?.findings
            else { exit(65) }
            change(&result, lie)
            var images: [[UInt8]] = []
            let outcome = JobOutcome(
                findings: findings,
                result: lie == "failure" ? .failure(.cancelled) : .success(result)
            )
            let response = WorkerReply(outcome, images: &images)
            if lie == "missing" { images = [[0]] }
            link.reply(to: request, head: (try? BinaryCoder.bytes(of: response)) ?? [], body: images)
        }
    }

    /// Sends a reply with images of the given lengths but without bytes, and declares a body of another length.
    private static func tell(_ request: WorkerLink.Request, of lengths: [Int], body: UInt64, _ link: WorkerLink) {
        guard var result = honest(request)?.result, let image = result.image else { exit(65) }
        var stripped = image
        stripped.bytes = []
        result.images = lengths.map { _ in stripped }
        guard let head = try? BinaryCoder.bytes(of: Claim(result: result, imageBytes: lengths)),
            hr_file_write(Int32(HR_WORKER_REPLY.rawValue), head, head.count, 0) == 0
        else { exit(65) }
        // The kind of reply.
        var message = hr_message(version: 0, kind: 6, job: request.job, head: UInt64(head.count), body: body, value: 0)
        guard hr_message_send(Int32(HR_WORKER_CONTROL.rawValue), &message) == 0 else { exit(65) }
    }

    /// An encoded `WorkerReply` with impossible image lengths.
    private struct Claim: Encodable {
        var result: FrameResult
        var imageBytes: [Int]
    }

    private static var infiniteBars: Letterbox? {
        var bars = AspectRatio(1, 1).map { Letterbox(around: PixelSize(width: 9, height: 3), aspect: $0) }
        bars?.left = .infinity
        return bars
    }

    private static func change(_ result: inout FrameResult, _ lie: String) {
        switch lie {
        case "honest", "findings", "failure": break
        case "script": result.images[0].bytes = Array("<script>".utf8)
        case "type": result.images[0].format = .jpeg
        case "size": result.images[0].size.width = 1 << 40
        case "overflow": result.plan.crops[0].rect.width = .max
        case "source": result.plan.source.size.height = .min
        case "bars": result.plan.crops[0].letterbox = infiniteBars
        case "flat": result.plan.crops[0].rect.width = 0
        case "score": result.plan.faces[0].confidence = .nan
        case "look": result.plan.detector?.passes[0].smallestFace = .infinity
        case "crops": result.plan.crops += result.plan.crops
        case "time": result.times.decode = .seconds(-1)
        case "faces": result.plan.faces = []; result.plan.detector = nil
        case "images": result.images += result.images
        case "missing": result.images[0].bytes = [UInt8](repeating: 0, count: 9000)
        default: exit(64)
        }
    }

    /// The reply of a valid worker.
    private static func honest(
        _ request: WorkerLink.Request,
        detectorName: String = "faulty"
    ) -> (result: FrameResult, findings: DetectionResult)? {
        guard let task = try? BinaryCoder.value(WorkerRequest.self, from: request.head) else { return nil }
        let outcome = Mutex<JobOutcome?>(nil)
        let done = DispatchSemaphore(value: 0)
        let job = task.job(with: request.body)
        Task.detached {
            let model = FaceDetectorModel(name: detectorName) { FaultyDetector(name: detectorName) }
            let pool = PoolConfiguration(workers: 1, queueLimit: 1, maxBytesInFlight: 1 << 30)
            let service = try? WorkerService(model: model, limits: PipelineLimits(), pool: pool)
            let made = await service?.outcome(of: job)
            outcome.withLock { $0 = made }
            done.signal()
        }
        done.wait()
        guard let outcome = outcome.withLock(\.self), case .success(let result) = outcome.result,
            let findings = outcome.findings
        else { return nil }
        return (result, findings)
    }
}
