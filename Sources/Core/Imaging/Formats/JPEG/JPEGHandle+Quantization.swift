import CImageCodec

extension JPEGHandle {
    /// The quantisation in the header, rotated upright; nil if there is none.
    func quantization(_ orientation: Orientation) -> JPEGQuantization? {
        guard info.has_tables else { return nil }
        let values = withUnsafeBytes(of: info.tables) { Array($0.bindMemory(to: UInt16.self)) }
        let tables = (0..<Int(info.components)).map { Array(values[$0 * 64..<($0 + 1) * 64]) }
        let stored = JPEGQuantization(tables: tables, colorModel: colorModel(turned: false))
        return orientation.swapsSides ? stored.transposed : stored
    }
}
