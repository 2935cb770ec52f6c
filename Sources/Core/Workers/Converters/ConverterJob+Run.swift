import Admission
import CLinux
import CSandbox
import Glibc
import Pipeline

/// The outcome of a run.
struct ConverterOutcome: Sendable {
    let result: Result<[UInt8], ConversionFailure>
    /// The processor time of the program.
    let processorTime: Duration
    /// The time from the start to the end.
    let elapsedTime: Duration
}

/// The environment of every converter.
private let converterEnvironment = [
    "PATH=\(ConverterProgram.folders.joined(separator: ":"))", "LANG=C.UTF-8", "HOME=/nonexistent",
    // Each arena of glibc reserves 64 MiB of the address space.
    "MALLOC_ARENA_MAX=2",
]

extension ConverterJob {
    /// Runs the program on the calling thread, to its end.
    ///
    /// - Parameters:
    ///   - maxPixels: The maximum number of pixels of its output.
    ///   - cancellation: Ends the program.
    /// - Returns: The checked output.
    func run(maxPixels: Int, _ cancellation: Cancellation) -> ConverterOutcome {
        var result = hr_converter_result()
        var call: UnsafePointer<CChar>?
        let began = ContinuousClock.now
        let status = start(cancellation, &result, &call)
        defer { free(result.output) }
        func outcome(_ output: Result<[UInt8], ConversionFailure>) -> ConverterOutcome {
            let time = Duration.microseconds(Int64(clamping: result.processor_time))
            return ConverterOutcome(result: output, processorTime: time, elapsedTime: .now - began)
        }
        guard status == 0 else {
            let name = call.map { String(cString: $0) } ?? ""
            return outcome(.failure(.notStarted("\(name): \(String(cString: hr_error_text(-status)))")))
        }
        return outcome(
            Result { () throws(ConversionFailure) in try checked(output(of: result), maxPixels: maxPixels) }
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
                withCStrings(converterEnvironment) { environment in
                    withCStrings(converter.program.executables) { executables in
                        withCStrings(Converter.usualFiles + converter.files) { files in
                            converter.program.path.withCString { path in
                                input.withUnsafeBytes { bytes in
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

    /// Returns the bytes that the program wrote.
    private func output(of result: hr_converter_result) throws(ConversionFailure) -> [UInt8] {
        switch result.end {
        case HR_CONVERTER_EXITED where result.status == 0: break
        case HR_CONVERTER_EXITED: throw .failed("exit status \(result.status)\(Self.lastLine(of: result))")
        case HR_CONVERTER_TIMEOUT: throw .timeout(converter.timeout)
        case HR_CONVERTER_FLOODED: throw .tooManyBytes(limit: converter.maxOutputBytes)
        case HR_CONVERTER_THREADED: throw .tooManyThreads(limit: Int(HR_CONVERTER_THREADS))
        case HR_CONVERTER_CANCELLED: throw .rejected(.cancelled)
        default: throw .failed("signal \(result.status)\(Self.lastLine(of: result))")
        }
        return [UInt8](UnsafeBufferPointer(start: result.output, count: result.output_count))
    }

    /// The last line of standard error that is not blank, for logs; a colon precedes it.
    private static func lastLine(of result: hr_converter_result) -> String {
        let bytes = withUnsafeBytes(of: result.words) { Array($0.prefix(result.words_count)) }
        guard let line = bytes.split(separator: 0x0A).last(where: { $0.contains { $0 > 0x20 } }) else { return "" }
        // Visible ASCII, because the program repeats text of the file.
        return ": " + String(decoding: line.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
