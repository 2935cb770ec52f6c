import Imaging

/// Rows of a tar archive in WebDataset's order: neighbouring members with equal keys belong together.
struct TarReader: RowReader {
    /// The most members of a group; a larger one is divided.
    static let maxGroup = 256

    private var members: TarMembers
    private let name: String
    private var group: [ArchiveMember] = []
    private var rows: [InputRow] = []

    /// A reader of an archive.
    ///
    /// - Throws: A ``BatchError`` unless it is a regular file, because members are read when their turn comes.
    init(_ file: any InputFile) throws(BatchError) {
        guard let length = try file.knownLength() else {
            throw BatchError(usage: "\(file.path): an archive must be a file, not a pipe")
        }
        members = TarMembers(file, length: length)
        name = file.path
    }

    mutating func next() throws(BatchError) -> InputRow? {
        while rows.isEmpty {
            guard let found = try members.next() else {
                guard !group.isEmpty else { return nil }
                endGroup()
                continue
            }
            switch found {
            case .member(let member):
                if let first = group.first, first.key != member.key || group.count == Self.maxGroup { endGroup() }
                group.append(member)
            case .refused(let name, let reason):
                endGroup()
                rows.append(InputRow(job: .failure(.row(reason)), place: "\(self.name):\(name ?? "end")"))
            }
        }
        return rows.removeFirst()
    }

    private mutating func endGroup() {
        guard !group.isEmpty else { return }
        let pictures = group.filter { Self.isPicture($0.name) }
        let others = group.filter { !Self.isPicture($0.name) }
        if pictures.isEmpty {
            let names = others.prefix(3).map(\.name).joined(separator: ", ")
            rows.append(
                InputRow(job: .failure(.row("There is no picture among \(names).")), place: "\(name):\(others[0].name)")
            )
        }
        let isAlone = pictures.count == 1
        for index in pictures.indices {
            let picture = pictures[index]
            let own = isAlone ? picture.key : RelativePath.withoutExtension(picture.name)
            let source = JobSource.part(of: picture.archive, picture.range, member: picture.name)
            let job = BatchJob(key: own, source: source, companions: index == 0 ? others : [])
            rows.append(InputRow(job: .success(job), place: source.text))
        }
        group = []
    }

    private static let extensions = Set(SourceFormat.allCases.flatMap(\.fileExtensions))

    static func isPicture(_ name: String) -> Bool { extensions.contains(RelativePath.pathExtension(name)) }
}
