import CImageCodec
import Geometry

/// The status and message of a call into C, as an error.
struct CFailure: Error {
    let status: hr_status
    let message: String

    init(_ error: hr_error) {
        status = error.status
        message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The codec error for a picture of `format` and, if known, `size`.
    func codecError(_ format: SourceFormat, size: PixelSize? = nil, limit: CodecError.Limit? = nil) -> CodecError {
        switch status {
        case HR_TRUNCATED: .truncated(format)
        case HR_UNSUPPORTED: .unsupportedFeature(format, message)
        case HR_TOO_LARGE:
            if let size {
                .tooLarge(size, limit: limit ?? .format(format))
            } else {
                .unsupportedFeature(format, message)
            }
        case HR_NO_MEMORY: .outOfMemory
        case HR_FAILED: .failed(message)
        default: .corrupt(format, message)
        }
    }
}

/// Calls a C function that fills in an `hr_error`, and throws its failure.
func check(_ call: (UnsafeMutablePointer<hr_error>) -> hr_status) throws(CFailure) {
    var error = hr_error()
    guard call(&error) == HR_OK else { throw CFailure(error) }
}
