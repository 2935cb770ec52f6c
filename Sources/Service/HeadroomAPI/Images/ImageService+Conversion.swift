import Admission
import Fetching
import Geometry
import HTTPTypes
import Imaging
import Pipeline
import Requests
import Workers

extension ImageService {
    /// Returns the conversion of a source; nil if the workers read the source.
    func conversion(of source: ImageSource, _ parameters: FrameParameters) -> Conversion? {
        let part = ConvertedPart(page: parameters.page ?? 1, milliseconds: parameters.frame?.milliseconds ?? 0)
        return Conversion(source.bytes, part, converters)
    }

    /// An image that a converter produced.
    struct Converted: Sendable {
        let bytes: SourceBytes
        /// The digest of the conversion's inputs; it ends with the digest of the source.
        let digest: String
        /// The image's share of the budget for sources in use.
        let share: ByteShare?
    }

    /// Converts the source of a request; nil if the workers read the source.
    ///
    /// - Throws: The failure of the conversion, or an error for a parameter that the converter does not use.
    func converted(_ loaded: Loaded) async throws(ResultCache.Failure) -> Converted? {
        let (request, source) = (loaded.request, loaded.key.source)
        // A fallback image is not the requested image.
        if source.isFallbackImage { return nil }
        let conversion = conversion(of: source, request.parameters)
        if let error = Self.unusedParameter(request.parameters, source, conversion) {
            throw .init(problem: Problem(ParameterErrors(all: [error])), failure: nil)
        }
        guard let conversion else { return nil }
        let bytes: [UInt8]
        do throws(ConversionFailure) {
            bytes = try await workers.convert(conversion, by: request.deadline, request.limits)
        } catch {
            throw .init(problem: Problem(error, of: conversion), failure: error.log)
        }
        guard let share = caches.fetcher.budget.take(bytes.count, for: request.client) else {
            let error = FetchError.overBudget(limit: caches.fetcher.budget.limit)
            throw .init(problem: Problem(error), failure: "\(error)")
        }
        return Converted(
            bytes: SourceBytes(bytes),
            digest: "\(conversion.key),\(source.digest)",
            share: share
        )
    }

    /// Returns an error if a page or frame other than the first is requested and the source has only one; otherwise
    /// nil.
    private static func unusedParameter(
        _ parameters: FrameParameters,
        _ source: ImageSource,
        _ conversion: Conversion?
    ) -> ParameterError? {
        let rows: [(Parameter, ConverterArgument.Placeholder, isFirst: Bool)] = [
            (.page, .page, (parameters.page ?? 1) == 1),
            (.frame, .time, (parameters.frame?.milliseconds ?? 0) == 0),
        ]
        for (parameter, placeholder, isFirst) in rows where !isFirst {
            let kind: String
            if let conversion {
                guard !conversion.converter.takes(placeholder) else { continue }
                kind = "\(conversion.format.name) files, whose converter lacks {\(placeholder.rawValue)}"
            } else if let format = InputFormat.sniff(Array(source.bytes.slice.prefix(InputFormat.signatureLength))) {
                kind = "\(format.name) images"
            } else {
                // The missing converter is reported instead.
                continue
            }
            return ParameterError(
                name: parameter.name,
                received: parameters.given[parameter],
                value: parameters.given[parameter],
                breaks: "is not allowed for \(kind)"
            )
        }
        return nil
    }
}

extension Problem {
    /// Creates the problem for a failed conversion.
    init(_ failure: ConversionFailure, of conversion: Conversion) {
        let name = conversion.format.name
        switch failure {
        case .rejected(let error): self.init(error)
        case .notStarted:
            self.init(.internalError, .internalServerError, "The converter for \(name) files could not be started.")
        case .failed:
            let first = ConvertedPart() == conversion.part ? "" : ", or they do not contain this page or frame"
            self.init(
                .unreadableImage,
                .unprocessableContent,
                "The converter for \(name) files could not read these bytes\(first)."
            )
            cause = .brokenSource
        case .invalidOutput:
            self.init(
                .unreadableImage,
                .unprocessableContent,
                "The converter for \(name) files did not write a PNG, JPEG, PPM or PGM image."
            )
            cause = .brokenSource
        case .tooManyPixels(let size, let limit):
            self.init(
                tooLarge:
                    "The converted \(name) file of \(size.width) × \(size.height) pixels exceeds the limit of \(limit) "
                    + "pixels."
            )
        case .timeout, .tooManyBytes, .tooManyThreads, .quarantined:
            self.init(failure, limiting: "conversion", of: "\(name) file")
        }
    }

    /// Creates the problem of a run of a converter that exceeded a limit.
    ///
    /// - Parameters:
    ///   - failure: The exceeded limit.
    ///   - work: The noun for the run.
    ///   - object: The noun for the file.
    init(_ failure: ConversionFailure, limiting work: String, of object: String) {
        switch failure {
        case .timeout(let limit):
            let seconds = Int(clamping: (limit + .milliseconds(999)).components.seconds)
            self.init(tooLarge: "The \(work) of this \(object) took longer than the limit of \(seconds) s.")
        case .tooManyBytes(let limit):
            self.init(tooLarge: "The output of the \(work) of this \(object) exceeds the limit of \(limit) bytes.")
        case .tooManyThreads(let limit):
            self.init(tooLarge: "The \(work) of this \(object) used more than \(limit) threads.")
        case .quarantined(let time):
            let minutes = max(1, Int(clamping: (time + .seconds(59)).components.seconds / 60))
            self.init(
                tooLarge: "The \(work) of this \(object) exceeded a limit. It is rejected for another \(minutes) min."
            )
        case .rejected, .notStarted, .failed, .invalidOutput, .tooManyPixels:
            self.init(.internalError, .internalServerError, "The \(work) of this \(object) failed.")
        }
    }

    private init(tooLarge detail: String) { self.init(.tooLarge, .unprocessableContent, detail) }
}
