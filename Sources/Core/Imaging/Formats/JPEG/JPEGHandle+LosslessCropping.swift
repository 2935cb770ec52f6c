import CImageCodec
import Geometry

extension JPEGHandle {
    func losslessCropping(_ orientation: Orientation) -> LosslessCropping {
        let info = info
        var (across, down): (Int32, Int32) = (0, 0)
        withUnsafePointer(to: info) { hr_jpeg_mcu($0, &across, &down) }
        let stored = PixelSize(width: Int(across), height: Int(down))
        let grid = BlockGrid(
            of: orientation.upright(size),
            blocks: orientation.upright(stored),
            fromRight: orientation.reversesColumns,
            fromBottom: orientation.reversesRows
        )
        // The coefficients of the image and of its part.
        return LosslessCropping(grid: grid, bytesNeeded: 2 * Int(info.coefficient_bytes) + Int(info.copied_bytes))
    }

    borrowing func crop(to rect: PixelRect) throws(CodecError) -> [UInt8] {
        // The profile must match the stored colour space: a CMYK image needs a CMYK profile.
        let space = info.components == 1 ? "GRAY" : info.components == 4 ? "CMYK" : "RGB "
        let profile = iccProfile.flatMap { $0.bytes[16..<20].elementsEqual(space.utf8) ? $0.bytes : nil } ?? []
        let orientation = header.orientation
        return try profile.withUnsafeBufferPointer { (icc) throws(CodecError) in
            var part = hr_jpeg_part(
                x: Int32(rect.x),
                y: Int32(rect.y),
                width: Int32(rect.width),
                height: Int32(rect.height),
                orientation: Int32(orientation.rawValue),
                icc: icc.baseAddress,
                icc_count: icc.count
            )
            let decoder = decoder
            return try ImageEncoder.collect(.jpeg, size) { hr_jpeg_crop(decoder, &part, $0, $1) }
        }
    }
}
