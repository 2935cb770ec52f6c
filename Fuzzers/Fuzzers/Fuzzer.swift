/// A piece of the service that strangers feed, and how to feed it.
struct Fuzzer: Sendable {
    /// What it is called on the command line; also the name of its dictionary, if it has one.
    let name: String
    /// The longest input, in bytes.
    let maxLength: Int
    /// Inputs to begin with.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Takes one input; traps when something is not as it must be.
    let run: @Sendable (UnsafeBufferPointer<UInt8>) -> Void

    /// All there are.
    static let all: [Fuzzer] = [
        .httpRequest, .multipart, .parameters, .mediaType, .requestFields, .sourceURL, .hostPattern, .originHeader,
        .sharedRecord, .workerAnswer, .exif, .imageHeader, .jpeg, .jpegWindow, .jpegCrop, .png, .webp, .detectorFile,
    ]
}
