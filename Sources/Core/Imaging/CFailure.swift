import CImageCodec
import Geometry

/// The status and message of a call into C.
struct CFailure: Error {
    let status: hr_status
    let message: String

    fileprivate init(_ error: hr_error) {
        status = error.status
        message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// The error of a call that reads or writes no file.
    var codecError: CodecError { status == HR_NO_MEMORY ? .outOfMemory : .failed(message) }

    /// Returns the error of a call that reads or writes a file; `size` is the size of its image, if known.
    func codecError(_ format: InputFormat, size: PixelSize? = nil, limit: CodecError.Limit? = nil) -> CodecError {
        switch status {
        case HR_TRUNCATED: .truncated(format)
        case HR_UNSUPPORTED: .unsupportedFeature(format, message)
        case HR_TOO_LARGE:
            size.map { .tooLarge($0, limit: limit ?? .format(format)) } ?? .unsupportedFeature(format, message)
        case HR_NO_MEMORY: .outOfMemory
        case HR_FAILED: .failed(message)
        default: .corrupt(format, message)
        }
    }
}

typealias CCall = (UnsafeMutablePointer<hr_error>) -> hr_status

/// Calls a C function, and throws its failure unchanged.
func attempt(_ call: CCall) throws(CFailure) {
    var error = hr_error()
    guard call(&error) == HR_OK else { throw CFailure(error) }
}
