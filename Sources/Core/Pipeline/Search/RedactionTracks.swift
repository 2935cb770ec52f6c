import Geometry
import Imaging

/// Tracks heads through the frames of an animation, and keeps their masks in frames where the detector misses them.
///
/// A mask starts ``hold`` before the first detection of a head and ends ``hold`` after the last detection. If two
/// detections of the same head are at most ``maxGap`` apart, all frames between them have both masks.
struct RedactionTracks {
    /// The time that a mask remains before and after its detection, in milliseconds.
    static let hold = 1000
    /// The maximum time between two detections of one head, in milliseconds.
    static let maxGap = 10_000
    /// The minimum overlap of the boxes of one head, as intersection over union.
    private static let minOverlap = 0.1

    private struct Track {
        var last: RedactedHead
        var frame: Int
        /// The numbers of the plan's faces that belong to this track.
        var numbers: Set<Int>
        var masks: [(frame: Int, mask: RedactionMask)]
    }

    private var tracks: [Track] = []
    /// The start of each frame, in milliseconds.
    private var starts: [Int] = []
    private var end = 0

    /// Adds the next frame with its heads, and the plan's faces in this frame with their numbers.
    mutating func add(_ heads: [RedactedHead], numbered: [(number: Int, head: RedactedHead)], milliseconds: Int) {
        let frame = starts.count
        starts.append(end)
        end += milliseconds
        var free = Set(tracks.indices.filter { starts[frame] - starts[tracks[$0].frame] <= Self.maxGap })
        for (number, head) in numbered.map({ (Optional($0.number), $0.head) }) + heads.map({ (nil, $0) }) {
            // Most heads are found by both this search and the search for framing.
            let same = tracks.indices.last {
                tracks[$0].frame == frame && Duplicates.isSame(tracks[$0].last.box, head.box)
            }
            if let same {
                tracks[same].masks.append((frame, head.mask))
                continue
            }
            let previous = free.max {
                tracks[$0].last.box.overlap(with: head.box) < tracks[$1].last.box.overlap(with: head.box)
            }
            if let previous, tracks[previous].last.box.overlap(with: head.box) >= Self.minOverlap {
                free.remove(previous)
                for gap in tracks[previous].frame + 1..<max(frame, tracks[previous].frame + 1) {
                    tracks[previous].masks += [(gap, tracks[previous].last.mask), (gap, head.mask)]
                }
                tracks[previous].masks.append((frame, head.mask))
                tracks[previous].last = head
                tracks[previous].frame = frame
                if let number { tracks[previous].numbers.insert(number) }
            } else {
                var track = Track(last: head, frame: frame, numbers: [], masks: [(frame, head.mask)])
                if let number { track.numbers.insert(number) }
                for earlier in (0..<frame).reversed() where starts[frame] - starts[earlier] <= Self.hold {
                    track.masks.append((earlier, head.mask))
                }
                tracks.append(track)
            }
        }
    }

    /// Returns the masks of each added frame; the last mask of a track stays for ``hold`` after its last detection.
    func masks(of faces: Redaction.Faces) -> [[RedactionMask]] {
        var result = [[RedactionMask]](repeating: [], count: starts.count)
        for track in tracks where includes(track, faces) {
            for (frame, mask) in track.masks { result[frame].append(mask) }
            for later in starts.indices[(track.frame + 1)...] {
                guard starts[later] - starts[track.frame] <= Self.hold else { break }
                result[later].append(track.last.mask)
            }
        }
        return result
    }

    /// Returns the number of masked heads; a head that was missed for longer than ``maxGap`` counts again.
    func count(of faces: Redaction.Faces) -> Int { tracks.count { includes($0, faces) } }

    private func includes(_ track: Track, _ faces: Redaction.Faces) -> Bool {
        switch faces {
        case .all: true
        case .others: !track.numbers.contains(1)
        case .numbers(let numbers): !track.numbers.isDisjoint(with: numbers)
        }
    }
}
