/// What a worker process says of itself when it is ready.
package struct WorkerGreeting: Codable, Sendable {
    /// The detector's name.
    package var detectorName: String
    /// What it can see at most.
    package var smallestDetectableSide: Int
    /// The address space that the process takes before any job.
    package var addressSpaceBytes: Int

    /// What it says, as given.
    package init(detectorName: String, smallestDetectableSide: Int, addressSpaceBytes: Int) {
        self.detectorName = detectorName
        self.smallestDetectableSide = smallestDetectableSide
        self.addressSpaceBytes = addressSpaceBytes
    }
}

/// A job as it goes to a worker process: all of it but the source's bytes, which go beside it.
///
/// The coding is what the compiler makes of the types, so that a new parameter takes part by itself. Both sides are the
/// same program, so it need not be read by another version.
package struct WorkerRequest: Codable, Sendable {
    private(set) var job: FrameJob
    let limits: PipelineLimits

    init(_ job: FrameJob, limits: PipelineLimits) {
        self.job = job
        self.job.source = []
        self.limits = limits
    }

    /// The job, with its source again.
    package func job(with source: [UInt8]) -> FrameJob {
        var job = job
        job.source = source
        return job
    }
}

/// What a worker process answers, all of it but the bytes of images, which lie beside it one after another.
package struct WorkerAnswer: Codable, Sendable {
    /// The result with empty images; nil for an error.
    private(set) var result: FrameResult?
    /// The bytes of each image, in the order of ``FrameResult``: the one, or all.
    private(set) var imageBytes: [Int] = []
    /// Why there is no result.
    private(set) var error: PipelineError?
    /// What a search found, whether there is a result or not; nil when none was made.
    package var findings: FaceFindings?

    /// The answer of a job that failed.
    package init(_ error: PipelineError) { self.error = error }

    /// Takes the images out of a result.
    package init(_ result: FrameResult, images: inout [[UInt8]]) {
        var stripped = result
        if var image = stripped.image {
            Self.take(&image.bytes, &images)
            stripped.image = image
        }
        for index in stripped.images.indices { Self.take(&stripped.images[index].bytes, &images) }
        imageBytes = images.map(\.count)
        self.result = stripped
    }

    private static func take(_ bytes: inout [UInt8], _ images: inout [[UInt8]]) {
        images.append(bytes)
        bytes = []
    }
}

/// Bytes of a value, and back.
package enum WorkerWire {
    /// The bytes of a value.
    package static func bytes(of value: some Encodable) throws -> [UInt8] { try WireEncoder.bytes(of: value) }

    /// The value of bytes.
    ///
    /// - Throws: Whatever they are, an error is the worst that comes of it.
    package static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try WireDecoder.value(type, from: bytes)
    }
}
