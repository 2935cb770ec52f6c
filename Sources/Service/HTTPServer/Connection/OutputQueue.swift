import CLinux
import Glibc

/// The bytes that are queued for sending on one connection.
struct OutputQueue {
    enum Progress { case sent, blocked, failed }

    /// Bodies of up to this many bytes are appended to their head, because copying them is cheaper than sending a
    /// second vector.
    static let copiedBytes = 4 * 1024

    private(set) var segments: [[UInt8]] = []
    /// The number of bytes of the first segment that have been sent.
    private var offset = 0

    var isEmpty: Bool { segments.isEmpty }

    mutating func append(_ bytes: [UInt8]) { if !bytes.isEmpty { segments.append(bytes) } }

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

    /// Sends until the queue is empty or the socket blocks.
    ///
    /// Adds the number of sent bytes to `sentBytes`.
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
        // bounded: called only with segments
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
        // bounded: one or two
        return hr_send(socket, base, Int32(vectors.count))
    }

    private mutating func drop(_ count: Int) {
        offset += count
        while let first = segments.first, offset >= first.count {
            offset -= first.count
            // bounded: called only with segments
            segments.removeFirst()
        }
    }
}

extension iovec {
    /// Creates a view of the bytes from `offset`, which is valid as long as `bytes`.
    fileprivate init(rebasing bytes: UnsafeRawBufferPointer, from offset: Int) {
        let rest = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        self.init(iov_base: rest.baseAddress, iov_len: rest.count)
    }
}
