package import Pipeline

/// A run of a converter: a file that a program of the operator reads, and the check of its output.
package protocol ConverterJob: Sendable {
    /// The program and its limits.
    var converter: Converter { get }
    /// The use of the program, for metrics.
    var use: ConverterUse { get }
    /// The bytes of the program's standard input.
    var input: SourceBytes { get }
    /// The part of the file, for the arguments.
    var part: ConvertedPart { get }
    /// Whether the program needs the whole confinement.
    var requiresConfinement: Bool { get }
    /// The memory of the run in bytes, which the budget of the jobs reserves.
    var bytesNeeded: Int { get }
    /// The image of the request.
    var source: SourceBytes { get }
    /// All other inputs of the output: a run that exceeded a limit is recognised by both.
    var request: [UInt8] { get }

    /// Checks the output of a successful run.
    ///
    /// - Parameters:
    ///   - output: The bytes that the program wrote.
    ///   - maxPixels: The maximum number of pixels of an image.
    /// - Returns: The output of the job.
    /// - Throws: ``ConversionFailure/invalidOutput`` or ``ConversionFailure/tooManyPixels(_:limit:)``.
    func checked(_ output: [UInt8], maxPixels: Int) throws(ConversionFailure) -> [UInt8]
}
