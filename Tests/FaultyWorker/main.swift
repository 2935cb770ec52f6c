import FaceDetection
import FramePipeline
import Glibc

// A worker process with a fault: what it does is the first argument, or how bright the picture is.

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
case "naked":
    // What it was born with is what it is called.
    let name = Birth.description
    FrameWorker.run { FaceDetectorModel(name: name) { FaultyDetector(name: name) } }
case "unless":
    // Does not start while a file is there.
    if access(CommandLine.arguments[2], F_OK) == 0 { exit(3) }
    FrameWorker.run { FaceDetectorModel(name: "faulty") { FaultyDetector() } }
case "crash":
    abort()
case "silent":
    while true { pause() }
case "broken":
    FrameWorker.run { throw DetectionError.unreadableModel(path: "cats.svm", reason: "No such file or directory") }
case "liar":
    Liar.run(CommandLine.arguments[2])
default:
    exit(64)
}
