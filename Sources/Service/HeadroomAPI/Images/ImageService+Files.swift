package import Fetching
package import Pipeline
package import Requests

/// Requests of a program that writes images to files, such as `headroom batch`.
///
/// They have the parameters, the rules and the problems of requests to `/frame`. They differ in two ways: several aspect
/// ratios give several images instead of an error, and a failed detection is a failure instead of a degraded result,
/// because the program can run the request again.
extension ImageService {
    /// Fetches a source under the rules of the service.
    ///
    /// The program fetches a source before it calls ``files(of:digest:_:wantsImages:)``, so that it can retry a fetch and
    /// limit the memory of all sources.
    ///
    /// - Parameters:
    ///   - url: The URL of the source.
    ///   - part: The part of the file that contains the image; nil for the whole file.
    /// - Returns: The bytes, with their share of the budget of fetched bytes.
    /// - Throws: ``FetchError``; ``ImageFailure/init(_:)`` is the corresponding problem.
    package func fetch(_ url: String, part: Range<Int>?) async throws(FetchError) -> FetchedImage {
        try await caches.fetcher.fetch(caches.fetcher.url(url), part: part)
    }

    /// Crops an image, for files.
    ///
    /// - Parameters:
    ///   - bytes: The encoded image.
    ///   - digest: The SHA-256 of the bytes, in hexadecimal digits.
    ///   - parameters: The parameters of the crops.
    ///   - wantsImages: Whether images are made in addition to the plan.
    /// - Returns: One image for each aspect ratio, or the image with annotations for `format=debug`; and the plan.
    /// - Throws: ``ImageFailure``.
    package func files(
        of bytes: SourceBytes,
        digest: String,
        _ parameters: FrameParameters,
        wantsImages: Bool
    ) async throws(ImageFailure) -> ImageFiles {
        var record = ImageRecord()
        let loaded: Loaded
        do throws(Problem) {
            let drawn = try Problem.checked(overlays.drawn(by: parameters))
            loaded = try await self.loaded(
                ImageRequest(forFiles: bytes, parameters, wantsImages: wantsImages, deadline: laterDeadline),
                ImageSource(bytes: bytes, knownDigest: digest),
                drawn,
                from: caches.start,
                &record
            )
        } catch {
            throw ImageFailure(error, cause: record.failure)
        }
        do throws(ResultCache.Failure) {
            return ImageFiles(try await compute(loaded).get().result)
        } catch {
            throw ImageFailure(error.problem, cause: error.failure)
        }
    }
}
