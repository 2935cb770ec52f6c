package import Admission
import CLinux

/// The bytes of a body, up to a limit.
///
/// Their memory is reserved in a budget before it is allocated.
package struct BoundedBytes {
    /// Initial capacity for a body of unknown length.
    ///
    /// The capacity is doubled whenever it is full.
    static let firstRoom = 1 << 18

    /// The maximum number of prefaulted bytes beyond the received bytes, so that a false declared length does not
    /// allocate more memory.
    private static let bytesLaidAhead = 1 << 18

    /// The maximum number of bytes.
    var limit: Int
    package let budget: ByteBudget
    /// The client whose fair share of the budget the bytes use; nil if the client is unknown.
    package var client: Client?
    package private(set) var bytes: [UInt8] = []
    /// The share of the budget that the bytes use; nil without bytes.
    package private(set) var share: ByteShare?
    /// The number of bytes whose pages have been prefaulted.
    private var laidBytes = 0

    /// Creates an empty value for at most `limit` bytes.
    package init(limit: Int, budget: ByteBudget, client: Client? = nil) {
        self.limit = limit
        self.budget = budget
        self.client = client
    }

    /// Removes all bytes and releases their memory.
    package mutating func removeAll() {
        bytes = []
        share = nil
        laidBytes = 0
    }

    /// Appends bytes; returns the reason for a failure, or nil.
    package mutating func append(_ more: UnsafeRawBufferPointer) -> FetchError? {
        guard more.count <= limit - bytes.count else { return .tooLarge(limit: limit) }
        let needed = bytes.count + more.count
        if needed > bytes.capacity {
            let room = min(limit, max(needed, 2 * bytes.capacity, Self.firstRoom))
            if let failure = reserve(room, instead: bytes.capacity) { return failure }
        }
        layPages(for: more.count)
        bytes.append(contentsOf: more)
        return nil
    }

    /// Reserves memory for a body of known length before its first byte arrives; returns the reason for a failure, or
    /// nil.
    mutating func reserve(_ count: Int) -> FetchError? { reserve(count, instead: 0) }

    /// Reserves `new` bytes.
    ///
    /// During the copy, the old and the new memory are both in use.
    private mutating func reserve(_ new: Int, instead old: Int) -> FetchError? {
        let isTaken: Bool
        if let share {
            isTaken = share.grow(by: new)
        } else {
            share = budget.take(new, for: client)
            isTaken = share != nil
        }
        guard isTaken else { return .overBudget(limit: budget.limit) }
        bytes.reserveCapacity(new)
        if let share, old > 0 { share.shrink(by: share.bytes - new) }
        return nil
    }

    /// Prefaults the pages of the memory that is reserved for a body of known length.
    private mutating func layPages(for count: Int) {
        let end = min(bytes.count + count + Self.bytesLaidAhead, bytes.capacity)
        guard end > laidBytes, bytes.count + count > laidBytes, bytes.count + count <= bytes.capacity else { return }
        bytes.withUnsafeMutableBufferPointer { [laidBytes] buffer in
            if let base = buffer.baseAddress { hr_lay_pages(base + laidBytes, end - laidBytes) }
        }
        laidBytes = end
    }
}
