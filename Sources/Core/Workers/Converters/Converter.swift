/// A program of the operator and its limits: it reads files of one format and writes an image, or it reads the frames of
/// an animation and writes a video.
package struct Converter: Hashable, Sendable {
    /// The files and folders that every converter can read: libraries, fonts and their configuration.
    static let usualFiles = [
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/etc/fonts",
        "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig",
        "/usr/share/poppler", "/usr/share/mime", "/dev/null", "/dev/urandom",
    ]

    /// The program.
    package var program: ConverterProgram
    /// The arguments, without the program's name.
    package var arguments: [ConverterArgument]
    /// The limit of the program's address space, in bytes.
    package var memory = 512 << 20
    /// The maximum size of the output, in bytes.
    package var maxOutputBytes = 32 << 20
    /// The time limit of a conversion.
    package var timeout = Duration.seconds(20)
    /// Additional files and folders that the converter can read.
    package var files: [String] = []

    /// Creates a converter with the default limits.
    package init(_ program: ConverterProgram, _ arguments: [ConverterArgument]) {
        self.program = program
        self.arguments = arguments
    }

    /// The memory for a conversion in bytes: the program's memory, its output, and the output as a bitmap.
    package var bytesNeeded: Int { memory + 2 * maxOutputBytes }

    /// Whether an argument contains a placeholder.
    package func takes(_ placeholder: ConverterArgument.Placeholder) -> Bool {
        arguments.contains { $0.contains(placeholder) }
    }

    /// The program and its arguments.
    ///
    /// For a given file, they determine the output.
    package var command: String { ([program.path] + arguments.map(\.text)).joined(separator: " ") }
}
