import Foundation
import Imaging

/// Prints bytes and time of each format and effort, at the SSIM of a JPEG of quality 82.
struct EffortTable {
    private static let qualities = [50, 60, 70, 76, 82, 88, 93]
    private let images: [PlanarImage]

    init(_ images: [PlanarImage]) {
        self.images = images
    }

    func print() {
        let references = images.map { Encoding($0, .jpeg, EncodingOptions(quality: 82)) }
        Swift.print("| | bytes | ms |\n| --- | --- | --- |")
        row("JPEG", references: references) { _ in
            EncodingOptions(quality: 82)
        } format: {
            .jpeg
        }
        row("JPEG, progressive", references: references) { _ in
            var options = EncodingOptions(quality: 82)
            options.isProgressive = true
            return options
        } format: {
            .jpeg
        }
        for (format, efforts) in Self.efforts {
            for effort in efforts {
                row("\(format.name), effort \(effort)", references: references, over: Self.qualities) { quality in
                    var options = EncodingOptions(quality: quality)
                    options.effort = effort
                    return options
                } format: {
                    format
                }
            }
        }
    }

    private static var efforts: [(OutputFormat, [Int])] {
        #if AVIF
        [(.webp, [0, 2, 3, 4, 6]), (.avif, [6, 7, 8, 9, 10])]
        #else
        [(.webp, [0, 2, 3, 4, 6])]
        #endif
    }

    private func row(
        _ name: String,
        references: [Encoding?],
        over qualities: [Int] = [82],
        options: (Int) -> EncodingOptions,
        format: () -> OutputFormat
    ) {
        var (ratios, times): ([Double], [Double]) = ([], [])
        for (image, reference) in zip(images, references) {
            guard let reference else { continue }
            let found = qualities.compactMap { Encoding(image, format(), options($0)) }
            guard let equal = Self.equal(found, to: reference) else { continue }
            ratios.append(equal.bytes / Double(reference.bytes))
            times.append(equal.milliseconds)
        }
        guard !ratios.isEmpty else { return }
        let mean = ratios.reduce(0, +) / Double(ratios.count)
        let median = times.sorted()[times.count / 2]
        Swift.print("| \(name) | \(decimal(mean, 2)) | \(decimal(median, 1)) |")
    }

    /// Returns bytes and time at the SSIM of a reference, interpolated between two encodings; nil if the SSIM is
    /// outside the range of the encodings.
    private static func equal(_ found: [Encoding], to reference: Encoding) -> (bytes: Double, milliseconds: Double)? {
        if found.count == 1 { return (Double(found[0].bytes), found[0].milliseconds) }
        let sorted = found.sorted { $0.similarity < $1.similarity }
        for (low, high) in zip(sorted, sorted.dropFirst())
        where (low.similarity...high.similarity).contains(reference.similarity) {
            let share = (reference.similarity - low.similarity) / max(high.similarity - low.similarity, 1e-9)
            let bytes = exp(log(Double(low.bytes)) * (1 - share) + log(Double(high.bytes)) * share)
            return (bytes, low.milliseconds * (1 - share) + high.milliseconds * share)
        }
        return nil
    }
}

/// Prints the mean SSIM and the mean bytes of every lossy format at equal quality settings.
struct QualityTable {
    private let images: [PlanarImage]

    init(_ images: [PlanarImage]) {
        self.images = images
    }

    func print() {
        let formats = OutputFormat.allCases.filter { $0 != .png }
        Swift.print("\n| quality |\(formats.map { " \($0.name) SSIM | bytes |" }.joined())")
        Swift.print("| --- |\(formats.map { _ in " --- | --- |" }.joined())")
        for quality in [20, 30, 50, 70, 82, 90, 95] {
            var cells = ""
            for kind in formats {
                let found = images.compactMap { Encoding($0, kind, EncodingOptions(quality: quality)) }
                guard !found.isEmpty else { continue }
                let likeness = found.map(\.similarity).reduce(0, +) / Double(found.count)
                let bytes = found.map(\.bytes).reduce(0, +) / found.count
                cells += " \(decimal(likeness, 4)) | \(bytes) |"
            }
            Swift.print("| \(quality) |\(cells)")
        }
    }
}

/// Formats a number with the given number of decimals.
private func decimal(_ number: Double, _ decimals: Int) -> String { String(format: "%.\(decimals)f", number) }
