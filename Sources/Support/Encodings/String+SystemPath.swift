extension String {
    /// The bytes of a path for system calls, with a NUL at the end; see ``FileName``.
    package var systemPath: [CChar] { FileName.bytes(of: self).map { CChar(bitPattern: $0) } + [0] }
}
