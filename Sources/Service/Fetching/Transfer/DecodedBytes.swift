import Admission
import Decompression

/// The decoded bytes of a body.
///
/// The bytes and the memory of their decoder count for one client in one budget.
package final class DecodedBytes: DecodedOutput {
    /// The bytes decoded so far.
    package private(set) var content: BoundedBytes
    /// The reason why the last bytes could not be appended; nil without a failure.
    package private(set) var failure: FetchError?
    /// Whether decoding has ended because no more bytes are needed.
    package private(set) var isEnough = false
    private let needsMore: ([UInt8]) -> Bool
    private var decoderShare: ByteShare?

    /// Creates an empty output.
    ///
    /// - Parameters:
    ///   - content: An empty value with the limit, the budget and the client for the bytes.
    ///   - needsMore: Returns whether to continue decoding, given all decoded bytes so far.
    package init(_ content: BoundedBytes, while needsMore: @escaping ([UInt8]) -> Bool = { _ in true }) {
        self.content = content
        self.needsMore = needsMore
    }

    package func removeAll() { content.removeAll() }

    package func reserve(decoderBytes: Int) -> Bool {
        decoderShare = nil
        decoderShare = content.budget.take(decoderBytes, for: content.client)
        return decoderShare != nil
    }

    package func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        failure = content.append(piece)
        guard failure == nil else { return false }
        isEnough = !needsMore(content.bytes)
        return !isEnough
    }
}
