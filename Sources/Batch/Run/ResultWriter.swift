import Fetching
import Geometry
import Imaging
import Pipeline
import Requests

/// Writes the results of a picture, before its line of the journal: as files in the parts folder, or as objects.
struct ResultWriter: Sendable {
    /// The folder of finished files that are not yet at their final paths; nil if results are no files.
    let parts: PartsFolder?
    /// Writes objects; nil without a bucket.
    let objects: ObjectOutput?
    let configuration: BatchConfiguration
    let retries: Retries

    /// Writes encoded pictures.
    ///
    /// - Parameters:
    ///   - images: The results.
    ///   - shapes: The aspect of each; nil for the shape of the picture.
    ///   - job: The job.
    ///   - plan: Its plan as a line of JSON.
    /// - Returns: The results, or the error of the row.
    /// - Throws: A ``BatchError`` if results cannot be written at all.
    func write(
        _ images: [EncodedImage],
        shapes: [AspectRatio?],
        of job: BatchJob,
        plan: [UInt8]
    ) async throws -> PictureWork.Outcome {
        var product = PictureWork.Product(plan: plan)
        guard configuration.target != .plans else { return PictureWork.Outcome(.success(product)) }
        let name =
            configuration.name ?? .standard(isArchive: configuration.target.isArchive, hasSeveral: images.count > 1)
        for (index, image) in images.enumerated() {
            let aspect = (index < shapes.count ? shapes[index] : nil)?.text ?? "own"
            product.outputs.append(
                .init(
                    path: name.path(key: job.key, aspect: aspect, format: image.format),
                    aspect: aspect,
                    width: image.size.width,
                    height: image.size.height,
                    bytes: image.bytes.count
                )
            )
        }
        if let objects { return try await send(images, product, objects, of: job) }
        guard let parts else { return PictureWork.Outcome(.success(product)) }
        for (image, output) in zip(images, product.outputs) {
            let file = try parts.write(image.bytes)
            product.parts.append(.init(file: file, name: output.path, bytes: output.bytes))
        }
        return PictureWork.Outcome(.success(product))
    }

    private func send(
        _ images: [EncodedImage],
        _ product: PictureWork.Product,
        _ objects: ObjectOutput,
        of job: BatchJob
    ) async throws -> PictureWork.Outcome {
        let names = product.outputs.map(\.path)
        do throws(RowError) {
            try objects.claim(names, of: job)
        } catch {
            return PictureWork.Outcome(.failure(error))
        }
        var attempts = 1
        for (image, name) in zip(images, names) {
            let tried = await retries.run { () async throws(Retries.Failure) in
                do throws(FetchError) {
                    try await objects.put(image.bytes, to: name, type: image.format.mediaType)
                } catch {
                    let detail = "The result \(name) cannot be written: \(error)."
                    throw Retries.Failure(
                        error: RowError("output-failed", detail),
                        isTransient: error.isTransient,
                        isFatal: !error.isTransient
                    )
                }
            }
            attempts += tried.attempts - 1
            if case .failure(let failure) = tried.result {
                objects.release(names)
                var outcome = try PictureWork.Outcome(failure, tried)
                outcome.attempts = attempts
                return outcome
            }
        }
        var outcome = PictureWork.Outcome(.success(product))
        outcome.attempts = attempts
        return outcome
    }
}
