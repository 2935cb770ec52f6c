import Encodings
import Fetching
import FoundationEssentials
import Imaging
import Pipeline
import Requests

/// Reads the folder of `--overlays`: a folder for each sticker, with `overlay.json` and images, and an image for
/// each watermark.
enum OverlayFolder {
    private static let description = "overlay.json"
    static let maxStickers = 200
    static let maxMarks = 200
    /// The maximum size of all images of a sticker together, or of the image of a watermark, in bytes.
    static let maxBytes = 4 << 20
    static let maxDescriptionBytes = 65_536
    private static let images: Set<String> = ["png", "gif", "webp"]
    private static let expectedName =
        "expected a name of at most \(OverlayNames.maxNameLength) letters a to z, digits and hyphens"

    /// The program's own stickers, and the stickers and watermarks of a folder, if one is given.
    ///
    /// - Throws: A ``CommandFailure`` with all problems of all images.
    static func overlays(_ folder: String?) throws(CommandFailure) -> OverlaySet {
        guard let folder else { return OverlaySet() }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .usage(["overlays: \(folder) cannot be read as a folder."])
        }
        var problems: [String] = []
        var stickers: [Sticker] = []
        let folders = names.sorted().filter { PathParts.isFolder("\(folder)/\($0)") && !$0.hasPrefix(".") }
        if folders.count > maxStickers {
            problems.append("overlays: \(folder) has \(folders.count) folders: expected at most \(maxStickers).")
        }
        for name in folders.prefix(maxStickers) {
            let (sticker, reasons) = sticker(name, in: "\(folder)/\(name)")
            if let sticker { stickers.append(sticker) }
            problems += reasons.map { "overlays: \(name): \($0)." }
        }
        let (marks, more) = marks(in: folder)
        problems += more
        if !problems.isEmpty { throw .usage(problems) }
        return OverlaySet(stickers, marks: marks)
    }

    /// The watermarks of a folder, by name, and their problems.
    private static func marks(in folder: String) -> ([String: [UInt8]], [String]) {
        var (marks, problems) = ([String: [UInt8]](), [String]())
        let files = names(in: folder).filter { !PathParts.isFolder("\(folder)/\($0)") }
        if files.count > maxMarks {
            problems.append("overlays: \(folder) has \(files.count) images: expected at most \(maxMarks).")
        }
        for file in files.prefix(maxMarks) {
            func refuse(_ problem: String) { problems.append("overlays: \(file): \(problem).") }
            let name = file.prefix { $0 != "." }.description
            do throws(RegularFile.Failure) {
                let bytes = try RegularFile.bytes(of: "\(folder)/\(file)", atMost: maxBytes)
                if !OverlayNames.isName(name) {
                    refuse(expectedName)
                } else if let problem = problem(of: bytes) {
                    refuse(problem)
                } else if marks.updateValue(bytes, forKey: name) != nil {
                    refuse("there are two images with this name")
                }
            } catch .tooLarge {
                refuse("the image exceeds \(maxBytes >> 20) MiB")
            } catch {
                refuse("cannot be read: \(error.reason)")
            }
        }
        return (marks, problems)
    }

    private static func sticker(_ name: String, in folder: String) -> (Sticker?, [String]) {
        guard OverlayNames.isName(name) else {
            return (nil, [expectedName])
        }
        let text: StickerDescription
        do {
            text = try StickerDescription(
                try RegularFile.bytes(of: "\(folder)/\(description)", atMost: maxDescriptionBytes)
            )
        } catch let error as StickerDescription.Malformed {
            return (nil, error.problems)
        } catch let error as RegularFile.Failure {
            return (nil, ["\(description) cannot be read: \(error.reason)"])
        } catch {
            return (nil, ["\(description) cannot be read"])
        }
        let names = text.frames ?? names(in: folder)
        guard names.count <= Sticker.maxFrames else { return (nil, ["more than \(Sticker.maxFrames) images"]) }
        var problems: [String] = []
        var files: [[UInt8]] = []
        var free = maxBytes
        for file in names {
            do throws(RegularFile.Failure) {
                let bytes = try RegularFile.bytes(of: "\(folder)/\(file)", atMost: free)
                free -= bytes.count
                if let problem = problem(of: bytes) { problems.append("\(file): \(problem)") }
                files.append(bytes)
            } catch .tooLarge {
                return (nil, problems + ["the images exceed \(maxBytes >> 20) MiB in total"])
            } catch {
                problems.append("\(file) cannot be read: \(error.reason)")
            }
        }
        if files.isEmpty, problems.isEmpty { problems.append("there is no PNG, GIF or WebP") }
        if problems.isEmpty, pixels(of: files) > Sticker.maxPixels {
            problems.append("the frames exceed \(Sticker.maxPixels) pixels in total")
        }
        return problems.isEmpty ? (text.sticker(name: name, files: files), []) : (nil, problems)
    }

    /// The names of all images in a folder, in alphabetical order.
    private static func names(in folder: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return all.sorted().filter { name in
            images.contains(name.split(separator: ".").last.map { $0.lowercased() } ?? "") && !name.hasPrefix(".")
        }
    }

    private static func problem(of bytes: [UInt8]) -> String? {
        guard let header = try? ImageHeader.read(bytes), [.png, .gif, .webp].contains(header.format) else {
            return "expected a PNG, GIF or WebP"
        }
        return header.size.area > Sticker.maxPixels ? "too many pixels" : nil
    }

    private static func pixels(of files: [[UInt8]]) -> Int {
        let headers = files.compactMap { try? ImageHeader.read($0) }
        if headers.count == 1, let animation = headers[0].animation { return min(animation.pixels, 1 << 40) }
        return headers.reduce(0) { $0 + min($1.size.area, 1 << 30) }
    }
}
