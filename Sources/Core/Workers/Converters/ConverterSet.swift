import CLinux
import CSandbox
package import Imaging

/// The converters of a service.
package struct ConverterSet: Hashable, Sendable {
    /// The number of bytes that are examined to detect the format of a file.
    private static let examinedBytes = 64 << 10

    /// The converters by the format that each reads.
    package var byFormat: [ConvertibleFormat: Converter] = [:]
    /// The converters by the format of the videos that they write.
    package var byVideoFormat: [VideoFormat: Converter] = [:]
    /// Whether converters need the whole confinement; otherwise they have the parts that the machine supports.
    package var requiresConfinement = true

    /// Creates a set without converters.
    package init() {}

    /// Whether there are no converters.
    package var isEmpty: Bool { byFormat.isEmpty && byVideoFormat.isEmpty }

    /// The uses of all converters, by name.
    package var uses: [ConverterUse] {
        byFormat.keys.map { .input($0) }.sorted { $0.format < $1.format }
            + byVideoFormat.keys.map { .output($0) }.sorted { $0.format < $1.format }
    }

    /// Returns the converter for a file, based on its first bytes; nil for files that are not converted.
    package func converter(of bytes: ArraySlice<UInt8>) -> (format: ConvertibleFormat, converter: Converter)? {
        guard !byFormat.isEmpty, let format = ConvertibleFormat.sniff(Array(bytes.prefix(Self.examinedBytes))) else {
            return nil
        }
        return byFormat[format].map { (format, $0) }
    }

    /// Returns the reason why this machine cannot confine converters, as the end of a sentence; nil if it can.
    ///
    /// Starts a process that enters the confinement, which takes about a millisecond.
    package static func obstacle() -> String? {
        var call: UnsafePointer<CChar>?
        let status = hr_converter_check(&call)
        guard status < 0 else { return nil }
        let name = call.map { String(cString: $0) } ?? ""
        let version = hr_landlock_version()
        if version < 0 {
            return "Landlock is not available (Linux 5.13 or later, permitted in this container): "
                + String(cString: hr_error_text(-version))
        }
        return "\(name): \(String(cString: hr_error_text(-status)))"
    }
}
