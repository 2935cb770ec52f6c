import CImageCodec
import Geometry

/// Calls a C function that reads or writes no file.
func check(_ call: CCall) throws(CodecError) { do { try attempt(call) } catch { throw error.codecError } }

/// Calls a C function that reads or writes a file; `size` is the size of its image, if known.
func check(
    _ format: InputFormat,
    size: PixelSize? = nil,
    limit: CodecError.Limit? = nil,
    _ call: CCall
) throws(CodecError) {
    do { try attempt(call) } catch { throw error.codecError(format, size: size, limit: limit) }
}

/// Opens a C decoder or encoder; on failure, closes the partly opened decoder or encoder.
func open(
    _ format: InputFormat,
    size: PixelSize? = nil,
    close: (OpaquePointer?) -> Void,
    _ call: (_ opened: inout OpaquePointer?, UnsafeMutablePointer<hr_error>) -> hr_status
) throws(CodecError) -> OpaquePointer {
    var opened: OpaquePointer?
    do {
        try check(format, size: size) { call(&opened, $0) }
    } catch {
        close(opened)
        throw error
    }
    guard let opened else { throw .outOfMemory }
    return opened
}
