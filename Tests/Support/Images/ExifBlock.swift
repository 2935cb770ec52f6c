/// TIFF structures of EXIF metadata.
package enum ExifBlock {
    /// A directory with a camera's name and the tag Orientation.
    ///
    /// The orientation may be any 16-bit number, valid or not.
    package static func tiff(orientation: Int, isBigEndian: Bool = true) -> [UInt8] {
        func short(_ value: Int) -> [UInt8] {
            let bytes = [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
            return isBigEndian ? bytes : bytes.reversed()
        }
        func long(_ value: Int) -> [UInt8] {
            isBigEndian ? short(value >> 16) + short(value & 0xFFFF) : short(value & 0xFFFF) + short(value >> 16)
        }
        let make = short(0x0110) + short(2) + long(4) + Array("cam\0".utf8)
        let turn = short(0x0112) + short(3) + long(1) + short(orientation) + short(0)
        return Array(isBigEndian ? "MM".utf8 : "II".utf8) + short(42) + long(8) + short(2) + make + turn + long(0)
    }
}
