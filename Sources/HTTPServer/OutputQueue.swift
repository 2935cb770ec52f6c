import CLinux
import Glibc

/// Bytes that wait to be sent on one connection.
struct OutputQueue {
    enum Progress { case sent, blocked, failed }

    /// Up to this many bytes of body are copied behind their head, which is cheaper than a second vector.
    private static let copiedBytes = 4 * 1024

    private var segments: [[UInt8]] = []
    /// How much of the first segment has been sent.
    private var offset = 0

    var isEmpty: Bool { segments.isEmpty }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        segments.append(bytes)
    }

    /// Queues a head and its body without copying a large body.
    mutating func append(head: consuming [UInt8], body: [UInt8]) {
        if body.count <= Self.copiedBytes {
            head.append(contentsOf: body)
            append(head)
        } else {
            append(head)
            append(body)
        }
    }

    mutating func removeAll() {
        segments = []
        offset = 0
    }

    /// Sends until everything is sent or the socket takes no more, and adds what was sent to `sentBytes`.
    mutating func flush(to socket: Int32, sentBytes: inout Int) -> Progress {
        while !segments.isEmpty {
            let sent = send(to: socket)
            guard sent >= 0 else { return sent == Int(-EAGAIN) ? .blocked : .failed }
            sentBytes += sent
            drop(sent)
        }
        return .sent
    }

    private func send(to socket: Int32) -> Int {
        segments[0].withUnsafeBytes { first in
            let first = iovec(rebasing: first, from: offset)
            guard segments.count > 1 else {
                return withUnsafeTemporaryAllocation(of: iovec.self, capacity: 1) { vectors in
                    vectors.initializeElement(at: 0, to: first)
                    return Self.send(vectors, to: socket)
                }
            }
            return segments[1].withUnsafeBytes { second in
                withUnsafeTemporaryAllocation(of: iovec.self, capacity: 2) { vectors in
                    vectors.initializeElement(at: 0, to: first)
                    vectors.initializeElement(at: 1, to: iovec(rebasing: second, from: 0))
                    return Self.send(vectors, to: socket)
                }
            }
        }
    }

    private static func send(_ vectors: UnsafeMutableBufferPointer<iovec>, to socket: Int32) -> Int {
        guard let base = vectors.baseAddress else { return 0 }
        return hr_send(socket, base, Int32(vectors.count))
    }

    private mutating func drop(_ count: Int) {
        offset += count
        while let first = segments.first, offset >= first.count {
            offset -= first.count
            segments.removeFirst()
        }
    }
}

extension iovec {
    /// The bytes from `offset` on, good as long as `bytes` is.
    fileprivate init(rebasing bytes: UnsafeRawBufferPointer, from offset: Int) {
        let rest = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        self.init(iov_base: rest.baseAddress, iov_len: rest.count)
    }
}
