/// A parser or decoder of untrusted input, and its fuzz target.
struct Fuzzer: Sendable {
    /// The name on the command line, and of the optional dictionary.
    let name: String
    /// The maximum length of an input, in bytes.
    let maxLength: Int
    /// The seed corpus.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Processes one input; traps if an invariant is violated.
    let run: @Sendable (UnsafeBufferPointer<UInt8>) -> Void

    /// Runs every seed, or every nth seed, once; returns the number of seeds.
    func runSeeds(every step: Int) throws -> Int {
        let seeds = try seeds()
        let chosen = stride(from: 0, to: seeds.count, by: step)
        for index in chosen { seeds[index].withUnsafeBufferPointer(run) }
        return chosen.underestimatedCount
    }

    /// All fuzzers.
    static var all: [Fuzzer] {
        var all = always + options + readers
        #if AVIF
        all += [.avif, .sequence]
        #endif
        #if HEIC
        all.append(.heic)
        #endif
        #if JPEGXL
        all.append(.jpegxl)
        #endif
        #if TIFF
        all.append(.tiff)
        #endif
        return all
    }

    private static let always: [Fuzzer] = [
        .httpRequest, .multipart, .parameters, .stickerDescription, .urlFormats, .mediaType, .requestFields, .sourceURL,
        .hostPattern, .originHeader, .operatorFiles,
        .freshness, .sharedRecord, .sharedNumbers, .workerResponse, .exif, .copyright, .imageHeader, .jpeg, .jpegWindow,
        .jpegCrop, .gainMap, .png, .webp, .gif, .bmp, .ico, .animatedGIF, .apng, .animatedWebP, .animationWriters,
        .repeatedUnits, .color,
        .detectorFile, .faceNetwork, .subjectNetwork, .subjectWeights, .subjectPlacement,
        .y4m, .mjpeg, .jobMessage, .batchLines, .batchCSV, .tar,
    ]
}
