import Admission
import CLinux
import CSandbox
import Glibc
package import Imaging
package import Pipeline

/// The conversion of a file into an image that the workers can read.
package struct Conversion: Sendable {
    package let converter: Converter
    /// The format of the file.
    package let format: ConvertibleFormat
    /// The part of the file.
    package let part: ConvertedPart
    let source: SourceBytes
    private let requiresConfinement: Bool

    /// Creates the conversion of a file; nil if the set does not contain a converter for it.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - part: The requested part.
    ///   - converters: The converters of the service.
    package init?(_ source: SourceBytes, _ part: ConvertedPart, _ converters: ConverterSet) {
        guard let (format, converter) = converters.converter(of: source.slice) else { return nil }
        self.source = source
        self.part = part
        self.format = format
        self.converter = converter
        requiresConfinement = converters.requiresConfinement
    }

    /// All inputs that determine the output, except the file, on one line.
    package var key: String { "\(format.rawValue) \(part.page) \(part.milliseconds) \(converter.command)" }

    /// The outcome of a run, with the processor time that the program used.
    struct Outcome: Sendable {
        let result: Result<[UInt8], ConversionFailure>
        let processorTime: Duration
    }

    /// The environment of every converter.
    private static let environment = [
        "PATH=\(ConverterProgram.folders.joined(separator: ":"))", "LANG=C.UTF-8", "HOME=/nonexistent",
        // Each arena of glibc reserves 64 MiB of address space.
        "MALLOC_ARENA_MAX=2",
    ]

    /// Runs the converter on the calling thread until it ends.
    ///
    /// - Parameters:
    ///   - maxPixels: The maximum number of pixels in the output.
    ///   - cancellation: Ends the converter.
    /// - Returns: An image whose format the workers can read. Its content is not checked.
    func run(maxPixels: Int, _ cancellation: Cancellation) -> Outcome {
        var result = hr_converter_result()
        var call: UnsafePointer<CChar>?
        let status = start(cancellation, &result, &call)
        defer { free(result.output) }
        let time = Duration.microseconds(Int64(clamping: result.processor_time))
        guard status == 0 else {
            let name = call.map { String(cString: $0) } ?? ""
            let reason = "\(name): \(String(cString: hr_error_text(-status)))"
            return Outcome(result: .failure(.notStarted(reason)), processorTime: time)
        }
        return Outcome(
            result: Result { () throws(ConversionFailure) in try output(of: result, maxPixels) },
            processorTime: time
        )
    }

    private func start(
        _ cancellation: Cancellation,
        _ result: inout hr_converter_result,
        _ call: inout UnsafePointer<CChar>?
    ) -> Int32 {
        let (seconds, attoseconds) = converter.timeout.components
        let milliseconds = UInt64(clamping: seconds) * 1000 + UInt64(clamping: attoseconds / 1_000_000_000_000_000)
        return withExtendedLifetime(cancellation) {
            withCStrings([converter.program.name] + converter.arguments.map { $0.text(for: part) }) { arguments in
                withCStrings(Self.environment) { environment in
                    withCStrings(converter.program.executables) { executables in
                        withCStrings(Converter.usualFiles + converter.files) { files in
                            converter.program.path.withCString { path in
                                source.withUnsafeBytes { bytes in
                                    var program = hr_converter(
                                        program: path,
                                        arguments: arguments,
                                        environment: environment,
                                        executables: executables,
                                        readable: files,
                                        input: bytes.baseAddress,
                                        input_count: bytes.count,
                                        memory: UInt64(clamping: converter.memory),
                                        output_limit: converter.maxOutputBytes,
                                        milliseconds: milliseconds,
                                        requires_confinement: requiresConfinement,
                                        is_cancelled: { context in
                                            guard let context else { return false }
                                            return Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue()
                                                .isCancelled
                                        },
                                        context: Unmanaged.passUnretained(cancellation).toOpaque()
                                    )
                                    return hr_converter_run(&program, &result, &call)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the image that a converter produced.
    private func output(of result: hr_converter_result, _ maxPixels: Int) throws(ConversionFailure) -> [UInt8] {
        switch result.end {
        case HR_CONVERTER_EXITED where result.status == 0: break
        case HR_CONVERTER_EXITED: throw .failed("exit status \(result.status)\(Self.lastLine(of: result))")
        case HR_CONVERTER_TIMEOUT: throw .timeout(converter.timeout)
        case HR_CONVERTER_FLOODED: throw .tooManyBytes(limit: converter.maxOutputBytes)
        case HR_CONVERTER_THREADED: throw .tooManyThreads(limit: Int(HR_CONVERTER_THREADS))
        case HR_CONVERTER_CANCELLED: throw .rejected(.cancelled)
        default: throw .failed("signal \(result.status)\(Self.lastLine(of: result))")
        }
        let bytes = [UInt8](UnsafeBufferPointer(start: result.output, count: result.output_count))
        if PortablePixmap.matches(bytes) {
            do throws(PortablePixmap.Failure) {
                return try PortablePixmap.bitmap(bytes, maxPixels: maxPixels)
            } catch {
                switch error {
                case .invalid: throw .invalidOutput
                case .tooLarge(let size, let limit): throw .tooManyPixels(size, limit: limit)
                }
            }
        }
        switch InputFormat.sniff(bytes) {
        case .png, .jpeg: return bytes
        default: throw .invalidOutput
        }
    }

    /// Returns the last non-blank line of standard error after a colon, for logs.
    private static func lastLine(of result: hr_converter_result) -> String {
        let bytes = withUnsafeBytes(of: result.words) { Array($0.prefix(result.words_count)) }
        guard let line = bytes.split(separator: 0x0A).last(where: { $0.contains { $0 > 0x20 } }) else { return "" }
        // Only visible ASCII is kept, because the program may repeat text from the file.
        return ": " + String(decoding: line.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
