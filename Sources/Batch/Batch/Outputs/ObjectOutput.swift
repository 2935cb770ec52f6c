import Encodings
import Fetching
import Glibc
import Requests

/// Writes results as objects of a bucket, several at once; an object becomes visible when it is complete.
struct ObjectOutput: Sendable {
    let store: ObjectStore
    let place: ObjectPlace
    let paths: TakenPaths

    /// Reserves the paths of an image's results before they are written.
    ///
    /// - Throws: A ``RowError`` if a path belongs to another result, is the path of the source, or is not a valid key.
    func claim(_ names: [String], of job: BatchJob) throws(RowError) {
        for name in names {
            let object = place.appending(name)
            if let problem = RelativePath.problem(name) ?? object.problem {
                throw .output("The output path \(ParameterError.shortened(name)) is not valid: \(problem).")
            }
            // The version of the source is ignored, because its key names the same object in every version.
            if case .url(let url) = job.source, case .object(let source)? = try? SourceURL(url),
                source.bucket == object.bucket, source.path == object.path
            {
                throw .output("The output \(name) would replace its source.")
            }
        }
        if let taken = paths.takeAll(names) { throw .output("Output path \(taken) is already used by another row.") }
    }

    /// Releases reserved paths without a written result.
    func release(_ names: [String]) { paths.release(names) }

    func put(_ bytes: [UInt8], to name: String, type: String) async throws(FetchError) {
        try await store.put(bytes, to: place.appending(name), type: type)
    }
}

/// Uploads a complete archive to a bucket as one object, and downloads it for a resumed run.
struct ObjectArchive {
    /// The minimum size of a part of an upload in bytes; an upload has at most 10,000 parts.
    private static let partBytes = 16 << 20

    let store: ObjectStore
    let place: ObjectPlace
    /// The folder in which the archive grows.
    let hidden: String
    /// The file with the identifier of an upload in progress.
    private var note: String { "\(hidden)/upload" }

    /// Uploads a file; an upload that an earlier process started is aborted first.
    func send(_ path: String) throws(BatchError) {
        try dropOld()
        let file = try OpenFile(path)
        let length = file.length ?? 0
        do throws(FetchError) {
            var upload = try ObjectUpload(store, to: place, type: "application/x-tar")
            let part = max(Self.partBytes, (length + 9_999) / 10_000)
            let name = upload.name
            do {
                try OpenFile(note, O_WRONLY | O_CREAT | O_TRUNC).write(Array(name.utf8))
                for start in stride(from: 0, to: max(length, 1), by: part) {
                    try upload.send(try file.read(start..<min(start + part, length)))
                }
                try upload.finish()
            } catch {
                try? store.drop(name, of: place)
                unlink(note.systemPath)
                throw error as? FetchError ?? .incomplete("\(error)")
            }
        } catch {
            throw BatchError("\(place.url): \(error); run the same command to send the archive again")
        }
        unlink(note.systemPath)
    }

    /// Downloads the start of the archive, so that a complete run can be resumed.
    func restore(_ length: Int, to path: String) throws(BatchError) {
        let part = "\(path).part"
        let file = try OpenFile(part, O_WRONLY | O_CREAT | O_TRUNC)
        var (offset, etag) = (0, String?.none)
        while offset < length {
            let found: (bytes: [UInt8], length: Int, etag: String?)
            do throws(FetchError) {
                found = try store.read(place, offset..<min(offset + (8 << 20), length), ifMatch: etag)
            } catch {
                throw BatchError("\(place.url): \(error); use --restart to start again")
            }
            guard !found.bytes.isEmpty else {
                throw BatchError(
                    "\(place.url): the archive is shorter than the results require; use --restart to start again"
                )
            }
            try file.write(found.bytes)
            offset += found.bytes.count
            etag = etag ?? found.etag
        }
        guard rename(part.systemPath, path.systemPath) == 0 else { throw .system(path) }
    }

    private func dropOld() throws(BatchError) {
        guard access(note.systemPath, F_OK) == 0 else { return }
        let name = String(decoding: try OpenFile(note).read(upTo: 2048), as: UTF8.self)
        // The error is ignored, because an upload that cannot be aborted only occupies storage.
        if !name.isEmpty { try? store.drop(name, of: place) }
        unlink(note.systemPath)
    }
}
