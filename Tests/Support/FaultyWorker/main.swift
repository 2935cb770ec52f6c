import FaceDetection
import Glibc
import Workers

// A worker process with a fault; the first argument or the brightness of the image selects it.

switch CommandLine.arguments.dropFirst().first {
case "standard":
    FrameWorker.run { try .standard }
case "dlib":
    FrameWorker.run { try .dlib }
case "file":
    FrameWorker.run { try .file(CommandLine.arguments[2], name: "file") }
case "faulty":
    FrameWorker.run { FaceDetectorModel(name: "faulty") { FaultyDetector() } }
case "calling":
    guard let call = Int32(CommandLine.arguments[2]) else { exit(64) }
    FrameWorker.run { FaceDetectorModel(name: "faulty") { CallingDetector(call: call) } }
case "inherited-state":
    // The detector's name contains the inherited state.
    let name = InheritedState.description
    FrameWorker.run { FaceDetectorModel(name: name) { FaultyDetector(name: name) } }
case "unless":
    // Does not start while the given file exists.
    if access(CommandLine.arguments[2], F_OK) == 0 { exit(3) }
    FrameWorker.run { FaceDetectorModel(name: "faulty") { FaultyDetector() } }
case "limited":
    // Simulates inherited hard limits; 7 is the number of open files, see setrlimit(2).
    guard let resource = UInt32(CommandLine.arguments[2]), let value = UInt64(CommandLine.arguments[3]) else {
        exit(64)
    }
    var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
    guard setrlimit(__rlimit_resource_t(resource), &limit) == 0 else { exit(65) }
    FrameWorker.run { FaceDetectorModel(name: "faulty") { FaultyDetector() } }
case "crash":
    abort()
case "silent":
    while true { pause() }
case "broken":
    FrameWorker.run { throw DetectionError.unreadableModel(path: "cats.svm", reason: "No such file or directory") }
case "ticking":
    Ticking.run()
case "lying":
    LyingWorker.run(CommandLine.arguments[2])
default:
    exit(64)
}
