import FaceDetection
import Geometry
import Glibc

/// A detector whose fault depends on the image's brightness; it finds one face in white images.
struct FaultyDetector: FaceDetector {
    var name = "faulty"
    let smallestDetectableSide = 80
    /// The value is read during initialisation, before the sandbox forbids the call.
    private let parent = getppid()

    mutating func detect(in image: LumaImage, threshold: Double) throws -> [Detection] {
        let middle = image.pixels[image.size.height / 2 * image.bytesPerRow + image.size.width / 2]
        // Scaling and conversion change the brightness by a few steps. Images of the self-test are below 200 and select
        // no fault.
        guard let fault = Fault.allCases.first(where: { abs(Int(middle) - $0.rawValue) <= 2 }) else {
            return [Detection(box: PixelRect(image.size), confidence: 1)]
        }
        fault.happen(to: parent)
        // A forbidden call succeeded: this score makes the test fail.
        return [Detection(box: PixelRect(image.size), confidence: 99)]
    }
}

/// The faults, by the brightness that selects them.
enum Fault: Int, CaseIterable {
    case crash = 200
    case endlessLoop = 205
    case memoryHog = 210
    case openFile = 215
    case openSocket = 220
    case execute = 225
    case fork = 230
    case executableMemory = 235
    case killParent = 240
    case slow = 245
    case talk = 250

    func happen(to parent: pid_t) {
        switch self {
        case .crash:
            UnsafeMutablePointer<UInt8>(bitPattern: 8)?.pointee = 1
        case .endlessLoop:
            // A loop whose end the optimiser cannot determine.
            while getpid() != 0 {}
        case .memoryHog:
            var mebibytes = 0
            while let block = mmap(nil, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                block != MAP_FAILED
            {
                memset(block, 1, 16 << 20)
                mebibytes += 16
            }
            say("had \(mebibytes) MiB")
            abort()
        case .openFile:
            succeed(open("/etc/passwd", O_RDONLY) >= 0)
        case .openSocket:
            succeed(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) >= 0)
        case .execute:
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
            succeed(execv("/bin/true", &arguments) == 0)
        case .fork:
            var thread = pthread_t()
            succeed(pthread_create(&thread, nil, { _ in nil }, nil) == 0)
        case .executableMemory:
            let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            succeed(memory != MAP_FAILED)
        case .killParent:
            succeed(kill(parent, 0) == 0)
        case .slow:
            usleep(1_500_000)
        case .talk:
            for _ in 0..<2000 { say(String(repeating: "bla", count: 20)) }
        }
    }

    /// Exits if the call fails, because the sandbox must kill the process instead.
    private func succeed(_ isAllowed: Bool) {
        if !isAllowed { exit(7) }
    }

    private func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
