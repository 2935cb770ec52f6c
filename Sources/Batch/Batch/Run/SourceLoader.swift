import Admission
import Dispatch
import Fetching
import Glibc
import HeadroomAPI

/// Loads the bytes of images from files, parts of files and URLs.
struct SourceLoader: Sendable {
    /// The bytes of an image, with their reservations in the memory limits.
    struct Loaded: Sendable {
        var bytes: [UInt8]
        var gateShare: ByteGate.Share?
        var fetchShare: ByteShare?
    }

    private static let maxFileBytes = 256 << 20

    let images: ImageService
    let gate: ByteGate

    func load(_ source: JobSource) async throws(Retries.Failure) -> Loaded {
        switch source {
        case .file(let path): return try await read(path, nil)
        case .part(let path, let range, _) where BatchInputs.isObject(path): return try await fetch(path, range)
        case .part(let path, let range, _): return try await read(path, range)
        case .url(let url): return try await fetch(url, nil)
        }
    }

    private func fetch(_ text: String, _ part: Range<Int>?) async throws(Retries.Failure) -> Loaded {
        // An HTTP request cannot contain a range of zero bytes.
        if let part, part.isEmpty { return Loaded(bytes: []) }
        do throws(FetchError) {
            let fetched = try await images.fetch(text, part: part)
            return Loaded(bytes: fetched.bytes, fetchShare: fetched.share)
        } catch {
            throw Retries.Failure(
                error: RowError(ImageFailure(error)),
                isTransient: error.isTransient,
                isLocalLimit: error.isLocalLimit
            )
        }
    }

    private func read(_ path: String, _ range: Range<Int>?) async throws(Retries.Failure) -> Loaded {
        let (file, range) = try open(path, range)
        let share = await gate.take(range.count)
        let result: Result<[UInt8], BatchError> = await withCheckedContinuation { continuation in
            // Reading blocks, so it must not occupy a thread of the cooperative pool.
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(BatchError) in try file.read(range) })
            }
        }
        do throws(BatchError) {
            let bytes = try result.get()
            guard bytes.count == range.count else { throw BatchError("\(file.path): the file became shorter") }
            return Loaded(bytes: bytes, gateShare: share)
        } catch {
            throw Retries.Failure(error: RowError("source-not-found", detail: error.reason))
        }
    }

    private func open(_ path: String, _ range: Range<Int>?) throws(Retries.Failure) -> (OpenFile, Range<Int>) {
        do throws(BatchError) {
            // Opening a pipe must not block.
            let file = try OpenFile(path, O_RDONLY | O_NONBLOCK)
            guard let length = file.length else { throw BatchError("\(path): not a regular file") }
            let range = range ?? 0..<length
            guard range.upperBound <= length else {
                throw BatchError("\(path): the file ends before the end of the image")
            }
            if range.count <= Self.maxFileBytes { return (file, range) }
        } catch {
            throw Retries.Failure(error: RowError("source-not-found", detail: error.reason))
        }
        throw Retries.Failure(error: RowError("too-large", detail: "\(path): more than \(Self.maxFileBytes) bytes"))
    }
}
